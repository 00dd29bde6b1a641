"""Array operations on many hands agree with the engine's functions for one hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from bot.engine.cards import DECK, Hand
from bot.engine.melds import Aces, least_deadwood, melds_in
from bot.opponent.many_hands import (
    CARD_AT,
    CARDS,
    LIMITS,
    Floats,
    listed,
    look_ahead,
    look_ahead_once,
    mask_of,
    melding,
    place_of,
    rows,
    spread,
)
from tests.helpers.cases import thorough_after

ACES: tuple[Aces, ...] = ("low", "high_low", "round_the_corner")
POOLS = (DECK, DECK[:16], DECK[16:36], tuple(card for card in DECK if card.suit < 2))


def some_hands(size: int, count: int, seed: int) -> list[Hand]:
    """Return random hands from the whole deck, and from parts of it in which melds overlap."""
    random = Random(seed)
    return [Hand.of(random.sample(POOLS[number % len(POOLS)], size)) for number in range(count)]


def weights_for(hands: list[Hand], seed: int) -> Floats:
    """Return random draw probabilities of the other cards. Some are 0, as for cards already seen."""
    random = np.random.default_rng(seed)
    weights = random.random((len(hands), CARDS)) * (random.random((len(hands), CARDS)) < 0.7)
    weights *= 1 - spread([mask_of(hand) for hand in hands])
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)


def test_places() -> None:
    """The index of each card matches its position in `CARD_AT`."""
    assert [place_of(card) for card in CARD_AT] == list(range(CARDS))
    assert spread([mask_of(Hand.of([card])) for card in CARD_AT]).tolist() == np.eye(CARDS).tolist()


@pytest.mark.parametrize("aces", ACES)
@pytest.mark.parametrize("size", [7, 10, 11])
def test_least_deadwood(aces: Aces, size: int) -> None:
    """The least deadwood equals the engine's for every hand."""
    hands = some_hands(size, 300, size)
    found = melding(aces).least_deadwood(rows([mask_of(hand) for hand in hands]))
    assert found.tolist() == [least_deadwood(hand, aces) for hand in hands]


@pytest.mark.parametrize("aces", thorough_after(1, ACES))
def test_cards_that_join_a_hand(aces: Aces) -> None:
    """A card joins a hand if it would form a meld with cards of it."""
    hands = some_hands(9, 20, 1)
    found = melding(aces).joins(rows([mask_of(hand) for hand in hands]))
    for hand, joins in zip(hands, found.tolist(), strict=True):
        for card, join in zip(CARD_AT, joins, strict=True):
            melds = card not in hand and any(card in meld.cards for meld in melds_in(hand + card, aces))
            assert bool(join) == melds, (hand, card)


@pytest.mark.parametrize("aces", ACES)
@pytest.mark.parametrize("size", [8, 11])
def test_looking_ahead_to_the_draw_after_a_discard(aces: Aces, size: int) -> None:
    """The look-ahead after each discard equals the result of trying every card."""
    hands = some_hands(size, 4, size)
    weights = weights_for(hands, 1)
    masks = [mask_of(hand) for hand in hands]
    held = np.array([[place for place in range(CARDS) if mask >> place & 1] for mask in masks])
    limits = np.array([0, 3, 7, 10], dtype=np.int32)
    ahead = look_ahead(melding(aces), rows(masks), held, weights, limits)
    for row, hand in enumerate(hands):
        for column, place in enumerate(listed(held[row])):
            rest = hand - CARD_AT[place]
            assert ahead.now[row, column] == least_deadwood(rest, aces)
            later, mean = _after_a_draw(rest, weights[row], int(limits[row]), aces)
            assert ahead.later[row, column] == pytest.approx(later, abs=1e-4)
            assert ahead.mean[row, column] == pytest.approx(mean, abs=1e-3)


@pytest.mark.parametrize("size", [7, 10])
def test_looking_ahead_to_the_next_draw(size: int) -> None:
    """The look-ahead without a first discard equals the result of trying every card."""
    hands = some_hands(size, 8, size)
    weights, limits = weights_for(hands, 2), np.full(8, 10, dtype=np.int32)
    ahead = look_ahead_once(melding("low"), rows([mask_of(hand) for hand in hands]), weights, limits)
    for row, hand in enumerate(hands):
        assert ahead.now[row, 0] == least_deadwood(hand)
        expected, average = _after_a_draw(hand, weights[row], 10, "low")
        assert ahead.later[row, 0] == pytest.approx(expected, abs=1e-4)
        assert ahead.mean[row, 0] == pytest.approx(average, abs=1e-3)


def _after_a_draw(hand: Hand, weights: Floats, limit: int, aces: Aces) -> tuple[list[float], float]:
    later, mean = [0.0] * (len(LIMITS) + 1), 0.0
    for card, weight in zip(CARD_AT, weights.tolist(), strict=True):
        if weight:
            left = min(least_deadwood(hand + card - one, aces) for one in hand + card)
            mean += weight * left
            later = [sum_ + weight * (left <= most) for sum_, most in zip(later, (*LIMITS, limit), strict=True)]
    return later, mean
