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

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import Aces, least_by_runs, points

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

SUITS: Final = 4
RANKS: Final = 13
CARDS: Final = SUITS * RANKS
CARDS_BY_INDEX: Final = tuple(sorted(DECK, key=lambda card: (card.suit, card.rank)))
"""The card at each index."""
_BITS: Final = np.arange(CARDS, dtype=np.uint64)
_RANK_BITS: Final = 1 << np.arange(RANKS, dtype=np.int32)


def to_list(numbers: Ints | Indices) -> list[int]:
    """Return a row of numbers as a list."""
    return cast(list[int], numbers.tolist())


def index_of(card: Card) -> int:
    """Return the index of a card, from 0 to 51."""
    return int(card.suit) * RANKS + int(card.rank) - 1


def mask_of(hand: Hand) -> int:
    """Return a hand as a bit mask in which bit n is the card at index n."""
    return hand >> CARDS


def cards_of(mask: int) -> list[Card]:
    """Return the cards of a mask."""
    return [card for index, card in enumerate(CARDS_BY_INDEX) if mask >> index & 1]


def masks_to_maps(masks: list[int]) -> Floats:
    """Return a row of 52 ones and zeros for each mask."""
    column = np.array(masks, dtype=np.uint64)[:, None]
    return (column >> _BITS & np.uint64(1)).astype(np.float32)


def masks_to_hands(masks: list[int]) -> Ints:
    """Return the hand of each mask, as a row of four numbers."""
    column = np.array(masks, dtype=np.int64)[:, None]
    return (column >> np.arange(0, CARDS, RANKS) & (1 << RANKS) - 1).astype(np.int32)


def hands_to_maps(hands: Ints) -> Floats:
    """Return a row of 52 ones and zeros for each hand."""
    return (hands[:, :, None] & _RANK_BITS != 0).reshape(-1, CARDS).astype(np.float32)


SINGLE_CARD_HANDS: Final = masks_to_hands([1 << place for place in range(CARDS)])
"""For each of the 52 cards, the hand that has only this card."""


@cache
def meld_tables(aces: Aces) -> MeldTables:
    """Return the cached `MeldTables` for a value of the rules' `aces`."""
    return MeldTables(aces)


@dataclass(frozen=True)
class MeldTables:
    """Lookup tables for melds and deadwood, for one value of the rules' `aces`."""

    aces: Aces

    @cached_property
    def points(self) -> npt.NDArray[np.int32]:
        """The deadwood points of each of the 52 cards."""
        return np.array([points((card,), self.aces) for card in CARDS_BY_INDEX], dtype=np.int32)

    @cached_property
    def _least_by_runs(self) -> npt.NDArray[np.int32]:
        return np.array(least_by_runs(self.aces), dtype=np.int32)

    @cached_property
    def _joins_run(self) -> npt.NDArray[np.int32]:
        """For each subset of a suit, the other cards that would form a run with part of it."""
        least, single = self._least_by_runs, self.points[:RANKS]
        subsets = np.arange(1 << RANKS)
        joins = np.zeros(1 << RANKS, dtype=np.int32)
        for rank in range(RANKS):
            bit = 1 << rank
            separate = least[subsets & ~bit] + single[rank]
            joins[(subsets & bit == 0) & (least[subsets | bit] < separate)] |= bit
        return joins

    def least_deadwood(self, hands: Ints) -> Ints:
        """Return the least deadwood of each hand, like `bot.engine.cards.melds.least_deadwood` for one hand."""
        by_runs = self._least_by_runs
        least = by_runs[hands[:, 0]] + by_runs[hands[:, 1]] + by_runs[hands[:, 2]] + by_runs[hands[:, 3]]
        triples = _triples(hands)
        owners = np.flatnonzero(triples)
        hands, triples = hands[owners], triples[owners]
        while owners.size:
            rank: Ints = np.bitwise_and(triples, np.negative(triples))
            others: Ints = triples ^ rank
            of_rank: Ints = hands & rank[:, None]
            without_rank: Ints = hands ^ of_rank
            ways, way_owners, way_others = without_rank, owners, others
            four = np.flatnonzero((of_rank != 0).all(1))
            if four.size:
                # With all four cards of a rank, also try each set of three, keeping the fourth card in the hand.
                threes = without_rank[four, None, :] | np.eye(SUITS, dtype=np.int32) * rank[four, None, None]
                ways = np.concatenate((ways, threes.reshape(-1, SUITS)))
                way_owners = np.concatenate((way_owners, np.repeat(owners[four], SUITS)))
                way_others = np.concatenate((way_others, np.repeat(others[four], SUITS)))
            deadwood = by_runs[ways[:, 0]] + by_runs[ways[:, 1]] + by_runs[ways[:, 2]] + by_runs[ways[:, 3]]
            np.minimum.at(least, way_owners, deadwood)
            more, way_more = np.flatnonzero(others), np.flatnonzero(way_others)
            hands = np.concatenate((hands[more], ways[way_more]))
            triples = np.concatenate((others[more], way_others[way_more]))
            owners = np.concatenate((owners[more], way_owners[way_more]))
        return least

    def joining_cards(self, hands: Ints) -> Floats:
        """Return a row of 52 for each hand: 1 for each other card that would form a meld with part of it."""
        c, d, h, s = hands.T
        pairs = c & d | (c | d) & (h | s) | h & s
        fitting = (self._joins_run[hands] | pairs[:, None]) & ~hands
        return hands_to_maps(fitting)


def _triples(hands: Ints) -> Ints:
    """Return, for each hand, the ranks in which it has three or four cards."""
    c, d, h, s = hands.T
    return c & d & (h | s) | h & s & (c | d)


