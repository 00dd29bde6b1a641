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

from bot.opponent.estimate import Estimate, Maps, by_suit, shifted
from bot.opponent.facts import Facts
from bot.opponent.many_hands import (
    CARDS,
    LIMITS,
    RANKS,
    SUITS,
    Ahead,
    Floats,
    Ints,
    Melding,
    Places,
    listed,
    look_ahead,
    look_ahead_once,
    melding,
    rows,
    spread_rows,
)


class Kind(IntEnum):
    """The kinds of choices."""

    DISCARD, PASS, DRAW, KNOCK = range(4)


CHANNELS: Final = 4
SUIT_INPUTS: Final = CHANNELS * RANKS
RANK_INPUTS: Final = 6 * RANKS
GENERAL: Final = 39
_DEADWOOD: Final = 30
_OWN: Final = 6
"""Number of features about the deadwood of a choice, which precede the ones about the next draw."""


@dataclass(frozen=True)
class Choices:
    """The choices of several positions. `owner` has the index of each choice's position.

    `suits` is n × 4 × 52. For each suit, it has the cards held, the probabilities of the next player's cards, the
    probabilities for the next draw, and the card that the next player may take. `general` are features of the whole
    position.
    """

    owner: Places
    suits: Floats
    general: Floats

    @property
    def now(self) -> Floats:
        """Least deadwood after each choice."""
        return self.general[:, len(Kind)] * _DEADWOOD

    @property
    def goes_out(self) -> Floats:
        """The probability that the next draw lets the player go out."""
        return self.general[:, len(Kind) + _OWN + len(LIMITS)]

    @property
    def danger(self) -> Floats:
        """The probability that the next player could meld the discard; for a knock, the expected number of lay-offs."""
        return self.general[:, -2]

    def inputs(self) -> tuple[Floats, Floats]:
        """Return the two inputs of the network: the features by suit, and all others."""
        return self.suits, np.concatenate((ranks(self.suits), self.general), axis=1)


def ranks(suits: Floats) -> Floats:
    """Return the features of each rank, summed over the suits."""
    cards = suits.reshape(len(suits), SUITS, CHANNELS, RANKS)
    counts = cards.sum(1)
    mine = counts[:, 0]
    return np.concatenate((mine, mine >= 2, mine >= 3, counts[:, 1], counts[:, 2], counts[:, 3]), axis=1).astype(
        np.float32
    )


@dataclass(frozen=True)
class Known:
    """Data about several positions that does not depend on the choice. Rows are positions.

    `held` are the probabilities that the next player holds each card, `drawn` the probabilities of each card for the
    next draw, and `danger` the probabilities that the next player could meld it. `about` are features of the whole
    position.
    """

    facts: Sequence[Facts]
    maps: Maps
    held: Floats
    drawn: Floats
    danger: Floats
    about: Floats
    limits: Ints

    @staticmethod
    def of(facts: Sequence[Facts], estimate: Estimate) -> Known:
        maps = Maps.of(facts)
        held = estimate.held(facts, maps)
        weights = maps.unseen * (1 - held)
        drawn = weights / np.maximum(weights.sum(1, keepdims=True), 1e-6)
        danger = _danger(by_suit(held)).reshape(-1, CARDS)
        limits = np.array([one.knock_limit for one in facts], dtype=np.int32)
        return Known(facts, maps, held, drawn, danger, _about(facts, maps, held), limits)


def _about(facts: Sequence[Facts], maps: Maps, held: Floats) -> Floats:
    cards = by_suit(held)
    points = melding("low").points.astype(np.float32)
    runs = (cards * shifted(cards, 1) * shifted(cards, 2)).sum((1, 2))
    a, b, c, d = cards.transpose(1, 0, 2)
    sets = (a * b * (c + d - c * d) + c * d * (a + b - a * b)).sum(1)
    columns = [
        [one.stock / 31 for one in facts],
        [one.turns / 10 for one in facts],
        [one.their_turns / 10 for one in facts],
        [one.their_size / 10 for one in facts],
        [bool(one.others_size) for one in facts],
        [one.knock_limit / 10 for one in facts],
        [one.taken.bit_count() / 4 for one in facts],
        held @ points / 50,
        held @ (points <= 3) / 3,
        runs,
        sets,
        maps.unseen.sum(1) / 40,
        [min(one.habits.times, 4) / 4 for one in facts],
        [min(one.habits.deals, 8) / 8 for one in facts],
        [_share(one.habits.gins, one.habits.times, 0.3) for one in facts],
        [_share(one.habits.deadwood, one.habits.times, 5) / 10 for one in facts],
        [_share(one.habits.turns, one.habits.times, 8) / 10 for one in facts],
    ]
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _share(part: float, whole: int, usual: float) -> float:
    """Return the ratio of a part to the whole, smoothed towards the usual ratio for small wholes."""
    return (part + usual) / (whole + 1)


