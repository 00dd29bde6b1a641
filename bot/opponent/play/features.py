"""Inputs of the value network: positions after a choice, as numbers.

A choice is a discard, a pass, a draw from the stock, or a knock. `Choices` concatenates the choices of several
positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from bot.opponent.play.estimate import Estimate, Maps, by_suit, shift_ranks
from bot.opponent.play.facts import Facts
from bot.opponent.play.hand_arrays import (
    CARDS,
    DEADWOOD_LIMITS,
    RANKS,
    SUITS,
    Floats,
    Indices,
    Ints,
    Lookahead,
    MeldTables,
    hands_to_maps,
    look_ahead,
    look_ahead_without_discard,
    masks_to_hands,
    meld_tables,
    to_list,
)


class Kind(IntEnum):
    """The kinds of choices."""

    DISCARD, PASS, DRAW, KNOCK = range(4)


CHANNELS: Final = 4
SUIT_INPUTS: Final = CHANNELS * RANKS
RANK_INPUTS: Final = 6 * RANKS
GENERAL_INPUTS: Final = 39
_DEADWOOD_SCALE: Final = 30
_DEADWOOD_FEATURES: Final = 6
"""Number of features about the deadwood after a choice. The features about the next draw follow them."""


@dataclass(frozen=True)
class Choices:
    """The choices of several positions. `owner` has the index of each choice's position.

    `suits` has the shape choices × 4 × 52. For each suit, there are four groups of 13 numbers: the cards held, the
    probabilities of the next player's cards, the probabilities for the next draw, and the card that the next player may
    take. `general` are features of the whole position.
    """

    owner: Indices
    suits: Floats
    general: Floats

    @property
    def now(self) -> Floats:
        """The least deadwood after each choice."""
        return self.general[:, len(Kind)] * _DEADWOOD_SCALE

    @property
    def goes_out(self) -> Floats:
        """The probability that the next draw lets the player go out."""
        return self.general[:, len(Kind) + _DEADWOOD_FEATURES + len(DEADWOOD_LIMITS)]

    @property
    def danger(self) -> Floats:
        """The probability that the next player could meld the discard; for a knock, the expected number of lay-offs."""
        return self.general[:, -2]

    def inputs(self) -> tuple[Floats, Floats]:
        """Return the two inputs of the network: the features by suit, and all others."""
        return self.suits, np.concatenate((rank_features(self.suits), self.general), axis=1)


def rank_features(suits: Floats) -> Floats:
    """Return the features of each rank, summed over the suits."""
    cards = suits.reshape(len(suits), SUITS, CHANNELS, RANKS)
    counts = cards.sum(1)
    mine = counts[:, 0]
    return np.concatenate((mine, mine >= 2, mine >= 3, counts[:, 1], counts[:, 2], counts[:, 3]), axis=1).astype(
        np.float32
    )


@dataclass(frozen=True)
class PositionFeatures:
    """Data about several positions that does not depend on the choice, with a row for each position.

    `held` are the probabilities that the next player holds each card, `drawn` the probabilities of each card for the
    next draw, and `danger` the probabilities that the next player could meld each card. `general` are features of the
    whole position.
    """

    facts: Sequence[Facts]
    maps: Maps
    held: Floats
    drawn: Floats
    danger: Floats
    general: Floats
    limits: Ints

    @staticmethod
    def of(facts: Sequence[Facts], estimate: Estimate) -> PositionFeatures:
        maps = Maps.of(facts)
        held = estimate.holding_probabilities(facts, maps)
        weights = maps.unseen * (1 - held)
        drawn = weights / np.maximum(weights.sum(1, keepdims=True), 1e-6)
        danger = _danger(by_suit(held)).reshape(-1, CARDS)
        limits = np.array([fact.knock_limit for fact in facts], dtype=np.int32)
        return PositionFeatures(facts, maps, held, drawn, danger, _general_features(facts, maps, held), limits)


def _general_features(facts: Sequence[Facts], maps: Maps, held: Floats) -> Floats:
    cards = by_suit(held)
    points = meld_tables("low").points.astype(np.float32)
    runs = (cards * shift_ranks(cards, 1) * shift_ranks(cards, 2)).sum((1, 2))
    a, b, c, d = cards.transpose(1, 0, 2)
    sets = (a * b * (c + d - c * d) + c * d * (a + b - a * b)).sum(1)
    columns = [
        [fact.stock / 31 for fact in facts],
        [fact.turns / 10 for fact in facts],
        [fact.next_turns / 10 for fact in facts],
        [fact.next_hand_size / 10 for fact in facts],
        [bool(fact.other_hands_size) for fact in facts],
        [fact.knock_limit / 10 for fact in facts],
        [fact.taken.bit_count() / 4 for fact in facts],
        held @ points / 50,
        held @ (points <= 3) / 3,
        runs,
        sets,
        maps.unseen.sum(1) / 40,
        [min(fact.habits.times_out, 4) / 4 for fact in facts],
        [min(fact.habits.deals, 8) / 8 for fact in facts],
        [_smoothed_ratio(fact.habits.gins, fact.habits.times_out, 0.3) for fact in facts],
        [_smoothed_ratio(fact.habits.deadwood, fact.habits.times_out, 5) / 10 for fact in facts],
        [_smoothed_ratio(fact.habits.turns, fact.habits.times_out, 8) / 10 for fact in facts],
    ]
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _smoothed_ratio(part: float, whole: int, prior: float) -> float:
    """Return the approximate ratio of a part to the whole. If the whole is small, the result is close to `prior`."""
    return (part + prior) / (whole + 1)


def _danger(held: Floats) -> Floats:
    """Return the probability that the next player could meld each card, treating the cards in a hand as independent."""
    near = [shift_ranks(held, step) for step in (-2, -1, 1, 2)]
    runs = 1 - (1 - near[0] * near[1]) * (1 - near[1] * near[2]) * (1 - near[2] * near[3])
    total, squares, cubes = held.sum(1, keepdims=True), (held**2).sum(1, keepdims=True), 0
    # `sets` is the probability that the next player holds at least two of the other three cards of the same rank.
    one = total - held
    two = (one**2 - (squares - held**2)) / 2
    cubes = (held**3).sum(1, keepdims=True) - held**3
    three = (one**3 - 3 * one * (squares - held**2) + 2 * cubes) / 6
    sets = np.clip(two - 2 * three, 0, 1)
    return 1 - (1 - runs) * (1 - sets)


def discard_choices(
    known: PositionFeatures, rules: MeldTables, indices: Indices, hands: Ints, held: Indices
) -> Choices:
    """Return one choice for each card that could be discarded from each of these hands.

    `indices` has the index of each hand's position. The hands include the new card. `held` has the indices of the cards
    in each hand.
    """
    ahead = look_ahead(rules, hands, held, known.drawn[indices], known.limits[indices])
    size = held.shape[1]
    owner, card = np.repeat(indices, size), held.ravel()
    mine = np.repeat(hands_to_maps(hands), size, axis=0)
    mine[np.arange(len(card)), card] = 0
    tops = np.zeros_like(mine)
    tops[np.arange(len(card)), card] = 1
    general = _general(known, owner, Kind.DISCARD, ahead)
    general[:, -2] = known.danger[owner, card]
    general[:, -1] = rules.points[card] / 10
    return Choices(owner, _suits(known, owner, mine, tops), general)


def pass_and_draw_choices(known: PositionFeatures, rules: MeldTables, which: Indices, kind: Kind) -> Choices:
    """Return one choice, a pass or a draw (`kind`), for each of the positions whose indices are `which`."""
    hands = masks_to_hands([known.facts[index].own_cards for index in to_list(which)])
    ahead = look_ahead_without_discard(rules, hands, known.drawn[which], known.limits[which])
    general = _general(known, which, kind, ahead)
    return Choices(which, _suits(known, which, known.maps.own_cards[which], known.maps.top[which]), general)


def knock_choices(
    known: PositionFeatures, indices: Indices, hands: Ints, left: Ints, takes: Floats, points: Ints
) -> Choices:
    """Return one choice, a knock, for each of these hands.

    `indices` has the index of each hand's position, and `left` the hand's deadwood. `takes` marks the cards that
    opponents could lay off on the hand.
    """
    none = np.zeros((len(indices), 1, len(DEADWOOD_LIMITS) + 1), dtype=np.float32)
    ahead = Lookahead(left[:, None], none, left[:, None].astype(np.float32))
    general = _general(known, indices, Kind.KNOCK, ahead)
    fitting = known.held[indices] * takes
    general[:, -2] = fitting.sum(1)
    general[:, -1] = fitting @ points / 10
    mine = hands_to_maps(hands)
    return Choices(indices, _suits(known, indices, mine, np.zeros_like(mine)), general)


def join(parts: Sequence[Choices]) -> Choices:
    """Concatenate several groups of choices."""
    return Choices(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.suits for part in parts]),
        np.concatenate([part.general for part in parts]),
    )


def _general(known: PositionFeatures, owner: Indices, kind: Kind, ahead: Lookahead) -> Floats:
    now, later, mean = ahead.now.ravel(), ahead.later.reshape(len(owner), -1), ahead.mean.ravel()
    limit = known.limits[owner]
    kinds = np.zeros((len(owner), len(Kind)), dtype=np.float32)
    kinds[:, kind] = 1
    own = np.stack(
        (
            now / _DEADWOOD_SCALE,
            now == 0,
            now <= limit,
            now <= limit + 10,
            mean / _DEADWOOD_SCALE,
            (mean - now) / _DEADWOOD_SCALE,
        ),
        axis=1,
    )
    card = np.zeros((len(owner), 2), dtype=np.float32)
    return np.concatenate((kinds, own, later, known.general[owner], card), axis=1, dtype=np.float32)


def _suits(known: PositionFeatures, owner: Indices, mine: Floats, top: Floats) -> Floats:
    stacked = np.stack((mine, known.held[owner], known.drawn[owner] * 10, top), axis=1)
    shaped = stacked.reshape(len(owner), CHANNELS, SUITS, RANKS).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(shaped).reshape(len(owner), SUITS, SUIT_INPUTS)
