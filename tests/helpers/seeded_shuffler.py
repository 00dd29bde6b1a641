"""Seeded cards for many simultaneous matches. A match's cards do not depend on the moves in other matches."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import melds_in
from bot.engine.fairness.fair import Event
from bot.engine.matches.chance import CardSource
from bot.model.ids import MatchId, PersonId
from bot.play.application import Application
from bot.play.matches.shuffler import Shuffler

Deck = tuple[Card, ...]

_MELDS = melds_in(Hand.of(DECK))


class SeededShuffler(Shuffler):
    """Cards that depend only on a seed, the match's number and the deal's number. Matches are numbered as they start.

    A fraction `generous` of the decks gives both hands `melds` melds of three cards, so that deals are short and end
    in many ways. With three melds, a deal ends almost immediately. With `seeds`, match n uses the n-th seed.
    """

    def __init__(self, seed: object, *, generous: float = 0.7, melds: int = 2, seeds: Sequence[object] = ()) -> None:
        self._seed = seed
        self._seeds = seeds
        self._generous = generous
        self._melds = melds
        self._matches_started = 0
        self._deals: dict[int, int] = {}
        self._match: ContextVar[int | None] = ContextVar("match", default=None)

    def follow(self, app: Application) -> None:
        """Watch an application's moves, to know which match needs a deck. Matches must have ids 1, 2 and so on."""
        move = app.turns.move

        async def tracked_move(person_id: PersonId, match_id: MatchId, *rest: Any, **options: Any) -> Any:
            self._match.set(match_id)
            return await move(person_id, match_id, *rest, **options)

        app.turns.move = tracked_move

    def for_event(self, event: Event) -> CardSource:
        """Ignore the event: verifiable matches get the same cards as other matches."""
        return self

    def cut(self, seats: int) -> Deck:
        """Return the cut of a match that starts now."""
        self._matches_started += 1
        return tuple(Random(f"{self._seed_of(self._matches_started)} cut").sample(DECK, seats))

    def stock(self, cards: Sequence[Card]) -> Deck:
        return tuple(Random(f"{self._seed} stock {len(cards)}").sample(cards, len(cards)))

    def deck(self) -> Deck:
        """Return the next deck of the match in which a move is being made, or of the match that starts now."""
        match = self._match.get() or self._matches_started
        self._deals[match] = number = self._deals.get(match, 0) + 1
        random = Random(f"{self._seed_of(match)} {number}")
        if random.random() < self._generous:
            return generous_deck(random, self._melds)
        return tuple(random.sample(DECK, len(DECK)))

    def _seed_of(self, match: int) -> object:
        return self._seeds[match - 1] if self._seeds else f"{self._seed} {match}"


@dataclass(frozen=True, slots=True)
class GenerousEvent:
    """An event of a verifiable two-player match. Its deck is replaced by one that gives both players melds."""

    event: Event

    def cut(self, seats: int) -> Deck:
        return self.event.cut(seats)

    def deck(self) -> Deck:
        """Return a deck with melds for both players. The deck depends only on the event."""
        return generous_deck(Random("".join(map(str, self.event.deck()))))

    def stock(self, cards: Sequence[Card]) -> Deck:
        return self.event.stock(cards)


def generous_deck(random: Random, melds: int = 2) -> Deck:
    """Return a deck that gives each of two players this many melds of three cards, and ten cards in all."""
    remaining = set(DECK)
    hands: list[list[Card]] = [[], []]
    for hand in hands * melds:
        meld = random.choice([meld for meld in _MELDS if len(meld.cards) == 3 and remaining.issuperset(meld.cards)])
        hand.extend(meld.cards)
        remaining.difference_update(meld.cards)
    others = random.sample(sorted(remaining), len(remaining))
    filler_count = 10 - len(hands[0])
    first, second = hands[0] + others[:filler_count], hands[1] + others[filler_count : 2 * filler_count]
    dealt = [card for cards in zip(first, second, strict=True) for card in cards]
    return (*dealt, *others[2 * filler_count :])
