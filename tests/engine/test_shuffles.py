"""The shuffle of verifiable deals is fair: each card is equally likely everywhere, and after every other one."""

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
    """The deck of an event whose server seed follows from a number."""
    return Event(number % CHAIN_LENGTH + 1, sha256(b"%d" % number).digest(), PLAYERS).deck()


def with_ace_on_top(deck: Sequence[Card]) -> Sequence[Card]:
    """A deck whose top card has changed places with the ace of spades."""
    place = deck.index(ACE)
    return [ACE, *deck[1:place], deck[0], *deck[place + 1 :]] if place else deck


def worst_place(counts: DeckCounts) -> float:
    """How likely it is that of fair decks one place or more is at least as uneven as the most uneven one here.

    The cards in a place follow chi-squared with 51 degrees of freedom, and the places hardly depend on each other.
    """
    expected = counts.decks / PLACES
    rows = [counts.positions[start : start + PLACES] for start in range(0, PLACES**2, PLACES)]
    chances = [chance_above(sum((count - expected) ** 2 for count in row) / expected, PLACES - 1) for row in rows]
    return 1 - (1 - min(chances)) ** PLACES


def chances(counts: DeckCounts) -> tuple[float, ...]:
    """The p-values of decks: of all positions together, of the most uneven place, and of adjacent pairs."""
    found = counts.test()
    return found.positions, worst_place(counts), found.pairs


def is_fair(counts: DeckCounts) -> bool:
    """Return whether all of them are likely enough for fair decks."""
    return all(0.001 < p < 0.999 for p in chances(counts))


def check(decks: int, every: int) -> None:
    """Check that decks are fair, and that the same decks are not if one of so many has a certain card on top."""
    fair, forged = DeckCounts(), DeckCounts()
    for number in range(decks):
        deck = dealt(number)
        fair.add(deck)
        forged.add(with_ace_on_top(deck) if number % every == 0 else deck)
    assert is_fair(fair), chances(fair)
    assert not is_fair(forged), chances(forged)


@pytest.mark.parametrize(("decks", "every"), [(2_000, 10), *nightly_after(0, [(50_000, 50), (1_000_000, 500)])])
def test_cards_are_everywhere_and_after_any_other_card(decks: int, every: int) -> None:
    """Decks are fair, and a few forged ones among them are found."""
    check(decks, every)


def test_a_card_that_stays_before_another_is_found() -> None:
    """Two cards that stay together in one of 5 decks make the pairs uneven, wherever they are."""
    counts = DeckCounts()
    for number in range(1_500):
        deck = list(dealt(number))
        if number % 5 == 0:
            deck.remove(ACE)
            deck.insert(deck.index(DECK[0]) + 1, ACE)
        assert (DECK[0], ACE) in pairwise(deck) or number % 5
        counts.add(deck)
    assert counts.test().pairs < 0.001