def _danger(held: Floats) -> Floats:
    """Return the probability that the next player could meld each card, if their cards were independent."""
    near = [shifted(held, step) for step in (-2, -1, 1, 2)]
    runs = 1 - (1 - near[0] * near[1]) * (1 - near[1] * near[2]) * (1 - near[2] * near[3])
    total, squares, cubes = held.sum(1, keepdims=True), (held**2).sum(1, keepdims=True), 0
    # The probability of holding two or three of the other three cards of the rank.
    one = total - held
    two = (one**2 - (squares - held**2)) / 2
    cubes = (held**3).sum(1, keepdims=True) - held**3
    three = (one**3 - 3 * one * (squares - held**2) + 2 * cubes) / 6
    sets = np.clip(two - 2 * three, 0, 1)
    return 1 - (1 - runs) * (1 - sets)


def discards(known: Known, rules: Melding, which: Places, hands: Ints, held: Places) -> Choices:
    """Return the choices to discard each card of some hands.

    `which` are the indices of the positions, possibly repeated; `hands` are the hands with the new card; `held` are the
    indices of their cards.
    """
    ahead = look_ahead(rules, hands, held, known.drawn[which], known.limits[which])
    size = held.shape[1]
    owner, card = np.repeat(which, size), held.ravel()
    mine = np.repeat(spread_rows(hands), size, axis=0)
    mine[np.arange(len(card)), card] = 0
    tops = np.zeros_like(mine)
    tops[np.arange(len(card)), card] = 1
    general = _general(known, owner, Kind.DISCARD, ahead)
    general[:, -2] = known.danger[owner, card]
    general[:, -1] = rules.points[card] / 10
    return Choices(owner, _suits(known, owner, mine, tops), general)


def waits(known: Known, rules: Melding, which: Places, kind: Kind) -> Choices:
    """Return the choices to pass or draw in some positions."""
    hands = rows([known.facts[place].mine for place in listed(which)])
    ahead = look_ahead_once(rules, hands, known.drawn[which], known.limits[which])
    general = _general(known, which, kind, ahead)
    return Choices(which, _suits(known, which, known.maps.mine[which], known.maps.top[which]), general)


def knocks(known: Known, which: Places, hands: Ints, left: Ints, takes: Floats, points: Ints) -> Choices:
    """Return the choices to knock with some hands. `left` is their deadwood; `takes` marks the cards that fit them."""
    none = np.zeros((len(which), 1, len(LIMITS) + 1), dtype=np.float32)
    ahead = Ahead(left[:, None], none, left[:, None].astype(np.float32))
    general = _general(known, which, Kind.KNOCK, ahead)
    fitting = known.held[which] * takes
    general[:, -2] = fitting.sum(1)
    general[:, -1] = fitting @ points / 10
    mine = spread_rows(hands)
    return Choices(which, _suits(known, which, mine, np.zeros_like(mine)), general)


def join(parts: Sequence[Choices]) -> Choices:
    """Concatenate several groups of choices."""
    return Choices(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.suits for part in parts]),
        np.concatenate([part.general for part in parts]),
    )


def _general(known: Known, owner: Places, kind: Kind, ahead: Ahead) -> Floats:
    now, later, mean = ahead.now.ravel(), ahead.later.reshape(len(owner), -1), ahead.mean.ravel()
    limit = known.limits[owner]
    kinds = np.zeros((len(owner), len(Kind)), dtype=np.float32)
    kinds[:, kind] = 1
    own = np.stack(
        (now / _DEADWOOD, now == 0, now <= limit, now <= limit + 10, mean / _DEADWOOD, (mean - now) / _DEADWOOD), axis=1
    )
    card = np.zeros((len(owner), 2), dtype=np.float32)
    return np.concatenate((kinds, own, later, known.about[owner], card), axis=1, dtype=np.float32)


def _suits(known: Known, owner: Places, mine: Floats, top: Floats) -> Floats:
    stacked = np.stack((mine, known.held[owner], known.drawn[owner] * 10, top), axis=1)
    shaped = stacked.reshape(len(owner), CHANNELS, SUITS, RANKS).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(shaped).reshape(len(owner), SUITS, SUIT_INPUTS)
