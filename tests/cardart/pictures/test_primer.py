"""The primer shows a run, a set and deadwood."""

from __future__ import annotations

from bot.engine.cards.cards import Hand
from bot.engine.cards.melds import best_arrangement
from bot.model.appearance import Appearance
from cardart import draw_primer
from tests.cardart.card_reader import visible_cards


def test_the_primer_shows_a_run_a_set_and_deadwood() -> None:
    """By the engine's rules the cards are a run, a set and deadwood, and the alt text names all of them."""
    picture = draw_primer()
    hand = Hand.of(visible_cards(picture))
    arrangement = best_arrangement(hand)
    assert sorted(meld.is_run for meld in arrangement.melds) == [False, True]
    assert arrangement.deadwood == 10
    assert all(card.symbol in picture.alt for card in hand)


def test_card_points_use_the_languages_letters() -> None:
    """The line with the points of cards has the letters of the cards' language."""
    assert draw_primer().alt.endswith("A = 1 · 2–10 = face value · J, Q, K = 10.")
    assert draw_primer(Appearance(language="sv")).alt.endswith("E = 1 · 2–10 = face value · Kn, D, K = 10.")
