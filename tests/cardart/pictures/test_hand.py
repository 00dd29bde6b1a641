"""The picture of a hand shows exactly that hand, arranged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.engine.cards import Hand
from bot.engine.melds import Aces, best_arrangement
from bot.engine.moves import Seat
from bot.engine.views import SeatView, seat_view
from cardart import draw_hand
from tests.cardart.card_reader import cards, read
from tests.cardart.views import any_of, at_the_wall, begun, seat_views
from tests.engine.decks import GIN_HAND, POOR_HAND
from tests.engine.strategies import hands

KILOBYTE = 1024


def holding(hand: Hand, aces: Aces = "low") -> SeatView:
    """Return the view of a seat that holds this hand and waits."""
    view = seat_views(0)[0]
    return replace(view, hand=hand, arrangement=best_arrangement(hand, aces), new_card=None, discard_choices=())


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(any_of(seat_views))
def test_every_card_of_the_hand_is_read_back_once_and_no_other(view: SeatView) -> None:
    """Under any rules the picture shows the hand and what a knocker laid down, in at most 15 KB."""
    picture, knock = draw_hand(view), view.public.knock
    laid = [] if knock is None else [card for meld in knock.laid.melds for card in meld.cards]
    off = [] if knock is None else [one.card for one in knock.lay_offs]
    held = list(view.arrangement.unmatched if knock and knock.seat == view.seat else view.hand)
    laid += [] if knock is None or knock.seat == view.seat else knock.laid.unmatched
    assert cards(picture) == sorted([*held, *laid, *off])
    assert len(picture.content) <= 15 * KILOBYTE
    assert len(picture.alt) <= 1024


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(hands(7, 11))
def test_seven_to_eleven_cards_fit_however_they_meld(hand: Hand) -> None:
    """Hands full of overlapping melds are shown completely, and so are hands without melds."""
    assert cards(draw_hand(holding(hand))) == list(hand)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(any_of(lambda seed, rules, seats: [view for view in seat_views(seed, rules, seats) if not view.public.knock]))
def test_melds_lie_together_above_the_deadwood(view: SeatView) -> None:
    """A meld's cards follow each other in one row. No deadwood lies in a row of melds."""
    rows = [one.card for one in read(draw_hand(replace(view, new_card=None)))]
    melds, unmatched = view.arrangement.melds, list(view.arrangement.unmatched)
    for meld in melds:
        first, rows = rows[: len(meld.cards)], rows[len(meld.cards) :]
        assert sorted(first) == list(meld.cards)
    assert rows == unmatched


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aces", "run"),
    [("low", "J♣ Q♣ K♣"), ("high_low", "Q♣ K♣ A♣"), ("round_the_corner", "K♣ A♣ 2♣"), ("high_low", "A♣ 2♣ 3♣")],
)
def test_runs_lie_in_their_order(aces: Aces, run: str) -> None:
    """A run with a high ace, or round the corner, is drawn and described in its own order, not by rank."""
    picture = draw_hand(holding(Hand.parse(f"{run} 5h 7h 9d 9s"), aces))
    assert [one.card.symbol for one in read(picture)][:3] == run.split()
    assert f"run {run};" in picture.alt


@pytest.mark.slow
def test_the_drawn_card_is_raised() -> None:
    """The card just drawn lies higher than it otherwise would. The other cards stay where they are."""
    view = next(view for view in seat_views(1) if view.new_card)
    before = {one.card: (one.x, one.y) for one in read(draw_hand(replace(view, new_card=None)))}
    for one in read(draw_hand(view)):
        x, y = before[one.card]
        assert one.x == x
        assert one.y < y if one.card is view.new_card else one.y == y


@pytest.mark.slow
def test_eleven_cards_in_three_melds_and_no_deadwood_are_shown() -> None:
    """Three melds of eleven cards, the fullest row there is, can still be read."""
    hand = Hand.parse("Ac Ad As 3h 4h 5h 6h Ts Js Qs Ks")
    picture = draw_hand(holding(hand))
    assert cards(picture) == list(hand)
    assert "no deadwood" in picture.alt


def test_the_words_say_melds_deadwood_and_the_drawn_card() -> None:
    """The alt text has the facts of the picture."""
    hand = Hand.parse("4c 4h 4s Th Jh Qh Kh Ac 2s 3s 8c")
    view = replace(holding(hand), new_card=next(card for card in hand if card.symbol == "K♥"))
    assert draw_hand(view).alt == (
        "Your hand: set 4♣ 4♥ 4♠; run 10♥ J♥ Q♥ K♥; deadwood 14: A♣ 2♠ 3♠ 8♣. Just drawn: K♥. Knock with 10 or less."
    )


@pytest.mark.slow
@pytest.mark.parametrize(("gin", "knock"), [(True, True), (False, True), (False, False)])
def test_the_words_say_when_a_knock_or_gin_is_there(gin: bool, knock: bool) -> None:
    """The alt text says that the player has gin or may knock exactly if that is so."""
    view = next(
        view
        for seed in range(9)
        for view in seat_views(seed)
        if (view.can_go_gin, any(choice.knocks for choice in view.discard_choices)) == (gin, knock)
    )
    alt = draw_hand(view).alt
    assert ("You have gin" in alt) == gin
    assert ("You may knock" in alt) == (knock and not gin)


@pytest.mark.slow
def test_big_gin_is_said_where_it_counts() -> None:
    """Eleven melded cards are big gin where the rules have it, and gin elsewhere."""
    for rules, said in (("big", "You have big gin"), ("classic", "You have gin")):
        match = begun(rules, f"{GIN_HAND} Ks", POOR_HAND, "pass", "pass", "draw", stock="7d")
        picture = draw_hand(seat_view(match, Seat(0)))
        assert len(cards(picture)) == 11
        assert said in picture.alt


@pytest.mark.parametrize(
    ("upcard", "said"),
    [
        ("7c", "Knock with 7 or less."),
        ("7s", "Knock with 7 or less, and the deal counts double."),
        ("As", "Gin only, and the deal counts double."),
    ],
)
def test_the_upcards_limit_and_a_doubling_spade_are_said(upcard: str, said: str) -> None:
    """If the upcard sets the knock limit, the hand has the limit and whether the deal counts double."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    plain, double = (
        draw_hand(seat_view(begun(f"oklahoma spade_doubles={doubles}", *hands, upcard=upcard), Seat(0)))
        for doubles in ("off", "on")
    )
    assert double.alt.endswith(said)
    assert (plain.content == double.content) == ("double" not in said)


def test_at_the_wall_a_hand_says_whether_the_last_discard_goes_out() -> None:
    """The alt text says whether the player may take the last discard or can only pass."""
    view = seat_view(at_the_wall(), Seat(1))
    helpless = draw_hand(view)
    able = draw_hand(seat_view(at_the_wall("tournament knock_limit=100"), Seat(1)))
    assert "You can only pass" in helpless.alt
    assert "You can go out" in able.alt
    assert helpless.content != able.content


def test_who_sits_out_has_no_picture() -> None:
    """Drawing a seat that sits the deal out is refused, since it has no hand."""
    view = seat_views(0, "rotation target=40", 3)[0]
    out = next(Seat(seat) for seat in range(3) if Seat(seat) not in view.public.seats)
    with pytest.raises(LookupError, match="sits deal 1 out"):
        draw_hand(replace(view, seat=out, hand=Hand((0, 0, 0, 0))))
