"""An estimate of the next player's hand: the probability that they hold each unseen card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.opponent.play.facts import Facts
from bot.opponent.play.hand_arrays import CARDS, RANKS, SUITS, Floats, masks_to_maps, meld_tables
from bot.opponent.play.network import Dense, Weights, layers_of, run, sigmoid


@dataclass(frozen=True)
class Maps:
    """Binary maps of the 52 cards, one for each kind of fact. Each map has a row for each of several positions."""

    own_cards: Floats
    known: Floats
    pile: Floats
    unseen: Floats
    top: Floats
    discarded: Floats
    discarded_recently: Floats
    refused: Floats
    refused_recently: Floats
    taken: Floats

    @staticmethod
    def of(facts: Sequence[Facts]) -> Maps:
        everything = (1 << CARDS) - 1
        columns: list[list[int]] = [
            [fact.own_cards for fact in facts],
            [fact.known for fact in facts],
            [fact.pile for fact in facts],
            [everything & ~(fact.own_cards | fact.known | fact.known_elsewhere | fact.pile) for fact in facts],
            [1 << fact.top if fact.top >= 0 else 0 for fact in facts],
            [fact.discarded for fact in facts],
            [fact.discarded_recently for fact in facts],
            [fact.refused for fact in facts],
            [fact.refused_recently for fact in facts],
            [fact.taken for fact in facts],
        ]
        return Maps(
            *masks_to_maps([mask for column in columns for mask in column]).reshape(len(columns), len(facts), CARDS)
        )


def by_suit(cards: Floats) -> Floats:
    """Reshape rows of 52 cards to four rows of 13."""
    return cards.reshape(-1, SUITS, RANKS)


def shift_ranks(cards: Floats, offset: int) -> Floats:
    """Return for each card the value of the card `offset` ranks above it in its suit, or 0 if there is none."""
    result = np.zeros_like(cards)
    if offset > 0:
        result[:, :, :-offset] = cards[:, :, offset:]
    else:
        result[:, :, -offset:] = cards[:, :, :offset]
    return result


def _neighbours(cards: Floats) -> list[Floats]:
    """Count the neighbours of each card in a map: of its rank, one rank away in its suit, and two ranks away."""
    same_rank = cards.sum(1, keepdims=True) - cards
    return [same_rank, shift_ranks(cards, 1) + shift_ranks(cards, -1), shift_ranks(cards, 2) + shift_ranks(cards, -2)]


_POINTS: Final[Floats] = np.divide(meld_tables("low").points, 10, dtype=np.float32)
"""The points of each of the 52 cards, divided by ten."""
_DEFAULT_MEAN_POINTS: Final = 0.6
"""Assumed mean points of the next player's discards, divided by ten, before their first discard."""
_RANK: Final = np.arange(RANKS, dtype=np.float32) / 12


def card_features(facts: Sequence[Facts], maps: Maps) -> Floats:
    """Return features of each card for estimating whether the next player holds it.

    The result is an array of positions × 52 × features.
    """
    count = len(facts)
    shape = (count, SUITS, RANKS)
    possible = by_suit(maps.known + maps.unseen)
    near = [shift_ranks(possible, step) for step in (-2, -1, 1, 2)]
    columns: list[Floats] = [
        by_suit(_POINTS),
        _RANK,
        possible.sum(1, keepdims=True) - possible,
        near[0] * near[1] + near[1] * near[2] + near[2] * near[3],
        near[1] + near[2],
    ]
    for cards in (maps.discarded, maps.discarded_recently, maps.refused, maps.refused_recently, maps.taken, maps.known):
        columns += _neighbours(by_suit(cards))
    position_features = np.array(
        [
            [
                fact.stock / 31,
                fact.next_turns / 10,
                fact.next_hand_size / 10,
                fact.taken.bit_count() / 4,
                thrown,
            ]
            for fact, thrown in zip(facts, _mean_points(maps.discarded_recently), strict=True)
        ],
        dtype=np.float32,
    )
    columns += [position_features[:, index, None, None] for index in range(position_features.shape[1])]
    return np.stack([np.broadcast_to(column, shape) for column in columns], axis=3).reshape(count, CARDS, -1)


def _mean_points(cards: Floats) -> Floats:
    """Return the mean points of the cards in each row of a map, divided by ten."""
    count = cards.sum(1)
    return np.where(count, cards @ _POINTS / np.maximum(count, 1), np.float32(_DEFAULT_MEAN_POINTS))


FEATURE_COUNT: Final = 5 + 18 + 5


def prior(facts: Sequence[Facts], maps: Maps) -> Floats:
    """Return the log-odds that the next player holds an unseen card, if all unseen cards are equally likely.

    The result is an array of positions × 1.
    """
    unseen = maps.unseen.sum(1)
    hidden = np.array([fact.next_hand_size for fact in facts], dtype=np.float32) - maps.known.sum(1)
    probability = np.clip(hidden / np.maximum(unseen, 1), 0.01, 0.99)
    return np.log(probability / (1 - probability)).astype(np.float32)[:, None]


@dataclass(frozen=True)
class Estimate:
    """The network that estimates from a card's features whether the next player holds it."""

    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Weights) -> Estimate:
        """Return the network with these weights."""
        return Estimate(layers_of(weights, "estimate"))

    def holding_probabilities(self, facts: Sequence[Facts], maps: Maps) -> Floats:
        """Return the probability that the next player holds each card: 1 or 0 if it is known where the card is."""
        unseen = np.nonzero(maps.unseen)
        odds = run(self.layers, card_features(facts, maps)[unseen])[-1][:, 0] + prior(facts, maps)[unseen[0], 0]
        probabilities = maps.known.copy()
        probabilities[unseen] = sigmoid(odds)
        return probabilities
