"""Array operations on many hands agree with the engine's functions for one hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from bot.engine.cards.cards import DECK, Hand
from bot.engine.cards.melds import Aces, least_deadwood, melds_in
from bot.opponent.play.hand_arrays import (
    CARDS,
    CARDS_BY_INDEX,
    DEADWOOD_LIMITS,
    Floats,
    index_of,
    look_ahead,
    look_ahead_without_discard,
    mask_of,
    masks_to_hands,
    masks_to_maps,
    meld_tables,
    to_list,
)
from tests.helpers.cases import thorough_after

ACES: tuple[Aces, ...] = ("low", "high_low", "round_the_corner")
POOLS = (DECK, DECK[:16], DECK[16:36], tuple(card for card in DECK if card.suit < 2))


def random_hands(size: int, count: int, seed: int) -> list[Hand]:
    """Return random hands from the whole deck, and from parts of it in which melds overlap."""
    random = Random(seed)
    return [Hand.of(random.sample(POOLS[number % len(POOLS)], size)) for number in range(count)]


def random_weights(hands: list[Hand], seed: int) -> Floats:
    """Return random probabilities for the next draw, which are 0 for the cards of the hand.

    Some others are 0 too, as for cards already seen.
    """
    random = np.random.default_rng(seed)
    weights = random.random((len(hands), CARDS)) * (random.random((len(hands), CARDS)) < 0.7)
    weights *= 1 - masks_to_maps([mask_of(hand) for hand in hands])
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)


def test_card_indices() -> None:
    """The index of each card matches its position in `CARDS_BY_INDEX`."""
    assert [index_of(card) for card in CARDS_BY_INDEX] == list(range(CARDS))
    assert masks_to_maps([mask_of(Hand.of([card])) for card in CARDS_BY_INDEX]).tolist() == np.eye(CARDS).tolist()


@pytest.mark.parametrize("aces", ACES)
@pytest.mark.parametrize("size", [7, 10, 11])
def test_least_deadwood(aces: Aces, size: int) -> None:
    """The least deadwood equals the engine's for every hand."""
    hands = random_hands(size, 300, size)
    found = meld_tables(aces).least_deadwood(masks_to_hands([mask_of(hand) for hand in hands]))
    assert found.tolist() == [least_deadwood(hand, aces) for hand in hands]


@pytest.mark.parametrize("aces", thorough_after(1, ACES))
def test_joining_cards(aces: Aces) -> None:
    """A card joins a hand if and only if it would form a meld with some of the hand's cards."""
    hands = random_hands(9, 20, 1)
    found = meld_tables(aces).joining_cards(masks_to_hands([mask_of(hand) for hand in hands]))
    for hand, joins in zip(hands, found.tolist(), strict=True):
        for card, join in zip(CARDS_BY_INDEX, joins, strict=True):
            melds = card not in hand and any(card in meld.cards for meld in melds_in(hand + card, aces))
            assert bool(join) == melds, (hand, card)


@pytest.mark.parametrize("aces", ACES)
@pytest.mark.parametrize("size", [8, 11])
def test_looking_ahead_to_the_draw_after_a_discard(aces: Aces, size: int) -> None:
    """For each possible discard, `look_ahead` gives the same figures as a search of all next cards."""
    hands = random_hands(size, 4, size)
    weights = random_weights(hands, 1)
    masks = [mask_of(hand) for hand in hands]
    held = np.array([[place for place in range(CARDS) if mask >> place & 1] for mask in masks])
    limits = np.array([0, 3, 7, 10], dtype=np.int32)
    ahead = look_ahead(meld_tables(aces), masks_to_hands(masks), held, weights, limits)
    for row, hand in enumerate(hands):
        for column, index in enumerate(to_list(held[row])):
            rest = hand - CARDS_BY_INDEX[index]
            assert ahead.now[row, column] == least_deadwood(rest, aces)
            later, mean = _expected_after_draw(rest, weights[row], int(limits[row]), aces)
            assert ahead.later[row, column] == pytest.approx(later, abs=1e-4)
            assert ahead.mean[row, column] == pytest.approx(mean, abs=1e-3)


@pytest.mark.parametrize("size", [7, 10])
def test_looking_ahead_to_the_next_draw(size: int) -> None:
    """`look_ahead_without_discard` gives the same figures as trying every card that could be drawn next."""
    hands = random_hands(size, 8, size)
    weights, limits = random_weights(hands, 2), np.full(8, 10, dtype=np.int32)
    ahead = look_ahead_without_discard(
        meld_tables("low"), masks_to_hands([mask_of(hand) for hand in hands]), weights, limits
    )
    for row, hand in enumerate(hands):
        assert ahead.now[row, 0] == least_deadwood(hand)
        expected, average = _expected_after_draw(hand, weights[row], 10, "low")
        assert ahead.later[row, 0] == pytest.approx(expected, abs=1e-4)
        assert ahead.mean[row, 0] == pytest.approx(average, abs=1e-3)


def _expected_after_draw(hand: Hand, weights: Floats, limit: int, aces: Aces) -> tuple[list[float], float]:
    later, mean = [0.0] * (len(DEADWOOD_LIMITS) + 1), 0.0
    for card, weight in zip(CARDS_BY_INDEX, weights.tolist(), strict=True):
        if weight:
            left = min(least_deadwood(hand + card - discard, aces) for discard in hand + card)
            mean += weight * left
            later = [
                sum_ + weight * (left <= most) for sum_, most in zip(later, (*DEADWOOD_LIMITS, limit), strict=True)
            ]
    return later, mean
