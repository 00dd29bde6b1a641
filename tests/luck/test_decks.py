"""Tests of decks: fair shuffles pass, and unfair ones are detected."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from bot.engine.cards.cards import DECK, Card, Suit
from bot.luck.decks import DeckCounts, PValues, probability_above
from tests.helpers.cases import thorough_after

Shuffle = Callable[[Random], list[Card]]


def fair(random: Random) -> list[Card]:
    """Return a deck shuffled so that all orders are equally likely."""
    return random.sample(DECK, len(DECK))


def swapping_with_any(random: Random) -> list[Card]:
    """Return a deck shuffled with a well-known mistake: each card is swapped with any card, even one already placed."""
    deck = list(DECK)
    for index in range(len(deck)):
        other = random.randrange(len(deck))
        deck[index], deck[other] = deck[other], deck[index]
    return deck


def ace_on_top(random: Random) -> list[Card]:
    """Shuffle fairly. Then, with a probability of 1 in 30, exchange the top card with the ace of spades."""
    deck = fair(random)
    if random.randrange(30) == 0:
        index = deck.index(Card.parse("As"))
        deck[0], deck[index] = deck[index], deck[0]
    return deck


def spades_on_top(random: Random) -> list[Card]:
    """Shuffle fairly. Then, with a probability of 1 in 8, exchange the top card with a spade."""
    deck = fair(random)
    if random.randrange(8) == 0:
        index = next(place for place, card in enumerate(deck) if card.suit is Suit.SPADES)
        deck[0], deck[index] = deck[index], deck[0]
    return deck


def adjacent_pair(random: Random) -> list[Card]:
    """Shuffle fairly. Then, with a probability of 1 in 25, put the 8 of diamonds directly below the 7 of diamonds."""
    deck = fair(random)
    if random.randrange(25) == 0:
        low, high = Card.parse("7d"), Card.parse("8d")
        deck.remove(high)
        deck.insert(deck.index(low) + 1, high)
    return deck


def p_values(shuffle: Shuffle, decks: int, seed: int = 1) -> PValues:
    """Shuffle some decks, and return the p-values of the tests."""
    counts, random = DeckCounts(), Random(seed)
    for _ in range(decks):
        counts.add(shuffle(random))
    return counts.test()


@pytest.mark.parametrize("degrees", [100, 152, 2600])
def test_probability_above(degrees: int) -> None:
    """The approximate probability agrees with the exact one, which is a finite sum for even degrees of freedom."""
    for deviations in (-2, -1, 0, 0.5, 1, 2, 3, 5):
        value = degrees + deviations * math.sqrt(2 * degrees)
        terms = (term * math.log(value / 2) - value / 2 - math.lgamma(term + 1) for term in range(degrees // 2))
        assert probability_above(value, degrees) == pytest.approx(sum(map(math.exp, terms)), abs=0.0005)


@pytest.mark.parametrize("decks", thorough_after(1, (200, 3_000)))
def test_fair_decks_pass(decks: int) -> None:
    """Fair decks pass each test, even with only as many decks as a report needs."""
    found = p_values(fair, decks)
    assert all(0.001 < p < 0.999 for p in (found.positions, found.suits, found.pairs))


@pytest.mark.parametrize(
    ("shuffle", "decks", "by"),
    thorough_after(
        3,
        [
            (swapping_with_any, 1_000, ("positions",)),
            (spades_on_top, 3_000, ("suits",)),
            (adjacent_pair, 5_000, ("pairs",)),
            (ace_on_top, 10_000, ("positions",)),
        ],
    ),
)
def test_unfair_shuffles_are_detected(shuffle: Shuffle, decks: int, by: tuple[str, ...]) -> None:
    """Each unfair shuffle is detected by the tests for its flaw."""
    found = p_values(shuffle, decks)
    for test in by:
        assert getattr(found, test) < 0.001


def test_systematic_decks_are_too_even() -> None:
    """If every card is equally often at every index, the decks are more even than chance allows."""
    counts = DeckCounts()
    for start in range(len(DECK)):
        for step in (1, 3, 5, 7):
            counts.add([DECK[(start + step * card) % len(DECK)] for card in range(len(DECK))])
    found = counts.test()
    assert found.positions > 0.999
    assert found.suits > 0.999


@pytest.mark.nightly
def test_p_values_are_uniform() -> None:
    """Of 400 groups of fair decks, about 10 % have a p-value below 0.1, and about 10 % one above 0.9.

    Each of these numbers is binomial with a standard deviation of 6, so 40 ± 24 is four deviations.
    """
    groups = [p_values(fair, 200, seed) for seed in range(400)]
    for test in ("positions", "suits", "pairs"):
        values = [getattr(group, test) for group in groups]
        assert 16 <= sum(value < 0.1 for value in values) <= 64
        assert 16 <= sum(value > 0.9 for value in values) <= 64
