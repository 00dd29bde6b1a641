"""The palette holds what the pictures need."""

from __future__ import annotations

from bot.engine.cards import Suit
from cardart.cards import INK
from cardart.palette import BLACK, FACE, FELT, GOLD, RED, SEATS, index, palette


def test_all_shades_fit_into_one_palette() -> None:
    """A PNG palette has at most 256 entries."""
    assert len(palette().getpalette() or ()) <= 3 * 256


def test_colours_stay_apart() -> None:
    """The colours that carry meaning have entries of their own."""
    colours = (FELT, FACE, BLACK, RED, GOLD, *SEATS)
    assert len({index(colour) for colour in colours}) == len(colours)


def test_suits_are_red_and_black() -> None:
    """Hearts and diamonds are red, spades and clubs black."""
    assert {suit for suit in Suit if INK[suit] == RED} == {Suit.HEARTS, Suit.DIAMONDS}
