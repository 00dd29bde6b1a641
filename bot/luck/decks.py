"""Tests of the randomness of shuffled decks: three chi-squared tests over many decks.

Each test compares the observed counts O with the counts E expected of fair decks, by X = the sum of (O - E)² / E, and
returns the p-value: the probability that fair decks are at least as uneven. For n decks:

- *positions*: the number of times that each card is at each index. E = n/52. The counts of a card, and the counts of an
  index, add up to n, so 51 · 51 of them are free. Their variance is 52/51 times the variance of independent draws. So
  51/52 · X follows chi-squared with 51² degrees of freedom.
- *suits*: the number of times that each suit is at each index. E = n/4. For the same reason 51/52 · X has 3 · 51
  degrees of freedom.
- *pairs*: the number of times that each card directly follows each other one. E = n/52 for each of the 52 · 51 ordered
  pairs. The mean of X is 51². Its variance follows from the covariances in one deck: p = 1/52 is the probability of a
  pair, and q = 1/(52 · 51) of two compatible pairs. The symmetric part of the counts (1,274 dimensions) has the
  variance p, the antisymmetric part (1,275) has p + 2q. The rest, how often a card is first or last, is negligible. X
  is treated as a multiple of chi-squared with that mean and variance.
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
    """The p-value of each test: the probability that fair decks are at least as uneven."""

    positions: float
    suits: float
    pairs: float


@dataclass(slots=True)
class DeckCounts:
    """Counts over decks. Cards are numbered from 0 to 51, by their `order`."""

    decks: int = 0
    positions: list[int] = field(default_factory=lambda: [0] * _CARDS**2)
    """Number of times that each card is at each index. The key is 52 times the index, plus the card."""
    pairs: list[int] = field(default_factory=lambda: [0] * _CARDS**2)
    """Number of times that a card follows another. The key is 52 times the first card, plus the second."""

    def add(self, deck: Sequence[Card]) -> None:
        """Count a deck of 52 cards."""
        orders = [card.order for card in deck]
        for place, order in enumerate(orders):
            self.positions[place * _CARDS + order] += 1
        for first, second in pairwise(orders):
            self.pairs[first * _CARDS + second] += 1
        self.decks += 1

    def test(self) -> PValues:
        """Return the p-values. At least one deck must have been added."""
        return PValues(self._positions(), self._suits(), self._pairs())

    def _positions(self) -> float:
        statistic = _uneven(self.positions, self.decks / _CARDS)
        return chance_above(statistic * _FREE / _CARDS, _FREE**2)

    def _suits(self) -> float:
        # Cards are sorted by rank, then suit.
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
    """Return the probability that a chi-squared variable with many degrees of freedom is at least `value`.

    Its cube root is nearly normal: from 100 degrees on, the error is below 0.0005. Source: E. B. Wilson and
    M. M. Hilferty, "The Distribution of Chi-Square", PNAS 17 (1931).
    """
    variance = 2 / (9 * degrees)
    return math.erfc(((value / degrees) ** (1 / 3) - 1 + variance) / math.sqrt(2 * variance)) / 2
