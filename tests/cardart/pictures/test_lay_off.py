"""While a knock is being answered, a hand lies below the knocker's melds and shows which cards fit on them."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import Seat
from bot.engine.matches.views import KnockView, SeatView, seat_view
from cardart import draw_hand
from cardart.deck.cards import LARGE
from cardart.drawing.palette import GOLD, SEAT_COLOURS, palette_index
from cardart.pictures.hand import meld_number_label
from tests.cardart.card_reader import count_patch, pixel_colour, read_cards, visible_cards
from tests.cardart.views import answering_views, match_after
from tests.engine.decks import POOR_HAND

KNOCKER_HAND = "4s 5s 6s 9c 9d 9h Jc Jd Jh 2c"
POOR_OPPONENT_HAND = "3s 5s 7s 9s Js Ks Kc Kd 5c 6c"
OPPONENT_HAND = "7s 8s 9s Ac Ad 3h 4h Kc Qd 6d"


def shown_knock(view: SeatView) -> KnockView:
    """Return the knock in a view. There must be one."""
    assert view.public.knock is not None
    return view.public.knock


def view_after_knock(*moves: str, rules: str = "standard") -> SeatView:
    """Return the opponent's view after a knock with 2 points of deadwood and these moves by the opponent."""
    match = match_after(rules, KNOCKER_HAND, OPPONENT_HAND, "pass", "pass", "draw", "k Kh", *moves, stock="Kh")
    return seat_view(match, Seat(1))


def label_count(view: SeatView, text: str) -> int:
    """Return the number of cards and melds that are labelled with this number in a view's picture."""
    sprites = [meld_number_label(text, is_best=best).image for best in (True, False)]
    middles = [sprite.crop((4, 10, sprite.width - 4, sprite.height - 10)) for sprite in sprites]
    return sum(count_patch(draw_hand(view), middle) for middle in middles)


def test_the_number_of_the_meld_that_the_best_answer_uses_is_gold() -> None:
    """The label of a meld that the best answer uses is gold. Other labels are not."""
    best, other = (meld_number_label("1", is_best=best).image for best in (True, False))
    assert [palette_index(GOLD) in image.tobytes() for image in (best, other)] == [True, False]


@pytest.mark.nightly
def test_the_knockers_melds_and_lay_offs_are_above_the_hand() -> None:
    """Each card laid down or held appears once, and the hand lies below all cards laid down."""
    for view in answering_views()[::18]:
        knock, picture = shown_knock(view), draw_hand(view)
        laid = [*knock.arrangement.cards, *(lay_off.card for lay_off in knock.lay_offs)]
        held = [] if view.seat == knock.seat else [*view.hand, *view.public.discards[-1:]]
        seen = read_cards(picture)
        assert sorted(card.card for card in seen) == sorted(laid + held)
        at = {card.card: card.y for card in seen}
        if held:
            assert max(at[card] for card in laid) < min(at[card] for card in held)
        assert picture.size[1] <= 676
        assert len(picture.content) <= 28 * 1024
        assert len(picture.alt) <= 1024


