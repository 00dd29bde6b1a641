"""Arrays of many hands: their least deadwood, and the effect of one more card.

A hand is a row of four numbers, one for each suit, in which bit 0 is the ace and bit 12 the king. The 52 cards are
ordered by suit: the index of a card is 13 × suit + rank - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from bot.engine.cards import DECK, Card, Hand
from bot.engine.melds import Aces, least_by_runs, points

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]

SUITS: Final = 4
RANKS: Final = 13
CARDS: Final = SUITS * RANKS
CARD_AT: Final = tuple(sorted(DECK, key=lambda card: (card.suit, card.rank)))
"""The card at each index."""
_BITS: Final = np.arange(CARDS, dtype=np.uint64)
_RANK_BITS: Final = 1 << np.arange(RANKS, dtype=np.int32)


def listed(numbers: Ints | Places) -> list[int]:
    """Return a row of numbers as a list."""
    return cast(list[int], numbers.tolist())


def place_of(card: Card) -> int:
    """Return the index of a card among the 52."""
    return int(card.suit) * RANKS + int(card.rank) - 1


def mask_of(hand: Hand) -> int:
    """Return a hand as a bit mask in which bit n is the card at index n."""
    return hand >> CARDS


def cards_of(mask: int) -> list[Card]:
    """Return the cards of a mask."""
    return [card for place, card in enumerate(CARD_AT) if mask >> place & 1]


def spread(masks: list[int]) -> Floats:
    """Return a row of 52 ones and zeros for each mask."""
    column = np.array(masks, dtype=np.uint64)[:, None]
    return (column >> _BITS & np.uint64(1)).astype(np.float32)


def rows(masks: list[int]) -> Ints:
    """Return the hands of masks, as rows of four."""
    column = np.array(masks, dtype=np.int64)[:, None]
    return (column >> np.arange(0, CARDS, RANKS) & (1 << RANKS) - 1).astype(np.int32)


def spread_rows(hands: Ints) -> Floats:
    """Return a row of 52 ones and zeros for each hand."""
    return (hands[:, :, None] & _RANK_BITS != 0).reshape(-1, CARDS).astype(np.float32)


SINGLE: Final = rows([1 << place for place in range(CARDS)])
"""Hands of one card, for each of the 52."""


@cache
def melding(aces: Aces) -> Melding:
    """Return the cached tables for a value of the rules' `aces`."""
    return Melding(aces)


@dataclass(frozen=True)
class Melding:
    """Tables of runs for one value of the rules' `aces`."""

    aces: Aces

    @cached_property
    def points(self) -> npt.NDArray[np.int32]:
        """The deadwood points of each of the 52 cards."""
        return np.array([points((card,), self.aces) for card in CARD_AT], dtype=np.int32)

    @cached_property
    def _left_by_runs(self) -> npt.NDArray[np.int32]:
        return np.array(least_by_runs(self.aces), dtype=np.int32)

    @cached_property
    def _joins_run(self) -> npt.NDArray[np.int32]:
        """For each subset of a suit, the other cards that would form a run with part of it."""
        left, single = self._left_by_runs, self.points[:RANKS]
        subsets = np.arange(1 << RANKS)
        joins = np.zeros(1 << RANKS, dtype=np.int32)
        for rank in range(RANKS):
            bit = 1 << rank
            apart = left[subsets & ~bit] + single[rank]
            joins[(subsets & bit == 0) & (left[subsets | bit] < apart)] |= bit
        return joins

    def least_deadwood(self, hands: Ints) -> Ints:
        """Return the least deadwood of each hand, like `bot.engine.melds.least_deadwood` for one hand."""
        left = self._left_by_runs
        least = left[hands[:, 0]] + left[hands[:, 1]] + left[hands[:, 2]] + left[hands[:, 3]]
        triples = _triples(hands)
        owners = np.flatnonzero(triples)
        hands, triples = hands[owners], triples[owners]
        while owners.size:
            rank: Ints = np.bitwise_and(triples, np.negative(triples))
            others: Ints = triples ^ rank
            kept: Ints = hands & rank[:, None]
            laid: Ints = hands ^ kept
            ways, way_owners, way_others = laid, owners, others
            four = np.flatnonzero((kept != 0).all(1))
            if four.size:
                # Also try sets of three of the four cards, keeping the fourth in the hand.
                threes = laid[four, None, :] | np.eye(SUITS, dtype=np.int32) * rank[four, None, None]
                ways = np.concatenate((ways, threes.reshape(-1, SUITS)))
                way_owners = np.concatenate((way_owners, np.repeat(owners[four], SUITS)))
                way_others = np.concatenate((way_others, np.repeat(others[four], SUITS)))
            found = left[ways[:, 0]] + left[ways[:, 1]] + left[ways[:, 2]] + left[ways[:, 3]]
            np.minimum.at(least, way_owners, found)
            more, way_more = np.flatnonzero(others), np.flatnonzero(way_others)
            hands = np.concatenate((hands[more], ways[way_more]))
            triples = np.concatenate((others[more], way_others[way_more]))
            owners = np.concatenate((owners[more], way_owners[way_more]))
        return least

    def joins(self, hands: Ints) -> Floats:
        """Return a row of 52 for each hand: 1 for each other card that would form a meld with part of it."""
        c, d, h, s = hands.T
        pairs = c & d | (c | d) & (h | s) | h & s
        fitting = (self._joins_run[hands] | pairs[:, None]) & ~hands
        return spread_rows(fitting)


