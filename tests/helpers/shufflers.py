"""Rigged cards: decks in a known order, and cuts that decide who deals."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from bot.engine.cards.cards import DECK, Card, parse_cards
from bot.engine.fairness.fair import Event
from bot.engine.matches.chance import CardSource
from bot.engine.matches.match import Cut, Reshuffle, Shuffle
from bot.engine.records.record import Record
from bot.play.matches.shuffler import Shuffler
from tests.engine.decks import GIN_HAND, POOR_HAND, deck

Deck = tuple[Card, ...]

NORTH_ACTS_FIRST: Final = parse_cards("Kd Ac Qd Jd")
"""A cut in which seat 1 has the lowest card and deals. In a two-player match, seat 0 (North) acts first."""

IMMEDIATE_GIN: Final = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")
"""Deck: the first player can take the upcard and go gin by discarding the queen of hearts, for 60 + 25 points."""

IMMEDIATE_KNOCK: Final = deck(f"{GIN_HAND} Qh", POOR_HAND, "2d")
"""Deck: the first player can take the upcard and knock with 2 by discarding the queen of hearts, for 58 points."""

IMMEDIATE_UNDERCUT: Final = deck(f"{GIN_HAND} Qh", "Ad 2h 3s 7c 8c 9c 7h 8h 9h 7d", "9s")
"""Deck: the first player can take the upcard and knock with 9 by discarding the queen of hearts.

The opponent lays off 7d, is left with 6 deadwood, and scores 28 points.
"""


class RiggedShuffler(Shuffler):
    """A shuffler that returns the given decks, cuts and reshuffled stocks in order.

    When they are used up, decks and stocks come from a seeded generator, and the cut is `NORTH_ACTS_FIRST`: seat 0 acts
    first in deal 1, and seat 1 in deal 2.
    """

    def __init__(self, *decks: Deck, cuts: Iterable[Deck] = (), stocks: Iterable[Deck] = (), seed: int = 0) -> None:
        self._decks = deque(decks)
        self._cuts = deque(cuts)
        self._stocks = deque(stocks)
        self._random = Random(seed)

    @staticmethod
    def of(record: Record) -> RiggedShuffler:
        """Return a shuffler that repeats the cuts, decks and reshuffles of a record."""
        cuts = [action.cards for action in record.actions if isinstance(action, Cut)]
        stocks = [action.cards for action in record.actions if isinstance(action, Reshuffle)]
        decks = [action.deck for action in record.actions if isinstance(action, Shuffle)]
        return RiggedShuffler(*decks, cuts=cuts, stocks=stocks)

    def for_event(self, event: Event) -> CardSource:
        """Ignore the event: verifiable matches get the same cards as other matches."""
        return self

    def deck(self) -> Deck:
        return self._decks.popleft() if self._decks else tuple(self._random.sample(DECK, len(DECK)))

    def cut(self, seats: int) -> Deck:
        return self._cuts.popleft() if self._cuts else NORTH_ACTS_FIRST[:seats]

    def stock(self, cards: Sequence[Card]) -> Deck:
        return self._stocks.popleft() if self._stocks else tuple(self._random.sample(cards, len(cards)))
