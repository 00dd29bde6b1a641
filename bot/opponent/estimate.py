"""An estimate of the next player's hand: the probability that they hold each unseen card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.opponent.facts import Facts
from bot.opponent.many_hands import CARDS, RANKS, SUITS, Floats, melding, spread
from bot.opponent.network import Dense, Weights, chances, layers_of, run


@dataclass(frozen=True)
class Maps:
    """Binary maps of the 52 cards for the known facts, with a row for each of several positions."""

    mine: Floats
    known: Floats
    pile: Floats
    unseen: Floats
    top: Floats
    thrown: Floats
    thrown_recently: Floats
    refused: Floats
    refused_recently: Floats
    taken: Floats

    @staticmethod
    def of(facts: Sequence[Facts]) -> Maps:
        everything = (1 << CARDS) - 1
        columns: list[list[int]] = [
            [one.mine for one in facts],
            [one.known for one in facts],
            [one.pile for one in facts],
            [everything & ~(one.mine | one.known | one.known_elsewhere | one.pile) for one in facts],
            [1 << one.top if one.top >= 0 else 0 for one in facts],
            [one.thrown for one in facts],
            [one.thrown_recently for one in facts],
            [one.refused for one in facts],
            [one.refused_recently for one in facts],
            [one.taken for one in facts],
        ]
        return Maps(*spread([mask for column in columns for mask in column]).reshape(len(columns), len(facts), CARDS))


def by_suit(cards: Floats) -> Floats:
    """Reshape rows of 52 to four rows of 13."""
    return cards.reshape(-1, SUITS, RANKS)


def shifted(cards: Floats, by: int) -> Floats:
    """Return for each card the value of the card `by` ranks above it in its suit, or 0 if there is none."""
    result = np.zeros_like(cards)
    if by > 0:
        result[:, :, :-by] = cards[:, :, by:]
    else:
        result[:, :, -by:] = cards[:, :, :by]
    return result


def _neighbours(cards: Floats) -> list[Floats]:
    """Return for each card the number of marked cards of its rank, next to it, and two ranks away."""
    alike = cards.sum(1, keepdims=True) - cards
    return [alike, shifted(cards, 1) + shifted(cards, -1), shifted(cards, 2) + shifted(cards, -2)]


_POINTS: Final[Floats] = np.divide(melding("low").points, 10, dtype=np.float32)
"""The points of each of the 52 cards, in tens."""
_USUAL: Final = 0.6
"""The assumed mean points of discards before the first one, in tens."""
_RANK: Final = np.arange(RANKS, dtype=np.float32) / 12


def describe(facts: Sequence[Facts], maps: Maps) -> Floats:
    """Return the features of each card for being in the next player's hand: an array of n × 52 × features."""
    count = len(facts)
    shape = (count, SUITS, RANKS)
    possible = by_suit(maps.known + maps.unseen)
    near = [shifted(possible, step) for step in (-2, -1, 1, 2)]
    columns: list[Floats] = [
        by_suit(_POINTS),
        _RANK,
        possible.sum(1, keepdims=True) - possible,
        near[0] * near[1] + near[1] * near[2] + near[2] * near[3],
        near[1] + near[2],
    ]
    for cards in (maps.thrown, maps.thrown_recently, maps.refused, maps.refused_recently, maps.taken, maps.known):
        columns += _neighbours(by_suit(cards))
    general = np.array(
        [
            [
                one.stock / 31,
                one.their_turns / 10,
                one.their_size / 10,
                one.taken.bit_count() / 4,
                thrown,
            ]
            for one, thrown in zip(facts, _mean_points(maps.thrown_recently), strict=True)
        ],
        dtype=np.float32,
    )
    columns += [general[:, place, None, None] for place in range(general.shape[1])]
    return np.stack([np.broadcast_to(column, shape) for column in columns], axis=3).reshape(count, CARDS, -1)


def _mean_points(cards: Floats) -> Floats:
    """Return the mean points of the marked cards in each row, in tens."""
    count = cards.sum(1)
    return np.where(count, cards @ _POINTS / np.maximum(count, 1), np.float32(_USUAL))


FEATURES: Final = 5 + 18 + 5


def prior(facts: Sequence[Facts], maps: Maps) -> Floats:
    """Return the log-odds of an unseen card being in the next player's hand if all are equally likely: n × 1."""
    unseen = maps.unseen.sum(1)
    hidden = np.array([one.their_size for one in facts], dtype=np.float32) - maps.known.sum(1)
    share = np.clip(hidden / np.maximum(unseen, 1), 0.01, 0.99)
    return np.log(share / (1 - share)).astype(np.float32)[:, None]


@dataclass(frozen=True)
class Estimate:
    """The network that estimates from a card's features whether the next player holds it."""

    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Weights) -> Estimate:
        """Return the network with these weights."""
        return Estimate(layers_of(weights, "estimate"))

    def held(self, facts: Sequence[Facts], maps: Maps) -> Floats:
        """Return the probability that the next player holds each card: 1 if known, 0 if seen elsewhere."""
        where = np.nonzero(maps.unseen)
        odds = run(self.layers, describe(facts, maps)[where])[-1][:, 0] + prior(facts, maps)[where[0], 0]
        held = maps.known.copy()
        held[where] = chances(odds)
        return held
