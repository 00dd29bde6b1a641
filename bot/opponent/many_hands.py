"""Many hands at once as arrays: their least deadwood, and what one more card would make of it.

A hand is a row of four numbers, one for each suit, in which bit 0 is the ace and bit 12 the king. The 52 cards are in
the order of their suits: place 13 × suit + rank - 1.
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
"""The card in each place."""
_BITS: Final = np.arange(CARDS, dtype=np.uint64)
_RANK_BITS: Final = 1 << np.arange(RANKS, dtype=np.int32)


def listed(numbers: Ints | Places) -> list[int]:
    """Return a row of numbers as a list."""
    return cast(list[int], numbers.tolist())


def place_of(card: Card) -> int:
    """Return the place of a card among the 52."""
    return int(card.suit) * RANKS + int(card.rank) - 1


def mask_of(hand: Hand) -> int:
    """Return a hand as one number, in which bit n is the card in place n."""
    return hand >> CARDS


def cards_of(mask: int) -> list[Card]:
    """Return the cards of a number as `mask_of` makes it."""
    return [card for place, card in enumerate(CARD_AT) if mask >> place & 1]


def spread(masks: list[int]) -> Floats:
    """Return a row of 52 ones and zeros for each number that `mask_of` makes."""
    column = np.array(masks, dtype=np.uint64)[:, None]
    return (column >> _BITS & np.uint64(1)).astype(np.float32)


def rows(masks: list[int]) -> Ints:
    """Return the hands of numbers that `mask_of` makes, as rows of four."""
    column = np.array(masks, dtype=np.int64)[:, None]
    return (column >> np.arange(0, CARDS, RANKS) & (1 << RANKS) - 1).astype(np.int32)


def spread_rows(hands: Ints) -> Floats:
    """Return a row of 52 ones and zeros for each hand."""
    return (hands[:, :, None] & _RANK_BITS != 0).reshape(-1, CARDS).astype(np.float32)


SINGLE: Final = rows([1 << place for place in range(CARDS)])
"""Each of the 52 cards as a hand."""


@cache
def melding(aces: Aces) -> Melding:
    """Return what is known of melds where aces have these places."""
    return Melding(aces)


@dataclass(frozen=True)
class Melding:
    """The tables of runs for one place of aces."""

    aces: Aces

    @cached_property
    def points(self) -> npt.NDArray[np.int32]:
        """The points of each of the 52 cards in deadwood."""
        return np.array([points((card,), self.aces) for card in CARD_AT], dtype=np.int32)

    @cached_property
    def _left_by_runs(self) -> npt.NDArray[np.int32]:
        return np.array(least_by_runs(self.aces), dtype=np.int32)

    @cached_property
    def _joins_run(self) -> npt.NDArray[np.int32]:
        """For each subset of a suit, the other cards that would be in a run with some of it."""
        left, single = self._left_by_runs, self.points[:RANKS]
        subsets = np.arange(1 << RANKS)
        joins = np.zeros(1 << RANKS, dtype=np.int32)
        for rank in range(RANKS):
            bit = 1 << rank
            apart = left[subsets & ~bit] + single[rank]
            joins[(subsets & bit == 0) & (left[subsets | bit] < apart)] |= bit
        return joins

    def least_deadwood(self, hands: Ints) -> Ints:
        """Return the least deadwood of each hand, as `bot.engine.melds.least_deadwood` does for one."""
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
                # A set of three of the four: the fourth stays.
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
        """Return a row of 52 for each hand: 1 for each other card that would be in a meld with some of it."""
        c, d, h, s = hands.T
        pairs = c & d | (c | d) & (h | s) | h & s
        fitting = (self._joins_run[hands] | pairs[:, None]) & ~hands
        return spread_rows(fitting)


def _triples(hands: Ints) -> Ints:
    """Return the ranks of which each hand has three or four."""
    c, d, h, s = hands.T
    return c & d & (h | s) | h & s & (c | d)


@dataclass(frozen=True)
class Ahead:
    """The deadwood of hands that one card is to be discarded from, now and after one more draw.

    The second axis are the discards, in the order of places. `now` is the least deadwood that each leaves. `later` has
    for each discard the weight of the cards that would bring the deadwood, after the next discard, to at most each of
    the `LIMITS` and, last, the limit of the deal, and `mean` that deadwood on average.
    """

    now: Ints
    later: Floats
    mean: Floats


LIMITS: Final = np.array([0, 3, 6, 10, 15, 20, 27, 35, 45], dtype=np.int32)


@cache
def _pairs(size: int) -> tuple[Places, Places]:
    """Return the pairs among so many cards, and for each card the places of the pairs that it is in."""
    pairs = list(combinations(range(size), 2))
    of_card = [[place for place, pair in enumerate(pairs) if card in pair] for card in range(size)]
    return np.array(pairs, dtype=np.intp), np.array(of_card, dtype=np.intp)


def look_ahead(rules: Melding, hands: Ints, held: Places, weights: Floats, knock_limits: Ints) -> Ahead:
    """Return what each discard leaves, and what the draw after it may bring.

    `held` are the places of each hand's cards, the same number for each. `weights` are the chances of the 52 cards to
    be drawn next, which sum to 1 for each hand. `knock_limits` are those of their deals.
    """
    count, size = held.shape
    singles = SINGLE[held]
    now = rules.least_deadwood((hands[:, None, :] ^ singles).reshape(-1, SUITS)).reshape(count, size)
    pairs, of_card = _pairs(size)
    twos = hands[:, None, :] ^ singles[:, pairs[:, 0]] ^ singles[:, pairs[:, 1]]
    return _ahead(rules, hands, now, twos, lambda left: left[:, of_card].min(2), weights, knock_limits)


def look_ahead_once(rules: Melding, hands: Ints, weights: Floats, knock_limits: Ints) -> Ahead:
    """Return the same for hands that nothing is discarded from first: the second axis has one place."""
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
    """Return what a draw brings to hands that leave `now`, by the discards before it on the second axis.

    `fewer` are the ways to discard then, by hand: without these cards, whatever is drawn stays. `least` returns, of the
    deadwood that those leave, the least by the discards before.
    """
    count, size = now.shape

    def after(draws: Ints) -> Ints:
        return least(rules.least_deadwood(draws.reshape(-1, SUITS)).reshape(draws.shape[:2]))

    joining = rules.joins(hands) * (weights > 0)
    without = after(fewer)
    later = np.zeros((count, size, len(LIMITS) + 1), dtype=np.float32)
    mean = np.zeros((count, size), dtype=np.float32)
    limits = np.concatenate((np.broadcast_to(LIMITS, (count, len(LIMITS))), knock_limits[:, None]), axis=1)
    # A card that joins nothing is deadwood, and takes the place of a worse one at best.
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
    """Return the sum of the weights that fall into each cell of an array of this shape."""
    spread_out = np.broadcast_to(weights, cells.shape)
    return np.bincount(cells.ravel(), spread_out.ravel(), np.prod(shape)).reshape(shape).astype(np.float32)