@dataclass(frozen=True)
class Lookahead:
    """The deadwood of hands that are about to discard, now and after one more draw.

    The first axis has the hands, the second the possible discards in the order of card indices. `now` is the least
    deadwood after each discard. `mean` is the average deadwood after the next draw and discard, and `later` has the
    probability that this deadwood is within each limit: first the `DEADWOOD_LIMITS`, then the deal's knock limit.
    """

    now: Ints
    later: Floats
    mean: Floats


DEADWOOD_LIMITS: Final = np.array([0, 3, 6, 10, 15, 20, 27, 35, 45], dtype=np.int32)


@cache
def _pairs(size: int) -> tuple[Indices, Indices]:
    """Return all pairs of numbers below `size`, and for each number the indices of the pairs that contain it."""
    pairs = list(combinations(range(size), 2))
    pairs_of_card = [[index for index, pair in enumerate(pairs) if card in pair] for card in range(size)]
    return np.array(pairs, dtype=np.intp), np.array(pairs_of_card, dtype=np.intp)


def look_ahead(rules: MeldTables, hands: Ints, held: Indices, weights: Floats, knock_limits: Ints) -> Lookahead:
    """Return the deadwood of hands after each possible discard, and after the next draw and another discard.

    `held` are the indices of each hand's cards, equally many for all hands. `weights` are the probabilities of the 52
    cards for the next draw, and sum to 1 for each hand. `knock_limits` has the knock limit of each hand's deal.
    """
    count, size = held.shape
    singles = SINGLE_CARD_HANDS[held]
    now = rules.least_deadwood((hands[:, None, :] ^ singles).reshape(-1, SUITS)).reshape(count, size)
    pairs, of_card = _pairs(size)
    twos = hands[:, None, :] ^ singles[:, pairs[:, 0]] ^ singles[:, pairs[:, 1]]
    return _look_ahead(rules, hands, now, twos, lambda left: left[:, of_card].min(2), weights, knock_limits)


def look_ahead_without_discard(rules: MeldTables, hands: Ints, weights: Floats, knock_limits: Ints) -> Lookahead:
    """Return the `Lookahead` of hands from which no card is discarded before the next draw.

    Its second axis has a single entry instead of one for each discard. `weights` and `knock_limits` are as in
    `look_ahead`.
    """
    owners, held = np.nonzero(hands_to_maps(hands))
    ones = (hands[owners] ^ SINGLE_CARD_HANDS[held]).reshape(len(hands), -1, SUITS)
    now = rules.least_deadwood(hands)[:, None]
    return _look_ahead(rules, hands, now, ones, lambda left: left.min(1)[:, None], weights, knock_limits)


def _look_ahead(
    rules: MeldTables,
    hands: Ints,
    now: Ints,
    kept_cards: Ints,
    least_by_discard: Callable[[Ints], Ints],
    weights: Floats,
    knock_limits: Ints,
) -> Lookahead:
    """Return the `Lookahead` of hands, given their deadwood `now` after each possible discard of this turn.

    `kept_cards` has every remainder of each hand after one discard, or after two if a card is discarded this turn too.
    `least_by_discard` gets the deadwood of each remainder, with or without the card drawn in the next turn, and returns
    the least deadwood for each discard of this turn.
    """
    count, size = now.shape

    def least_after(draws: Ints) -> Ints:
        return least_by_discard(rules.least_deadwood(draws.reshape(-1, SUITS)).reshape(draws.shape[:2]))

    joining = rules.joining_cards(hands) * (weights > 0)
    without = least_after(kept_cards)
    later = np.zeros((count, size, len(DEADWOOD_LIMITS) + 1), dtype=np.float32)
    mean = np.zeros((count, size), dtype=np.float32)
    limits = np.concatenate(
        (np.broadcast_to(DEADWOOD_LIMITS, (count, len(DEADWOOD_LIMITS))), knock_limits[:, None]), axis=1
    )
    # A card that forms no meld is deadwood, so at best it replaces a more expensive card.
    unmelded = weights * (1 - joining)
    for value in np.unique(rules.points):
        weight = unmelded[:, rules.points == value].sum(1)
        deadwood: Ints = np.minimum(now, without + value)
        later += (deadwood[:, :, None] <= limits[:, None, :]) * weight[:, None, None]
        mean += deadwood * weight[:, None]
    owners: Indices
    owners, drawn = np.nonzero(joining)
    deadwood = np.minimum(least_after(kept_cards[owners] | SINGLE_CARD_HANDS[drawn][:, None]), now[owners])
    weight = weights[owners, drawn]
    index: Indices = (owners * size).reshape(-1, 1) + np.arange(size, dtype=np.intp)
    order = np.searchsorted(DEADWOOD_LIMITS, deadwood)
    cells = _sums(index * (len(DEADWOOD_LIMITS) + 1) + order, weight[:, None], (count, size, len(DEADWOOD_LIMITS) + 1))
    later[:, :, :-1] += cells[:, :, :-1].cumsum(2)
    later[:, :, -1] += _sums(index, (deadwood <= knock_limits[owners, None]) * weight[:, None], (count, size))
    mean += _sums(index, deadwood * weight[:, None], (count, size))
    return Lookahead(now, later, mean)


def _sums(cells: Indices, weights: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array of this shape with the sum of the weights that belong to each cell.

    `cells` has, for each weight, the index of its cell in the flattened array.
    """
    spread_out = np.broadcast_to(weights, cells.shape)
    return np.bincount(cells.ravel(), spread_out.ravel(), np.prod(shape)).reshape(shape).astype(np.float32)
