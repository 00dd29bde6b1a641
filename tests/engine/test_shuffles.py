"""The shuffle of verifiable deals is fair: every position and every adjacent pair is equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final

import pytest

from bot.engine.cards import DECK, Card
from bot.engine.fair import CHAIN_LENGTH, Event, player_seed
from bot.luck.decks import DeckCounts, chance_above
from tests.helpers.cases import nightly_after

PLAYERS: Final = player_seed("north"), player_seed("south")
ACE: Final = Card.parse("As")
PLACES: Final = len(DECK)


def dealt(number: int) -> tuple[Card, ...]:
    """Return the deck of an event whose server seed follows from a number."""
    return Event(number % CHAIN_LENGTH + 1, sha256(b"%d" % number).digest(), PLAYERS).deck()


def with_ace_on_top(deck: Sequence[Card]) -> Sequence[Card]:
    """Return a deck whose top card was swapped with the ace of spades."""
    place = deck.index(ACE)
    return [ACE, *deck[1:place], deck[0], *deck[place + 1 :]] if place else deck


def worst_place(counts: DeckCounts) -> float:
    """Return the probability that some position of fair decks is at least as uneven as the worst one here.

    The cards at a position follow chi-squared with 51 degrees of freedom, and positions are almost independent.
    """
    expected = counts.decks / PLACES
    rows = [counts.positions[start : start + PLACES] for start in range(0, PLACES**2, PLACES)]
    chances = [chance_above(sum((count - expected) ** 2 for count in row) / expected, PLACES - 1) for row in rows]
    return 1 - (1 - min(chances)) ** PLACES


def chances(counts: DeckCounts) -> tuple[float, ...]:
    """Return the p-values of decks: for all positions together, the most uneven position, and adjacent pairs."""
    found = counts.test()
    return found.positions, worst_place(counts), found.pairs


def is_fair(counts: DeckCounts) -> bool:
    """Return True if all p-values are plausible for fair decks."""
    return all(0.001 < p < 0.999 for p in chances(counts))


def check(decks: int, every: int) -> None:
    """Check that decks are fair, and that they are not if every `every`-th deck has the ace of spades on top."""
    fair, forged = DeckCounts(), DeckCounts()
    for number in range(decks):
        deck = dealt(number)
        fair.add(deck)
        forged.add(with_ace_on_top(deck) if number % every == 0 else deck)
    assert is_fair(fair), chances(fair)
    assert not is_fair(forged), chances(forged)


@pytest.mark.parametrize(("decks", "every"), [(2_000, 10), *nightly_after(0, [(50_000, 50), (1_000_000, 500)])])
def test_cards_are_everywhere_and_after_any_other_card(decks: int, every: int) -> None:
    """Decks are fair, and a few forged decks among them are detected."""
    check(decks, every)


def test_a_card_that_stays_before_another_is_found() -> None:
    """Two cards that stay together in every fifth deck make the pairs uneven, at any position."""
    counts = DeckCounts()
    for number in range(1_500):
        deck = list(dealt(number))
        if number % 5 == 0:
            deck.remove(ACE)
            deck.insert(deck.index(DECK[0]) + 1, ACE)
        assert (DECK[0], ACE) in pairwise(deck) or number % 5
        counts.add(deck)
    assert counts.test().pairs < 0.001
