"""Seeded chance for many simultaneous matches: each gets the same cards, whatever order the tables play in."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.engine.cards import DECK, Card, Hand
from bot.engine.chance import Cards
from bot.engine.fair import Event
from bot.engine.melds import melds_in
from bot.play.application import Application
from bot.play.matches.shuffler import Shuffler
from bot.values.ids import MatchId, PersonId

Deck = tuple[Card, ...]

_MELDS = melds_in(Hand.of(DECK))


class SeededShuffler(Shuffler):
    """Chance that depends on a seed, the match's start index, and the number of the deal.

    In a share `generous` of the decks, both hands begin with `melds` melds of three cards, so that deals are short and
    end in many ways. With three melds a deal ends almost immediately. `seeds` gives each match its own seed.
    """

    def __init__(self, seed: object, *, generous: float = 0.7, melds: int = 2, seeds: Sequence[object] = ()) -> None:
        self._seed = seed
        self._seeds = seeds
        self._generous = generous
        self._melds = melds
        self._begun = 0
        self._deals: dict[int, int] = {}
        self._match: ContextVar[int | None] = ContextVar("match", default=None)

    def follow(self, app: Application) -> None:
        """Track which match each deck is for. Matches start one after another, with ids from 1."""
        move = app.turns.move

        async def followed(person_id: PersonId, match_id: MatchId, *rest: Any, **options: Any) -> Any:
            self._match.set(match_id)
            return await move(person_id, match_id, *rest, **options)

        app.turns.move = followed

    def for_event(self, event: Event) -> Cards:
        """Return the same cards as in matches that are not verifiable."""
        return self

    def cut(self, seats: int) -> Deck:
        """Return the cut of the next match."""
        self._begun += 1
        return tuple(Random(f"{self._seed_of(self._begun)} cut").sample(DECK, seats))

    def stock(self, cards: Sequence[Card]) -> Deck:
        return tuple(Random(f"{self._seed} stock {len(cards)}").sample(cards, len(cards)))

    def deck(self) -> Deck:
        """Return the next deck of the match in play, or of the match that is starting."""
        match = self._match.get() or self._begun
        self._deals[match] = number = self._deals.get(match, 0) + 1
        random = Random(f"{self._seed_of(match)} {number}")
        if random.random() < self._generous:
            return generous_deck(random, self._melds)
        return tuple(random.sample(DECK, len(DECK)))

    def _seed_of(self, match: int) -> object:
        return self._seeds[match - 1] if self._seeds else f"{self._seed} {match}"


@dataclass(frozen=True, slots=True)
class GenerousEvent:
    """The cards of an event of a verifiable match, but with melds for both of two players."""

    event: Event

    def cut(self, seats: int) -> Deck:
        return self.event.cut(seats)

    def deck(self) -> Deck:
        """Return a generous deck, seeded by the event."""
        return generous_deck(Random("".join(map(str, self.event.deck()))))

    def stock(self, cards: Sequence[Card]) -> Deck:
        return self.event.stock(cards)


def generous_deck(random: Random, melds: int = 2) -> Deck:
    """Return a deck that gives each of two players this many melds of three cards, and ten cards in all."""
    rest = set(DECK)
    hands: list[list[Card]] = [[], []]
    for hand in hands * melds:
        meld = random.choice([meld for meld in _MELDS if len(meld.cards) == 3 and rest.issuperset(meld.cards)])
        hand.extend(meld.cards)
        rest.difference_update(meld.cards)
    others = random.sample(sorted(rest), len(rest))
    more = 10 - len(hands[0])
    first, second = hands[0] + others[:more], hands[1] + others[more : 2 * more]
    dealt = [card for cards in zip(first, second, strict=True) for card in cards]
    return (*dealt, *others[2 * more :])
