"""While a knock is being answered, a hand lies below the knocker's melds and shows which cards fit on them."""

from __future__ import annotations

import pytest

from bot.engine.moves import Seat
from bot.engine.views import KnockView, SeatView, seat_view
from cardart import draw_hand
from cardart.deck.cards import LARGE
from cardart.drawing.palette import GOLD, SEAT_COLOURS, index
from cardart.pictures.hand import meld_number_label
from tests.cardart.card_reader import cards, colour, count, read
from tests.cardart.views import answering, begun
from tests.engine.decks import POOR_HAND

FIRST = "4s 5s 6s 9c 9d 9h Jc Jd Jh 2c"
OTHER_POOR = "3s 5s 7s 9s Js Ks Kc Kd 5c 6c"
OTHER = "7s 8s 9s Ac Ad 3h 4h Kc Qd 6d"


def knock_of(view: SeatView) -> KnockView:
    """Return the knock that a view shows."""
    assert view.public.knock is not None
    return view.public.knock


def knocked(*moves: str, rules: str = "standard") -> SeatView:
    """Return the other player's view after the first player has knocked with 2, and after these answers."""
    match = begun(rules, FIRST, OTHER, "pass", "pass", "draw", "k Kh", *moves, stock="Kh")
    return seat_view(match, Seat(1))


def labels(view: SeatView, text: str) -> int:
    """Return the number of cards and melds in a view's picture that have this number as a label."""
    sprites = [meld_number_label(text, best=best).image for best in (True, False)]
    middles = [sprite.crop((4, 10, sprite.width - 4, sprite.height - 10)) for sprite in sprites]
    return sum(count(draw_hand(view), middle) for middle in middles)


def test_the_number_of_the_meld_that_the_best_answer_uses_is_gold() -> None:
    """The label of a meld that the best answer uses is gold. Other labels are not."""
    best, other = (meld_number_label("1", best=best).image for best in (True, False))
    assert [index(GOLD) in image.tobytes() for image in (best, other)] == [True, False]


@pytest.mark.thorough
def test_the_knockers_melds_lie_above_the_hand_with_what_is_laid_off() -> None:
    """Each card of the knocker's melds, the lay-offs and the hand appears once, and the hand is lowest."""
    for view in answering()[::18]:
        knock, picture = knock_of(view), draw_hand(view)
        laid = [*knock.laid.cards, *(one.card for one in knock.lay_offs)]
        held = [] if view.seat == knock.seat else [*view.hand, *view.public.discards[-1:]]
        seen = read(picture)
        assert sorted(one.card for one in seen) == sorted(laid + held)
        at = {one.card: one.y for one in seen}
        if held:
            assert max(at[card] for card in laid) < min(at[card] for card in held)
        assert picture.size[1] <= 676
        assert len(picture.content) <= 28 * 1024
        assert len(picture.alt) <= 1024