def _triples(hands: Ints) -> Ints:
    """Return the ranks of which each hand has three or four cards."""
    c, d, h, s = hands.T
    return c & d & (h | s) | h & s & (c | d)


@dataclass(frozen=True)
class Ahead:
    """The deadwood of hands that are about to discard, now and after one more draw.

    The second axis has the discards, in the order of card indices. `now` is the least deadwood after each discard.
    `later` has, for each discard, the probability that the next draw and discard bring the deadwood to at most each of
    the `LIMITS` and, last, the deal's knock limit. `mean` is the average of that deadwood.
    """

    now: Ints
    later: Floats
    mean: Floats


LIMITS: Final = np.array([0, 3, 6, 10, 15, 20, 27, 35, 45], dtype=np.int32)


@cache
def _pairs(size: int) -> tuple[Places, Places]:
    """Return all pairs of indices below `size`, and for each index the indices of its pairs."""
    pairs = list(combinations(range(size), 2))
    of_card = [[place for place, pair in enumerate(pairs) if card in pair] for card in range(size)]
    return np.array(pairs, dtype=np.intp), np.array(of_card, dtype=np.intp)


def look_ahead(rules: Melding, hands: Ints, held: Places, weights: Floats, knock_limits: Ints) -> Ahead:
    """Return the deadwood after each discard, and the effect of the draw after it.

    `held` are the indices of each hand's cards, equally many for all hands. `weights` are the probabilities of the 52
    cards for the next draw, and sum to 1 for each hand. `knock_limits` are the limits of their deals.
    """
    count, size = held.shape
    singles = SINGLE[held]
    now = rules.least_deadwood((hands[:, None, :] ^ singles).reshape(-1, SUITS)).reshape(count, size)
    pairs, of_card = _pairs(size)
    twos = hands[:, None, :] ^ singles[:, pairs[:, 0]] ^ singles[:, pairs[:, 1]]
    return _ahead(rules, hands, now, twos, lambda left: left[:, of_card].min(2), weights, knock_limits)


def look_ahead_once(rules: Melding, hands: Ints, weights: Floats, knock_limits: Ints) -> Ahead:
    """Return the same for hands without a first discard. The second axis has length 1."""
    owners, held = np.nonzero(spread_rows(hands))
    ones = (hands[owners] ^ SINGLE[held]).reshape(len(hands), -1, SUITS)
    now = rules.least_deadwood(hands)[:, None]
    return _ahead(rules, hands, now, ones, lambda left: left.min(1)[:, None], weights, knock_limits)


def _ahead(
    rules: Melding,
    hands: Ints,
    now: Ints,
    fewer: Ints,
    least: Callable[[Ints], Ints],
    weights: Floats,
    knock_limits: Ints,
) -> Ahead:
    """Return the effect of a draw on hands with the deadwood `now`, by the first discard on the second axis.

    `fewer` are the hands after each possible second discard of an old card. `least` maps their deadwood to the least
    for each first discard.
    """
    count, size = now.shape

    def after(draws: Ints) -> Ints:
        return least(rules.least_deadwood(draws.reshape(-1, SUITS)).reshape(draws.shape[:2]))

    joining = rules.joins(hands) * (weights > 0)
    without = after(fewer)
    later = np.zeros((count, size, len(LIMITS) + 1), dtype=np.float32)
    mean = np.zeros((count, size), dtype=np.float32)
    limits = np.concatenate((np.broadcast_to(LIMITS, (count, len(LIMITS))), knock_limits[:, None]), axis=1)
    # A card that forms no meld is deadwood, so at best it replaces a more expensive card.
    apart = weights * (1 - joining)
    for value in np.unique(rules.points):
        weight = apart[:, rules.points == value].sum(1)
        left: Ints = np.minimum(now, without + value)
        later += (left[:, :, None] <= limits[:, None, :]) * weight[:, None, None]
        mean += left * weight[:, None]
    owners: Places
    owners, drawn = np.nonzero(joining)
    left = np.minimum(after(fewer[owners] | SINGLE[drawn][:, None]), now[owners])
    weight = weights[owners, drawn]
    index: Places = (owners * size).reshape(-1, 1) + np.arange(size, dtype=np.intp)
    order = np.searchsorted(LIMITS, left)
    cells = _sums(index * (len(LIMITS) + 1) + order, weight[:, None], (count, size, len(LIMITS) + 1))
    later[:, :, :-1] += cells[:, :, :-1].cumsum(2)
    later[:, :, -1] += _sums(index, (left <= knock_limits[owners, None]) * weight[:, None], (count, size))
    mean += _sums(index, left * weight[:, None], (count, size))
    return Ahead(now, later, mean)


def _sums(cells: Places, weights: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array of this shape with the sum of the weights in each cell."""
    spread_out = np.broadcast_to(weights, cells.shape)
    return np.bincount(cells.ravel(), spread_out.ravel(), np.prod(shape)).reshape(shape).astype(np.float32)