@pytest.mark.nightly
def test_cards_laid_off_are_framed_in_their_players_colour() -> None:
    """A card laid off is framed in its player's colour and lies higher than its meld."""
    views = [view for view in answering_views() if shown_knock(view).lay_offs]
    assert {lay_off.seat for view in views for lay_off in shown_knock(view).lay_offs} > {Seat(1)}
    for view in views[::6]:
        picture = draw_hand(view)
        at = {card.card: card for card in read_cards(picture)}
        for lay_off in shown_knock(view).lay_offs:
            place = at[lay_off.card]
            assert pixel_colour(picture, place.x + 20, place.y - 3) == SEAT_COLOURS[lay_off.seat]
            assert all(0 < at[card].y - place.y < LARGE.height // 4 for card in lay_off.meld.cards)


def test_a_card_that_fits_bears_the_number_of_its_meld() -> None:
    """A card that can be laid off has the number of its meld, and so does that meld. Other cards have no number."""
    view = view_after_knock()
    assert [str(meld) for meld in shown_knock(view).arrangement.melds] == ["4s5s6s", "9c9d9h", "JcJdJh"]
    assert {lay_off.card.symbol for lay_off in view.lay_offs} == {"7♠", "9♠"}
    assert [label_count(view, number) for number in ("1", "2", "3")] == [2, 2, 0]


def test_cards_that_fit_later_are_numbered_too() -> None:
    """A card has a number even if it can be laid off only after another card.

    In this test, three cards fit a run of the knocker, and one of the three also fits a set.
    """
    view = view_after_knock("m -")
    assert [label_count(view, number) for number in ("1", "2", "1·2")] == [3, 1, 1]


@pytest.mark.thorough
def test_the_best_answer_is_framed_in_gold() -> None:
    """Only the cards that the best answer lays off have gold frames."""
    assert framed_cards(view_after_knock()) == set()
    assert framed_cards(view_after_knock("m -")) == {"7♠", "8♠", "9♠"}


def framed_cards(view: SeatView) -> set[str]:
    """Return the cards of the hand that have a gold frame."""
    picture = draw_hand(view)
    return {
        card.card.symbol
        for card in read_cards(picture)
        if card.card in view.hand and pixel_colour(picture, card.x + 20, card.y - 3) == GOLD
    }


def test_cards_laid_off_leave_their_slots_empty() -> None:
    """No other card moves when cards are laid off, and the alt text says which slots are empty."""
    before, after = view_after_knock("m -"), view_after_knock("m -", "l 7s>4s5s6s", "l 8s>4s5s6s")
    places = [
        {card.card: (card.x, card.y) for card in read_cards(draw_hand(view)) if card.card in after.hand}
        for view in (before, after)
    ]
    assert places[0] == places[1]
    assert len(places[0]) == 8
    assert "Your hand: (laid off) (laid off) 9♠ A♣ A♦. Second row: 3♥ 4♥ 6♦ Q♦ K♣." in draw_hand(after).alt


def test_the_alt_text_has_the_knock_and_the_best_answer() -> None:
    """The alt text has the knock, the cards that fit and the best answer."""
    assert draw_hand(view_after_knock()).alt == (
        "Knocked with 2: (1) run 4♠ 5♠ 6♠; (2) set 9♣ 9♦ 9♥; (3) set J♣ J♦ J♥; deadwood 2♣. "
        "Your hand: 7♠ 8♠ 9♠ A♣ A♦. Second row: 3♥ 4♥ 6♦ Q♦ K♣. Run 7♠ 8♠ 9♠; deadwood 35. "
        "Top of the discard pile: K♥. Stock: 30 cards. "
        "You can lay off 7♠ on (1), 9♠ on (2). Lay off nothing."
    )


@pytest.mark.thorough
def test_only_the_players_own_answer_is_advised() -> None:
    """The numbers that advise lay-offs are hidden from the knocker, and from players who wait while others answer."""
    mine = next(view for view in answering_views() if view.seat == shown_knock(view).seat)
    others = next(view for view in answering_views() if view.seat != shown_knock(view).seat and not view.is_to_act)
    assert draw_hand(mine).alt.startswith(f"You knocked with {shown_knock(mine).arrangement.deadwood}: ")
    assert label_count(mine, "1") == 0
    assert label_count(others, "1") == 0
    assert all("Others lay off" in draw_hand(view).alt for view in (mine, others))


def test_chosen_melds_are_kept() -> None:
    """After a player has chosen melds, the alt text has these melds and the best lay-offs for them."""
    view = view_after_knock("m -")
    alt = draw_hand(view).alt
    assert "No melds; deadwood 59" in alt
    assert "Best lay-offs leave 35 deadwood. Lay off 7♠ 8♠ 9♠." in alt


def test_a_knock_without_a_meld_has_a_picture() -> None:
    """A knock without melds, possible with a high knock limit, shows the knocker's cards above the hand."""
    match = match_after(
        "standard knock_limit=100", POOR_HAND, POOR_OPPONENT_HAND, "pass", "pass", "draw", "k Jh", stock="Jh"
    )
    view = seat_view(match, Seat(1))
    picture = draw_hand(view)
    assert visible_cards(picture) == sorted(
        [*view.hand, *shown_knock(view).arrangement.unmatched, *view.public.discards[-1:]]
    )
    assert picture.alt.startswith("Knocked with 60: no melds; deadwood ")
    assert picture.alt.endswith(" Nothing fits.")