@pytest.mark.thorough
def test_cards_laid_off_wear_the_colour_of_who_laid_them_off() -> None:
    """A card laid off is framed in its player's colour and lies higher than its meld."""
    views = [view for view in answering() if knock_of(view).lay_offs]
    assert {one.seat for view in views for one in knock_of(view).lay_offs} > {Seat(1)}
    for view in views[::6]:
        picture = draw_hand(view)
        at = {one.card: one for one in read(picture)}
        for one in knock_of(view).lay_offs:
            place = at[one.card]
            assert colour(picture, place.x + 20, place.y - 3) == SEAT_COLOURS[one.seat]
            assert all(0 < at[card].y - place.y < LARGE.height // 4 for card in one.meld.cards)


def test_a_card_that_fits_bears_the_number_of_its_meld() -> None:
    """A card that can be laid off has the number of its meld, and so does that meld. Other cards have no number."""
    view = knocked()
    assert [str(meld) for meld in knock_of(view).laid.melds] == ["4s5s6s", "9c9d9h", "JcJdJh"]
    assert {one.card.symbol for one in view.lay_offs} == {"7♠", "9♠"}
    assert [labels(view, number) for number in ("1", "2", "3")] == [2, 2, 0]


def test_a_chains_later_cards_are_numbered_too() -> None:
    """If players break up their own run, three cards fit in turn on the knocker's run, and one also on another meld."""
    view = knocked("m -")
    assert [labels(view, number) for number in ("1", "2", "1·2")] == [3, 1, 1]


@pytest.mark.thorough
def test_the_best_answer_is_framed_in_gold() -> None:
    """Only the cards that the best answer lays off have gold frames."""
    assert framed(knocked()) == set()
    assert framed(knocked("m -")) == {"7♠", "8♠", "9♠"}


def framed(view: SeatView) -> set[str]:
    """Return the cards of the hand that have a gold frame."""
    picture = draw_hand(view)
    return {
        one.card.symbol
        for one in read(picture)
        if one.card in view.hand and colour(picture, one.x + 20, one.y - 3) == GOLD
    }


def test_cards_laid_off_leave_their_slots_empty() -> None:
    """No other card moves when cards are laid off, and the alt text says which slots are empty."""
    before, after = knocked("m -"), knocked("m -", "l 7s>4s5s6s", "l 8s>4s5s6s")
    places = [
        {one.card: (one.x, one.y) for one in read(draw_hand(view)) if one.card in after.hand}
        for view in (before, after)
    ]
    assert places[0] == places[1]
    assert len(places[0]) == 8
    assert "Your hand: (laid off) (laid off) 9♠ A♣ A♦. Second row: 3♥ 4♥ 6♦ Q♦ K♣." in draw_hand(after).alt


def test_the_words_say_the_knock_what_fits_and_what_is_best() -> None:
    """The alt text has the knock, the cards that fit and the best answer."""
    assert draw_hand(knocked()).alt == (
        "Knocked with 2: (1) run 4♠ 5♠ 6♠; (2) set 9♣ 9♦ 9♥; (3) set J♣ J♦ J♥; deadwood 2♣. "
        "Your hand: 7♠ 8♠ 9♠ A♣ A♦. Second row: 3♥ 4♥ 6♦ Q♦ K♣. Run 7♠ 8♠ 9♠; deadwood 35. "
        "Top of the discard pile: K♥. Stock: 30 cards. "
        "You may lay off 7♠ on (1), 9♠ on (2). Lay nothing off."
    )


@pytest.mark.thorough
def test_only_the_players_own_answer_is_advised() -> None:
    """The knocker and players who are waiting see the melds without numbers."""
    mine = next(view for view in answering() if view.seat == knock_of(view).seat)
    others = next(view for view in answering() if view.seat != knock_of(view).seat and not view.to_act)
    assert draw_hand(mine).alt.startswith(f"You knocked with {knock_of(mine).laid.deadwood}: ")
    assert labels(mine, "1") == 0
    assert labels(others, "1") == 0
    assert all("Others lay off" in draw_hand(view).alt for view in (mine, others))


def test_melds_that_were_chosen_are_kept() -> None:
    """After a player has chosen melds, the alt text has these melds and the best lay-offs for them."""
    view = knocked("m -")
    alt = draw_hand(view).alt
    assert "No melds; deadwood 59" in alt
    assert "35 left at best: 7♠ 8♠ 9♠" in alt


def test_a_knock_without_a_meld_has_a_picture() -> None:
    """A knock without melds, possible with a high knock limit, shows the knocker's cards above the hand."""
    match = begun("standard knock_limit=100", POOR_HAND, OTHER_POOR, "pass", "pass", "draw", "k Jh", stock="Jh")
    view = seat_view(match, Seat(1))
    picture = draw_hand(view)
    assert cards(picture) == sorted([*view.hand, *knock_of(view).laid.unmatched, *view.public.discards[-1:]])
    assert picture.alt.startswith("Knocked with 60: no melds; deadwood ")
    assert picture.alt.endswith(" Nothing fits.")
