"""The shuffle of verifiable deals is fair: every position and every adjacent pair is equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final

import pytest

from bot.engine.cards.cards import DECK, Card
from bot.engine.fairness.fair import CHAIN_LENGTH, Event, player_seed
from bot.luck.decks import DeckCounts, probability_above
from tests.helpers.cases import nightly_after

PLAYERS: Final = player_seed("north"), player_seed("south")
ACE: Final = Card.parse("As")
DECK_SIZE: Final = len(DECK)


def deck_of_event(number: int) -> tuple[Card, ...]:
    """Return the deck of an event whose number and server seed are derived from this number."""
    return Event(number % CHAIN_LENGTH + 1, sha256(b"%d" % number).digest(), PLAYERS).deck()


def with_ace_on_top(deck: Sequence[Card]) -> Sequence[Card]:
    """Return a deck whose top card was swapped with the ace of spades."""
    index = deck.index(ACE)
    return [ACE, *deck[1:index], deck[0], *deck[index + 1 :]] if index else deck


def worst_position_p_value(counts: DeckCounts) -> float:
    """Return the p-value of the most uneven position: the chance that fair decks are at least as uneven.

    The counts at a position follow chi-squared with 51 degrees of freedom, and positions are almost independent.
    """
    expected = counts.decks / DECK_SIZE
    rows = [counts.positions[start : start + DECK_SIZE] for start in range(0, DECK_SIZE**2, DECK_SIZE)]
    row_p_values = [
        probability_above(sum((count - expected) ** 2 for count in row) / expected, DECK_SIZE - 1) for row in rows
    ]
    return 1 - (1 - min(row_p_values)) ** DECK_SIZE


def p_values(counts: DeckCounts) -> tuple[float, ...]:
    """Return three p-values: for all positions together, for the most uneven position, and for adjacent pairs."""
    result = counts.test()
    return result.positions, worst_position_p_value(counts), result.pairs


def is_fair(counts: DeckCounts) -> bool:
    """Return True if all p-values are plausible for fair decks."""
    return all(0.001 < p < 0.999 for p in p_values(counts))


def check_decks(decks: int, every: int) -> None:
    """Check that this many decks pass as fair, but not with an ace on top of every Nth deck, where N is `every`."""
    fair, forged = DeckCounts(), DeckCounts()
    for number in range(decks):
        deck = deck_of_event(number)
        fair.add(deck)
        forged.add(with_ace_on_top(deck) if number % every == 0 else deck)
    assert is_fair(fair), p_values(fair)
    assert not is_fair(forged), p_values(forged)


@pytest.mark.parametrize(("decks", "every"), [(2_000, 10), *nightly_after(0, [(50_000, 50), (1_000_000, 500)])])
def test_positions_and_pairs_are_uniform(decks: int, every: int) -> None:
    """Decks are fair, and a few forged decks among them are detected."""
    check_decks(decks, every)


def test_a_card_that_stays_before_another_is_found() -> None:
    """The test of adjacent pairs fails if the same two cards are adjacent in every fifth deck, at any position."""
    counts = DeckCounts()
    for number in range(1_500):
        deck = list(deck_of_event(number))
        if number % 5 == 0:
            deck.remove(ACE)
            deck.insert(deck.index(DECK[0]) + 1, ACE)
        assert (DECK[0], ACE) in pairwise(deck) or number % 5
        counts.add(deck)
    assert counts.test().pairs < 0.001
