"""The palette holds what the pictures need."""

from __future__ import annotations

from cardart.drawing.palette import (
    BLACK,
    FACE,
    FELT,
    GOLD,
    RED,
    SEAT_COLOURS,
    SHADES,
    SUIT_INKS,
    TEXT,
    index,
    palette_bytes,
)


def test_all_shades_fit_into_one_palette() -> None:
    """A PNG palette has at most 256 entries."""
    assert SHADES <= 256


def test_colours_stay_apart() -> None:
    """The colours that carry meaning have entries of their own."""
    colours = (FELT, FACE, TEXT, BLACK, RED, GOLD, *SEAT_COLOURS, *SUIT_INKS.values())
    assert len({index(colour) for colour in colours}) == len(colours)


def test_drawn_colours_are_the_first_shades() -> None:
    """What is drawn in a colour is shown in exactly the colour that replaces it."""
    drawn = list(dict.fromkeys((FELT, FACE, TEXT, BLACK, RED, GOLD, *SEAT_COLOURS, *SUIT_INKS.values())))
    negative = palette_bytes(lambda colour: (255 - colour[0], 255 - colour[1], 255 - colour[2]))
    for colour in drawn:
        place = 3 * index(colour)
        assert tuple(negative[place : place + 3]) == tuple(255 - channel for channel in colour)
