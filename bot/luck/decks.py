"""Tests of whether decks look as if they were shuffled fairly: three chi-squared ones over many of them.

Each compares counts O with E, what is expected of fair decks, by X = the sum of (O - E)² / E, and says how likely fair
decks are to be at least as uneven: the p-value. For n decks:

- *positions*: how often each card is in each place. E = n/52. The counts of a card, and those of a place, add up to n,
  so that 51 · 51 of them are free; they scatter by 52/51 more than if every card were drawn for itself. So 51/52 · X
  follows chi-squared with 51² degrees of freedom.
- *suits*: how often each suit is in each place. E = n/4. For the same reason 51/52 · X has 3 · 51 degrees of freedom.
- *pairs*: how often each card comes right after each other one. E = n/52 for each of the 52 · 51 ordered pairs. The
  mean of X is 51². Its variance follows from the covariances in one deck: p = 1/52 is the chance of a pair, and
  q = 1/(52 · 51) that of two pairs which may both be there. Of the counts, the part that is symmetric in the two cards
  (1,274 dimensions) has the variance p, the antisymmetric part (1,275) has p + 2q; the rest, how often a card is first
  or last, is next to nothing. X is taken as a multiple of chi-squared with that mean and variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from bot.engine.cards import DECK, Card, Suit

_CARDS: Final = len(DECK)
_FREE: Final = _CARDS - 1
_SUITS: Final = len(Suit)
_PAIRS_MEAN: Final = _FREE**2
_PAIRS_VARIANCE: Final = 2 * (_CARDS * (_CARDS - 3) / 2 + _FREE * (_CARDS - 2) / 2 * (1 + 2 / _FREE) ** 2)


@dataclass(frozen=True, slots=True)
class PValues:
    """The p-values: how likely fair decks are to be at least as uneven, by each test."""

    positions: float
    suits: float
    pairs: float


@dataclass(slots=True)
class DeckCounts:
    """Counts over decks. Cards are numbers from 0 to 51, by their `order`."""

    decks: int = 0
    positions: list[int] = field(default_factory=lambda: [0] * _CARDS**2)
    """How often each card is in each place, at 52 times the place, plus the card."""
    pairs: list[int] = field(default_factory=lambda: [0] * _CARDS**2)
    """How often a card follows another, at 52 times the first, plus the second."""

    def add(self, deck: Sequence[Card]) -> None:
        """Count a deck of 52 cards."""
        orders = [card.order for card in deck]
        for place, order in enumerate(orders):
            self.positions[place * _CARDS + order] += 1
        for first, second in pairwise(orders):
            self.pairs[first * _CARDS + second] += 1
        self.decks += 1

    def test(self) -> PValues:
        """Return what the tests say; there must be a deck."""
        return PValues(self._positions(), self._suits(), self._pairs())

    def _positions(self) -> float:
        statistic = _uneven(self.positions, self.decks / _CARDS)
        return chance_above(statistic * _FREE / _CARDS, _FREE**2)

    def _suits(self) -> float:
        # Cards are in order by rank, then suit.
        places = [self.positions[start : start + _CARDS] for start in range(0, _CARDS**2, _CARDS)]
        counts = [sum(place[suit::_SUITS]) for place in places for suit in range(_SUITS)]
        return chance_above(_uneven(counts, self.decks / _SUITS) * _FREE / _CARDS, (_SUITS - 1) * _FREE)

    def _pairs(self) -> float:
        possible = [count for place, count in enumerate(self.pairs) if place % (_CARDS + 1)]
        scale = _PAIRS_VARIANCE / (2 * _PAIRS_MEAN)
        return chance_above(_uneven(possible, self.decks / _CARDS) / scale, _PAIRS_MEAN / scale)


def _uneven(counts: Sequence[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def chance_above(value: float, degrees: float) -> float:
    """Return how likely chi-squared with many degrees of freedom is to be a value or more.

    Its cube root is nearly normal: from 100 degrees on that is off by less than 0.0005. Source: E. B. Wilson and
    M. M. Hilferty, "The Distribution of Chi-Square", PNAS 17 (1931).
    """
    variance = 2 / (9 * degrees)
    return math.erfc(((value / degrees) ** (1 / 3) - 1 + variance) / math.sqrt(2 * variance)) / 2
