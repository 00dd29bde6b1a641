"""A hand's picture shows exactly the hand, arranged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.engine.cards import Hand
from bot.engine.melds import best_arrangement
from bot.engine.views import SeatView
from cardart import draw_hand
from tests.cardart.reader import cards, read
from tests.cardart.views import any_of, seat_views
from tests.engine.strategies import hands

KILOBYTE = 1024


def holding(hand: Hand) -> SeatView:
    """The view of a seat that holds a hand and waits."""
    view = seat_views(0)[0]
    return replace(view, hand=hand, arrangement=best_arrangement(hand), fresh=None, choices=())


@settings(max_examples=16, deadline=None)
@given(any_of(seat_views))
def test_every_card_of_the_hand_is_read_back_once_and_no_other(view: SeatView) -> None:
    """Whatever was dealt and drawn, the picture shows the hand's cards and nothing else, in at most 15 KB."""
    picture = draw_hand(view)
    assert cards(picture) == list(view.hand)
    assert len(picture.png) <= 15 * KILOBYTE


@settings(max_examples=16, deadline=None)
@given(hands(7, 11))
def test_seven_to_eleven_cards_fit_however_they_meld(hand: Hand) -> None:
    """Hands full of overlapping melds, and hands with none, are shown whole."""
    assert cards(draw_hand(holding(hand))) == list(hand)


@settings(max_examples=10, deadline=None)
@given(any_of(seat_views))
def test_melds_lie_together_above_the_deadwood(view: SeatView) -> None:
    """A meld's cards follow each other in one row; no card of the deadwood lies in a row of melds."""
    rows = [one.card for one in read(draw_hand(replace(view, fresh=None)))]
    arrangement = view.arrangement
    assert rows == [card for meld in arrangement.melds for card in meld.cards] + list(arrangement.unmatched)


def test_the_drawn_card_is_raised() -> None:
    """The card just drawn lies higher than the same card does when it is not fresh; the others stay."""
    view = next(view for view in seat_views(1) if view.fresh)
    before = {one.card: (one.x, one.y) for one in read(draw_hand(replace(view, fresh=None)))}
    for one in read(draw_hand(view)):
        x, y = before[one.card]
        assert one.x == x
        assert one.y < y if one.card is view.fresh else one.y == y


def test_eleven_cards_in_three_melds_and_no_deadwood_are_shown() -> None:
    """The fullest row there can be, three melds of eleven cards, can still be read."""
    hand = Hand.parse("Ac Ad As 3h 4h 5h 6h Ts Js Qs Ks")
    picture = draw_hand(holding(hand))
    assert cards(picture) == list(hand)
    assert "no deadwood" in picture.alt


def test_the_words_say_melds_deadwood_and_the_drawn_card() -> None:
    """The alt text has the facts of the picture."""
    hand = Hand.parse("4c 4h 4s Th Jh Qh Kh Ac 2s 3s 8c")
    view = replace(holding(hand), fresh=next(card for card in hand if card.symbol == "K♥"))
    assert draw_hand(view).alt == (
        "Your hand: set 4♣ 4♥ 4♠; run 10♥ J♥ Q♥ K♥; deadwood 14: A♣ 2♠ 3♠ 8♣. Just drawn: K♥. Knock with 10 or less."
    )


@pytest.mark.parametrize(("gin", "knock"), [(True, True), (False, True), (False, False)])
def test_the_words_say_when_a_knock_or_gin_is_there(gin: bool, knock: bool) -> None:
    """Who may knock or has gin is told so, and nobody else is."""
    view = next(
        view
        for seed in range(9)
        for view in seat_views(seed)
        if (view.can_go_gin, any(choice.knocks for choice in view.choices)) == (gin, knock)
    )
    alt = draw_hand(view).alt
    assert ("You have gin" in alt) == gin
    assert ("You may knock" in alt) == (knock and not gin)
