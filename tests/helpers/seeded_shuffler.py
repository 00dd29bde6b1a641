"""Chance by seed for many matches at once: each has cards of its own, whatever happens when at the other tables."""

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
    """Chance that depends on a seed, the number of the match in the order of their beginnings, and of the deal in it.

    `generous` of the decks (a share) begin with two melds in each hand, so that deals are short and end in many ways;
    with three, they are over in no time. With `seeds` each match has a seed of its own.
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
        """Note for which match decks are wanted. Matches begin one after another, with ids from 1."""
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
        """Return a reshuffled stock."""
        return tuple(Random(f"{self._seed} stock {len(cards)}").sample(cards, len(cards)))

    def deck(self) -> Deck:
        """Return the next deck of the match that is played on, or of the one that begins."""
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
        """Return a card for each seat."""
        return self.event.cut(seats)

    def deck(self) -> Deck:
        """Return a generous deck that follows from the event."""
        return generous_deck(Random("".join(map(str, self.event.deck()))))

    def stock(self, cards: Sequence[Card]) -> Deck:
        """Return these cards reshuffled."""
        return self.event.stock(cards)


def generous_deck(random: Random, melds: int = 2) -> Deck:
    """Return a deck for two that gives each player so many melds of three cards, and other cards to make ten."""
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
