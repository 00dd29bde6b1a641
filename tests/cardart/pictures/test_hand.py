"""The picture of a hand shows the cards in fixed slots, the piles, and the possible moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces
from bot.engine.deals.moves import Seat
from bot.engine.matches.views import DiscardChoice, SeatView, seat_view
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from cardart import THEMES, draw_hand
from cardart.deck.cards import LARGE, face
from cardart.drawing.palette import GOLD, MELD_COLOURS
from cardart.text.queries import hand_in_order
from tests.cardart.card_reader import decoded_rgb, pixel_colour, read_cards, rendered, visible_cards
from tests.cardart.views import any_view, at_the_wall, match_after, seat_views, view_with_hand
from tests.engine.decks import GIN_HAND, POOR_HAND
from tests.engine.strategies import hands
from tests.helpers.examples import examples

KILOBYTE = 1024
SLOTS = [(22 + column * 123, 68 + row * 200) for row in range(2) for column in range(5)]
"""Left and top of each slot for a card, in pixels."""
NEW_CARD_POSITION = (662, 268)
"""Left and top of the new card after ten others."""
NEW_CARD_GAP = 25
"""Space between the last slot and the new card, in addition to the space between slots."""
HAND_TEXTS = ["Ac", "2c", "3c", "4d", "5d", "6d", "Kc", "Kd", "Kh", "9s"]
OTHER_HAND = "2h 5h 6h 8h 9h 5s 6s 8s Ts Qd"


@pytest.mark.thorough
@examples(6)
@given(any_view(seat_views))
def test_the_picture_shows_exactly_the_hand_and_public_cards(view: SeatView) -> None:
    """Under any rules the picture shows the hand, the top of the pile and the knocker's cards, in at most 26 KB."""
    picture, knock = draw_hand(view), view.public.knock
    shown = [] if knock is None else [*knock.arrangement.cards, *(lay_off.card for lay_off in knock.lay_offs)]
    if knock is None or knock.seat != view.seat:
        shown += [*view.hand, *view.public.discards[-1:]]
    assert visible_cards(picture) == sorted(shown)
    assert len(picture.content) <= 26 * KILOBYTE
    assert len(picture.alt) <= 1024


