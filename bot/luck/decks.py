"""Tests of the randomness of shuffled decks: three chi-squared tests over many decks.

Each test compares the observed counts O with the counts E expected of fair decks, by X = the sum of (O - E)² / E, and
returns the p-value: the probability that X is at least as large for fair decks. For n decks:

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

from bot.engine.cards.cards import DECK, Card, Suit

_CARD_COUNT: Final = len(DECK)
_DEGREES_PER_CARD: Final = _CARD_COUNT - 1
_SUIT_COUNT: Final = len(Suit)
_PAIRS_MEAN: Final = _DEGREES_PER_CARD**2
_PAIRS_VARIANCE: Final = 2 * (
    _CARD_COUNT * (_CARD_COUNT - 3) / 2 + _DEGREES_PER_CARD * (_CARD_COUNT - 2) / 2 * (1 + 2 / _DEGREES_PER_CARD) ** 2
)


@dataclass(frozen=True, slots=True)
class PValues:
    """The p-value of each test: the probability that fair decks are at least as uneven as the tested ones."""

    positions: float
    suits: float
    pairs: float


@dataclass(slots=True)
class DeckCounts:
    """Counts of card positions and adjacent cards in all added decks. Cards are numbered 0 to 51, by their `order`."""

    decks: int = 0
    positions: list[int] = field(default_factory=lambda: [0] * _CARD_COUNT**2)
    """Number of times that each card is at each index. The key is 52 times the index, plus the card."""
    pairs: list[int] = field(default_factory=lambda: [0] * _CARD_COUNT**2)
    """Number of times that a card directly follows another. The key is 52 times the first card, plus the second."""

    def add(self, deck: Sequence[Card]) -> None:
        """Count a deck of 52 cards."""
        orders = [card.order for card in deck]
        for index, order in enumerate(orders):
            self.positions[index * _CARD_COUNT + order] += 1
        for first, second in pairwise(orders):
            self.pairs[first * _CARD_COUNT + second] += 1
        self.decks += 1

    def test(self) -> PValues:
        """Return the p-values. At least one deck must have been added."""
        return PValues(self._positions(), self._suits(), self._pairs())

    def _positions(self) -> float:
        statistic = _chi_squared(self.positions, self.decks / _CARD_COUNT)
        return probability_above(statistic * _DEGREES_PER_CARD / _CARD_COUNT, _DEGREES_PER_CARD**2)

    def _suits(self) -> float:
        # Cards are numbered by rank, then suit, so every fourth one has the same suit.
        places = [self.positions[start : start + _CARD_COUNT] for start in range(0, _CARD_COUNT**2, _CARD_COUNT)]
        counts = [sum(place[suit::_SUIT_COUNT]) for place in places for suit in range(_SUIT_COUNT)]
        return probability_above(
            _chi_squared(counts, self.decks / _SUIT_COUNT) * _DEGREES_PER_CARD / _CARD_COUNT,
            (_SUIT_COUNT - 1) * _DEGREES_PER_CARD,
        )

    def _pairs(self) -> float:
        possible = [count for index, count in enumerate(self.pairs) if index % (_CARD_COUNT + 1)]
        scale = _PAIRS_VARIANCE / (2 * _PAIRS_MEAN)
        return probability_above(_chi_squared(possible, self.decks / _CARD_COUNT) / scale, _PAIRS_MEAN / scale)


def _chi_squared(counts: Sequence[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def probability_above(value: float, degrees: float) -> float:
    """Return the probability that a chi-squared variable with many degrees of freedom is at least `value`.

    The cube root of the variable is nearly normal: from 100 degrees on, the error is below 0.0005. Source: E. B. Wilson
    and M. M. Hilferty, "The Distribution of Chi-Square", PNAS 17 (1931).
    """
    variance = 2 / (9 * degrees)
    return math.erfc(((value / degrees) ** (1 / 3) - 1 + variance) / math.sqrt(2 * variance)) / 2
