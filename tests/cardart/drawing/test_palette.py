"""The palette has the colours and shades that pictures need."""

from __future__ import annotations

from cardart.drawing.palette import (
    BLACK,
    FACE,
    FELT,
    GOLD,
    PALETTE_SIZE,
    PHOTO_ENTRY,
    RED,
    SEAT_COLOURS,
    SUIT_INKS,
    TEXT,
    palette_bytes,
    palette_index,
)


def test_all_shades_fit_into_one_palette() -> None:
    """All shades fit into the 256 entries of a PNG palette, and leave one entry to mark photos."""
    assert PALETTE_SIZE <= PHOTO_ENTRY


def test_colours_stay_apart() -> None:
    """Colours that carry meaning have palette entries of their own."""
    colours = (FELT, FACE, TEXT, BLACK, RED, GOLD, *SEAT_COLOURS, *SUIT_INKS.values())
    assert len({palette_index(colour) for colour in colours}) == len(colours)


def test_replacement_colours_are_exact() -> None:
    """If a theme replaces a colour, the palette has exactly the replacement."""
    drawn = list(dict.fromkeys((FELT, FACE, TEXT, BLACK, RED, GOLD, *SEAT_COLOURS, *SUIT_INKS.values())))
    negative = palette_bytes(lambda colour: (255 - colour[0], 255 - colour[1], 255 - colour[2]))
    for colour in drawn:
        place = 3 * palette_index(colour)
        assert tuple(negative[place : place + 3]) == tuple(255 - channel for channel in colour)