@pytest.mark.nightly
@examples(6)
@given(hands(8, 11), st.sampled_from(HandOrder))
def test_every_hand_lies_in_the_same_slots(hand: Hand, order: HandOrder) -> None:
    """A hand lies in the same slots, five to a row, whatever its melds and order. A new card follows after a gap."""
    new = list(hand)[len(hand) // 2]
    before = view_with_hand(hand - new)
    assert slot_positions(before, order) == SLOTS[: len(hand) - 1]
    x, y = SLOTS[len(hand) - 2]
    new_card_position = (x + SLOTS[1][0] - SLOTS[0][0] + NEW_CARD_GAP, y)
    assert slot_positions(view_with_hand(hand, new), order) == [*SLOTS[: len(hand) - 1], new_card_position]


def slot_positions(view: SeatView, order: HandOrder) -> list[tuple[int, int]]:
    """Return the positions of a hand's cards in its picture, in the order of the slots."""
    at = {card.card: (card.x, card.y) for card in read_cards(draw_hand(view, order=order)) if card.card in view.hand}
    assert len(at) == len(view.hand)
    return [at[card] for card in hand_in_order(view, order)]


def test_the_picture_is_the_same_size_for_every_hand_and_fits_a_phone() -> None:
    """Pictures of seven, ten and eleven cards have the same size: 800 pixels wide and at most 480 high."""
    sizes = {draw_hand(view_with_hand(Hand.parse(" ".join(HAND_TEXTS[:number])))).size for number in (7, 10)}
    sizes |= {draw_hand(view).size for view in seat_views(1)[:4]}
    (size,) = sizes
    assert size[0] == 800
    assert size[1] <= 480


def test_a_draw_and_its_discard_move_no_card_of_the_picture() -> None:
    """If a player draws a card that fits no meld and discards it again, every other card keeps its position."""
    hand = "4c 4h 4s Tc Jh Ac 2s 3s 8c Kd"
    places: list[dict[str, tuple[int, int]]] = []
    for moves in (("pass", "pass"), ("pass", "pass", "draw"), ("pass", "pass", "draw", "x Qh")):
        view = seat_view(match_after("classic", hand, OTHER_HAND, *moves, stock="Qh"), Seat(0))
        seen = read_cards(draw_hand(view))
        places.append({card.card.text: (card.x, card.y) for card in seen if card.card in view.hand})
    before, drawn, after = places
    assert before == after
    assert drawn == {**before, "Qh": NEW_CARD_POSITION}


def test_a_new_card_is_framed_and_never_covered() -> None:
    """The card just drawn is uncovered. Its frame is gold, or in the colour of its meld."""
    view = view_with_hand(Hand.parse("4c 4h 4s Th Jh Ac 2s 3s 8c Kd Qh"))
    for new, frame in (("Kd", GOLD), ("Qh", MELD_COLOURS[1])):
        picture = draw_hand(replace(view, new_card=Card.parse(new)))
        x, y = NEW_CARD_POSITION
        assert pixel_colour(picture, x + 20, y - 3) == frame
        shown = decoded_rgb(picture).crop((x + 6, y + 6, x + LARGE.width - 6, y + LARGE.height - 6))
        alone = rendered(face(Card.parse(new)), DEFAULT_APPEARANCE)
        assert shown.tobytes() == alone.crop((6, 6, LARGE.width - 6, LARGE.height - 6)).tobytes()


def test_neighbours_of_a_meld_are_joined_by_its_colour() -> None:
    """The gap between neighbouring cards of a meld has the meld's colour, and other gaps show the felt.

    That holds for hands sorted by melds and by rank, and for the gap before the new card.
    """
    view = view_with_hand(Hand.parse("4c 4h 4s Th Jh Qh Ac 2s 3s 8c"))
    picture = draw_hand(view)
    gaps = [pixel_colour(picture, x + LARGE.width + 5, y + 60) for x, y in SLOTS]
    first, second = MELD_COLOURS[:2]
    assert [(gap == first, gap == second) for gap in gaps[:4]] == [(True, False)] * 2 + [(False, False)] * 2
    assert [(gap == first, gap == second) for gap in gaps[5:9]] == [(False, True)] * 2 + [(False, False)] * 2
    by_rank = draw_hand(view, order=HandOrder.RANK)
    assert [pixel_colour(by_rank, x + LARGE.width + 5, y + 60) == first for x, y in SLOTS[:4]] == [False] * 2 + [
        True
    ] * 2
    drawn = draw_hand(view_with_hand(Hand.parse("4c 4h 4s Th Jh Qh Ac 2s 3s 8c Kh"), Card.parse("Kh")))
    x, y = NEW_CARD_POSITION[0] - 20, NEW_CARD_POSITION[1]
    assert pixel_colour(drawn, x, y + LARGE.height // 2) == second
    assert pixel_colour(drawn, x, y + 20) != second


def test_a_link_leads_from_the_first_row_to_the_second() -> None:
    """If the end of the first row splits a meld, its colour leads down from the first row and up from the second."""
    (last_x, last_y), (first_x, first_y) = SLOTS[4:6]
    for cards in ("Ac Ad As 3h 4h 5h Js Qs Ks 9d", "2h 3h 4h 5h 6h 7h Jc Jd Js 9d"):
        picture = draw_hand(view_with_hand(Hand.parse(cards)))
        assert pixel_colour(picture, last_x + LARGE.width - 14, last_y + LARGE.height + 12) == MELD_COLOURS[1]
        assert pixel_colour(picture, first_x + 14, first_y - 12) == MELD_COLOURS[1]


@pytest.mark.parametrize("theme", THEMES)
def test_marks_hide_nothing_printed_on_cards(theme: str) -> None:
    """Labels, the colours of melds and the frame of a new card hide nothing that is printed on a card."""
    hand, look = Hand.parse("Ac Ad As 3h 4h 5h Ts Js Qs Ks 3d"), Appearance(theme)
    choices = tuple(DiscardChoice(card, 10, True, True) for card in hand)
    view = replace(view_with_hand(hand), new_card=Card.parse("5h"), discard_choices=choices)
    picture = draw_hand(view, look)
    for card, (x, y) in zip(hand_in_order(view, HandOrder.MELDS), [*SLOTS, NEW_CARD_POSITION], strict=True):
        alone = rendered(face(card, look), look)
        inner = (4, 4, LARGE.width - 4, LARGE.height - 4)
        shown = decoded_rgb(picture).crop((x, y, x + LARGE.width, y + LARGE.height))
        assert shown.crop(inner).tobytes() == alone.crop(inner).tobytes()


def test_the_pile_and_the_stock_are_next_to_the_hand() -> None:
    """The top of the pile lies next to the first row, and the stock shows its number of cards."""
    waiting = seat_view(match_after("classic", " ".join(HAND_TEXTS), OTHER_HAND), Seat(0))
    shown = read_cards(draw_hand(waiting))
    assert [(card.x, card.y) for card in shown if card.card not in waiting.hand] == [
        (NEW_CARD_POSITION[0], SLOTS[0][1])
    ]
    fewer = replace(waiting, public=replace(waiting.public, stock=4))
    assert draw_hand(fewer).content != draw_hand(waiting).content
    assert draw_hand(fewer).alt.endswith(
        "Top of the discard pile: 7♣. Stock: 4 cards. Take or pass. Knock with 10 or less."
    )
    empty = replace(waiting, public=replace(waiting.public, stock=0, discards=()))
    assert "The discard pile is empty. Stock: 0 cards." in draw_hand(empty).alt


@pytest.mark.nightly
def test_gin_is_celebrated_and_no_card_moves() -> None:
    """If the player has gin, the rail at the top turns gold, and every card keeps its position."""
    match = match_after("big", f"{GIN_HAND} Ks", POOR_HAND, "pass", "pass", "draw", stock="7d")
    gin = seat_view(match, Seat(0))
    plain = replace(gin, discard_choices=(), moves=())
    assert gin.can_go_big_gin
    golden, usual = draw_hand(gin), draw_hand(plain)
    assert pixel_colour(golden, 400, 5) == GOLD
    assert pixel_colour(usual, 400, 5) != GOLD
    assert len(read_cards(golden)) == 12
    assert read_cards(golden) == read_cards(usual)


@pytest.mark.parametrize(
    ("aces", "run"),
    [("low", "J♣ Q♣ K♣"), ("high_low", "Q♣ K♣ A♣"), ("round_the_corner", "K♣ A♣ 2♣"), ("high_low", "A♣ 2♣ 3♣")],
)
def test_runs_lie_in_their_order(aces: Aces, run: str) -> None:
    """A run with a high ace, or round the corner, is drawn and described in the order of the run, not by rank."""
    view = view_with_hand(Hand.parse(f"{run} 5h 7h 9d 9s"), aces=aces)
    rules = replace(view.public.rules, aces=aces)
    picture = draw_hand(replace(view, public=replace(view.public, rules=rules)))
    assert [card.card.symbol for card in read_cards(picture)][:3] == run.split()
    assert f"Run {run};" in picture.alt


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has all facts of the picture, with the cards row by row."""
    hand = Hand.parse("4c 4h 4s Th Jh Qh Kh Ac 2s 3s 8c")
    view = replace(view_with_hand(hand), new_card=next(card for card in hand if card.symbol == "K♥"), moves=())
    assert draw_hand(view).alt == (
        "Your hand: 4♣ 4♥ 4♠ A♣ 2♠. Second row: 3♠ 8♣ 10♥ J♥ Q♥. New card: K♥. "
        "Set 4♣ 4♥ 4♠; run 10♥ J♥ Q♥ K♥; deadwood 14. Top of the discard pile: 6♦. Stock: 31 cards. "
        "Knock with 10 or less."
    )
    assert draw_hand(view, order=HandOrder.SUIT).alt.startswith(
        "Your hand: A♣ 4♣ 4♥ 4♠ 8♣. Second row: 2♠ 3♠ 10♥ J♥ Q♥. New card: K♥. "
    )


@pytest.mark.thorough
@pytest.mark.parametrize(("gin", "knock"), [(True, True), (False, True), (False, False)])
def test_the_alt_text_says_if_the_player_can_knock_or_go_gin(gin: bool, knock: bool) -> None:
    """The alt text mentions gin if the player has gin, a knock if they can only knock, and otherwise neither."""
    view = next(
        view
        for seed in range(9)
        for view in seat_views(seed)
        if (view.can_go_gin, any(choice.can_knock for choice in view.discard_choices)) == (gin, knock)
    )
    alt = draw_hand(view).alt
    assert ("You have gin" in alt) == gin
    assert ("You can knock" in alt) == (knock and not gin)


def test_the_alt_text_says_big_gin_only_if_the_rules_have_it() -> None:
    """If eleven cards are melded, the alt text says big gin if the rules have it, and otherwise gin."""
    for rules, said in (("big", "You have big gin"), ("classic", "You have gin")):
        match = match_after(rules, f"{GIN_HAND} Ks", POOR_HAND, "pass", "pass", "draw", stock="7d")
        picture = draw_hand(seat_view(match, Seat(0)))
        assert len(visible_cards(picture)) == 12
        assert said in picture.alt


@pytest.mark.parametrize(
    ("upcard", "said"),
    [
        ("7c", "Knock with 7 or less."),
        ("7s", "Knock with 7 or less; the deal counts double."),
        ("As", "Gin only; the deal counts double."),
    ],
)
def test_the_knock_limit_and_doubling_are_shown(upcard: str, said: str) -> None:
    """If the upcard sets the knock limit, the picture shows the limit, and whether the deal counts double."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    plain, double = (
        draw_hand(seat_view(match_after(f"oklahoma spade_doubles={doubles}", *hands, upcard=upcard), Seat(0)))
        for doubles in ("off", "on")
    )
    assert double.alt.endswith(said)
    assert (plain.content == double.content) == ("double" not in said)


def test_at_the_wall_a_hand_says_whether_the_last_discard_goes_out() -> None:
    """At the wall, the alt text says if the player can go out with the last discard or can only pass."""
    view = seat_view(at_the_wall(), Seat(1))
    helpless = draw_hand(view)
    able = draw_hand(seat_view(at_the_wall("tournament knock_limit=100"), Seat(1)))
    assert "You can only pass" in helpless.alt
    assert "You can go out" in able.alt
    assert helpless.content != able.content


def test_a_seat_that_sits_out_has_no_picture() -> None:
    """Drawing the hand of a seat that sits out the deal raises an error."""
    view = seat_views(0, "rotation target=40", 3)[0]
    out = next(Seat(seat) for seat in range(3) if Seat(seat) not in view.public.seats)
    with pytest.raises(LookupError, match="sits out deal 1"):
        draw_hand(replace(view, seat=out, hand=Hand()))
