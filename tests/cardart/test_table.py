"""The table's picture shows what everyone may see, and nothing more."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from PIL import Image

from bot.engine.cards import Hand
from bot.engine.match import Match, Play, Shuffle, apply, new_match
from bot.engine.moves import Move, Seat
from bot.engine.rules import Rules
from bot.engine.views import PublicView, public_view
from cardart import draw_table
from cardart.cards import SMALL, back
from tests.cardart.reader import cards, count
from tests.cardart.views import MARKS, any_of, public_views
from tests.engine.decks import deck

FOUR = ("S", "N", "E2", "W")


@settings(max_examples=10, deadline=None)
@given(any_of(public_views))
def test_the_last_discards_are_read_back_and_no_other_card(view: PublicView) -> None:
    """The picture shows the top of the pile and up to three beneath it, in at most 30 KB."""
    picture = draw_table(view, MARKS)
    assert cards(picture) == sorted(view.discards[-4:])
    assert len(picture.png) <= 30 * 1024
    assert len(picture.alt) <= 1024


@pytest.mark.parametrize("sizes", [(10, 11), (7, 8, 7), (7, 7, 7, 8), (10, 10, 11, 10), (0, 10, 10)])
def test_each_player_has_as_many_backs_as_cards(sizes: tuple[int, ...]) -> None:
    """Two to four seats show each card of each hand face down."""
    view = public_views(0)[9]
    view = replace(view, hand_sizes=sizes, score=replace(view.score, scores=(0,) * len(sizes)))
    edge = back(SMALL).image.crop((0, 12, 8, SMALL[1] - 12))
    assert count(draw_table(view, FOUR), edge) == sum(sizes)


def begun(first: str, dealer: str, *, upcard: str, stock: str) -> Match:
    """A match whose first player has just drawn from the stock after two passes."""
    match = apply(new_match(Rules(), 2), Shuffle(1, Seat(1), deck(first, dealer, upcard, stock)))
    for seat, move in ((0, "pass"), (1, "pass"), (0, "draw")):
        match = apply(match, Play(Seat(seat), Move.parse(move)))
    return match


def test_hidden_cards_change_neither_a_byte_nor_a_word() -> None:
    """Two deals that differ in every hand and in the stock, but not in what was seen, have the same picture."""
    one = begun("Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts", upcard="7c", stock="Ah")
    other = begun("2h 4h 6h 8h Th 2s 4s 6s 8s Ts", "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", upcard="7c", stock="Qd Jd")
    assert one.deal is not None
    assert other.deal is not None
    assert one.deal.hands != other.deal.hands
    assert draw_table(public_view(one), MARKS) == draw_table(public_view(other), MARKS)


def test_a_seen_card_does_change_the_picture() -> None:
    """The comparison of bytes can fail: another upcard is another picture."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    one, other = (draw_table(public_view(begun(*hands, upcard=up, stock="Ah")), MARKS) for up in ("7c", "7d"))
    assert one.png != other.png
    assert one.alt != other.alt


@pytest.mark.parametrize(
    "change",
    [{"turn": Seat(1)}, {"dealer": Seat(0)}, {"stock": 12}, {"number": 7}, {"knock_limit": 0}, {"hand_sizes": (9, 10)}],
)
def test_every_fact_is_in_the_picture_and_in_the_words(change: dict[str, object]) -> None:
    """Turn, dealer, stock, deal, knock limit and hands each change the picture and the alt text."""
    view = replace(public_views(0)[0], turn=Seat(0), dealer=Seat(1))
    before, after = draw_table(view, MARKS), draw_table(replace(view, **change), MARKS)
    assert before.png != after.png
    assert before.alt != after.alt


def test_the_words_say_all_facts() -> None:
    """The alt text has the turn, the piles, the players, the score and the limit."""
    pile = tuple(Hand.parse("2d 3c 7h 9s Kd"))
    score = replace(public_views(0)[0].score, scores=(37, 61))
    view = replace(public_views(0)[0], turn=Seat(0), dealer=Seat(1), stock=16, discards=pile, score=score, number=4)
    assert draw_table(view, MARKS).alt == (
        "Deal 4, play to 40. S to play. Stock: 16 cards face down. Discard pile: K♦ on top, under it 9♠ 7♥ 3♣. "
        "S: 10 cards face down, score 37. N: 10 cards face down, score 61, dealer. Knock with 10 or less."
    )


def test_the_end_of_a_match_is_said() -> None:
    """A match that is over says who won, or who resigned."""
    over = public_views(0)[-1]
    assert over.score.winner is not None
    assert f"The match is over: {MARKS[over.score.winner]} won" in draw_table(over, MARKS).alt
    assert "N resigned" in draw_table(replace(over, resigned=Seat(1)), MARKS).alt


def test_the_size_is_what_the_png_says() -> None:
    """A picture's size is the image's own, at most 1,100 pixels wide."""
    picture = draw_table(public_views(0)[0], MARKS)
    with Image.open(BytesIO(picture.png)) as image:
        assert image.size == picture.size
        assert image.mode == "P"
        assert image.width <= 1100
