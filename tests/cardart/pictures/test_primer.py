"""The primer shows a run, a set and deadwood."""

from __future__ import annotations

from bot.engine.cards import Hand
from bot.engine.melds import best_arrangement
from cardart import draw_primer
from tests.cardart.card_reader import cards


def test_it_shows_what_its_words_say() -> None:
    """The cards are a run, a set and deadwood by the engine's own account, and are named in the alt text."""
    picture = draw_primer()
    hand = Hand.of(cards(picture))
    arrangement = best_arrangement(hand)
    assert sorted(meld.is_run for meld in arrangement.melds) == [False, True]
    assert arrangement.deadwood == 10
    assert all(card.symbol in picture.alt for card in hand)
