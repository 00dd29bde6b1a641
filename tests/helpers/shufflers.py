"""Chance that does as told: decks in a known order, and cuts that decide who deals."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from bot.engine.cards import DECK, Card, parse_cards
from bot.engine.chance import Cards
from bot.engine.fair import Event
from bot.engine.match import Cut, Reshuffle, Shuffle
from bot.engine.record import Record
from bot.play.matches.shuffler import Shuffler
from tests.engine.decks import GIN_HAND, POOR_HAND, deck

Deck = tuple[Card, ...]

NORTH_ACTS_FIRST: Final = parse_cards("Kd Ac Qd Jd")
"""A cut by which seat 1 deals the first deal: of two, seat 0 is first to act."""

GIN_AT_ONCE: Final = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")
"""Who acts first may take the upcard and go gin by throwing the queen of hearts: 60 + 25 points."""

KNOCK_AT_ONCE: Final = deck(f"{GIN_HAND} Qh", POOR_HAND, "2d")
"""Who acts first may take the upcard and knock with 2, by throwing the queen of hearts: 58 points."""

UNDERCUT_AT_ONCE: Final = deck(f"{GIN_HAND} Qh", "Ad 2h 3s 7c 8c 9c 7h 8h 9h 7d", "9s")
"""Who acts first may take the upcard and knock with 9, by throwing the queen of hearts; the other lays 7d off, has 6,
and scores 28 points."""


class RiggedShuffler(Shuffler):
    """Chance with these decks, cuts and reshuffles in order; after them, seeded ones.

    Without a cut of its own seat 0 acts first in deal 1 (and, as the deal alternates, seat 1 in deal 2).
    """

    def __init__(self, *decks: Deck, cuts: Iterable[Deck] = (), stocks: Iterable[Deck] = (), seed: int = 0) -> None:
        self._decks = deque(decks)
        self._cuts = deque(cuts)
        self._stocks = deque(stocks)
        self._random = Random(seed)

    @staticmethod
    def of(record: Record) -> RiggedShuffler:
        """The chance of a record: its cuts, decks and reshuffles."""
        cuts = [action.cards for action in record.actions if isinstance(action, Cut)]
        stocks = [action.cards for action in record.actions if isinstance(action, Reshuffle)]
        decks = [action.deck for action in record.actions if isinstance(action, Shuffle)]
        return RiggedShuffler(*decks, cuts=cuts, stocks=stocks)

    def for_event(self, event: Event) -> Cards:
        """The same cards as in matches that are not verifiable."""
        return self

    def deck(self) -> Deck:
        """The next deck."""
        return self._decks.popleft() if self._decks else tuple(self._random.sample(DECK, len(DECK)))

    def cut(self, seats: int) -> Deck:
        """The next cut."""
        return self._cuts.popleft() if self._cuts else NORTH_ACTS_FIRST[:seats]

    def stock(self, cards: Sequence[Card]) -> Deck:
        """The next reshuffle."""
        return self._stocks.popleft() if self._stocks else tuple(self._random.sample(cards, len(cards)))
