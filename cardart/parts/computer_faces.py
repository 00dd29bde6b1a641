"""Faces of computer players: a robot for each level.

All parts have a black outline, because the palette has shades between black and each of their colours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import ImageChops

from bot.opponent.play.levels import Level
from cardart.drawing.painting import Painting, Sprite, cut_out, half_covered_mask
from cardart.drawing.palette import (
    AZURE,
    BLACK,
    COPPER,
    COURT_BACKGROUND,
    EDGE,
    GOLD,
    MIST,
    RED,
    SILVER,
    SKIN,
    TAN,
    TEXT,
    Colour,
)
from cardart.drawing.shapes import circle, ellipse, path_mask, rounded_mask, rounded_rectangle

_EDGE_WIDTH: Final = 2
_OUTLINE: Final = 5
"""Width of the outlines, in units of a hundredth of the face."""
_FRAME_RATIO: Final = 0.02
"""Width of the line between the ring and the face, as a fraction of the face. It is at least 1.5 pixels."""

_Part = tuple[Colour, str, float]
"""A colour, a path in a box of 100 by 100, and the width of the pen for a line, or 0 for a filled shape."""

_NOVICE: Final[tuple[_Part, ...]] = (
    (MIST, "M 50 30 L 50 16", 3),
    (RED, circle(50, 14, 7), 0),
    (MIST, rounded_rectangle(30, 78, 70, 130, 14), 0),
    (MIST, circle(17, 56, 7), 0),
    (MIST, circle(83, 56, 7), 0),
    (MIST, rounded_rectangle(19, 29, 81, 83, 27), 0),
    (TEXT, circle(37, 53, 11), 0),
    (TEXT, circle(63, 53, 11), 0),
    (BLACK, circle(40, 54, 3), 0),
    (BLACK, circle(60, 54, 3), 0),
    (BLACK, ellipse(50, 72, 3, 2), 0),
)
"""A small, round robot with wide eyes."""

_CASUAL: Final[tuple[_Part, ...]] = (
    (SILVER, rounded_rectangle(28, 76, 72, 130, 12), 0),
    (AZURE, "M 17 50 C 17 8 83 8 83 50", 6),
    (SILVER, rounded_rectangle(21, 26, 79, 83, 14), 0),
    (AZURE, rounded_rectangle(9, 42, 24, 70, 7), 0),
    (AZURE, rounded_rectangle(76, 42, 91, 70, 7), 0),
    (BLACK, rounded_rectangle(32, 38, 68, 56, 6), 0),
    (MIST, "M 35 51 C 36 42 43 42 44 51", 4),
    (MIST, "M 56 51 C 57 42 64 42 65 51", 4),
    (BLACK, "M 39 68 C 44 75 56 75 61 68", 0.1),
)
"""A relaxed robot with headphones and a smile."""

_STRONG: Final[tuple[_Part, ...]] = (
    (TAN, rounded_rectangle(22, 80, 78, 130, 6), 0),
    (TAN, "M 30 34 L 24 13", 4),
    (TAN, "M 70 34 L 76 13", 4),
    (GOLD, circle(24, 13, 5), 0),
    (GOLD, circle(76, 13, 5), 0),
    (COPPER, "M 26 28 L 74 28 L 85 46 L 78 80 L 61 90 L 39 90 L 22 80 L 15 46 Z", 0),
    (BLACK, "M 21 46 L 79 46 L 76 60 L 57 61 L 50 57 L 43 61 L 24 60 Z", 0),
    (GOLD, "M 27 50 L 43 57 L 30 58 Z", 1),
    (GOLD, "M 73 50 L 57 57 L 70 58 Z", 1),
    (TEXT, rounded_rectangle(36, 71, 64, 82, 2), 0),
    (BLACK, "M 45 71 L 45 82", 0.1),
    (BLACK, "M 55 71 L 55 82", 0.1),
)
"""An angular robot with two antennas, a visor and bared teeth."""

_EXPERT: Final[tuple[_Part, ...]] = (
    (SILVER, rounded_rectangle(24, 84, 76, 130, 12), 0),
    (GOLD, rounded_rectangle(24, 34, 76, 87, 17), 0),
    (BLACK, rounded_rectangle(31, 6, 69, 34, 3), 0),
    (RED, rounded_rectangle(31, 24, 69, 30, 0.5), 0),
    (BLACK, rounded_rectangle(16, 34, 84, 37, 1.5), 0),
    (TEXT, circle(37, 55, 7), 0),
    (BLACK, circle(38, 55, 1), 0),
    (BLACK, "M 76 58 C 82 66 80 76 76 92", 0.1),
    (TEXT, circle(64, 55, 11), 0),
    (BLACK, circle(63, 55, 2), 0),
    (BLACK, "M 50 71 C 45 68 38 70 35 74 C 40 76 46 76 50 73 C 54 76 60 76 65 74 C 62 70 55 68 50 71 Z", 0),
    (RED, "M 50 93 L 36 86 L 36 100 Z", 0),
    (RED, "M 50 93 L 64 86 L 64 100 Z", 0),
)
"""A golden robot with a top hat, a monocle, a moustache and a bow tie."""

_FACES: Final[dict[Level, tuple[Colour, tuple[_Part, ...]]]] = {
    Level.NOVICE: (COURT_BACKGROUND, _NOVICE),
    Level.CASUAL: (SKIN, _CASUAL),
    Level.STRONG: (MIST, _STRONG),
    Level.EXPERT: (COURT_BACKGROUND, _EXPERT),
}
"""The background and the parts of each level's face, lowest first."""


@lru_cache(128)
def computer_face(level: Level, ring: Colour, ring_width: int, side: int) -> Sprite:
    """Return the round face of a computer, in a ring of the given colour and width. `side` is the diameter in pixels.

    `ring_width` includes the dark edge.
    """
    size, inner = (side, side), side - 2 * ring_width
    painting = Painting(size, EDGE).paint_layer(ring, rounded_mask(size, side / 2, _EDGE_WIDTH))
    ground, parts = _FACES[level]
    painting.image.paste(
        _robot(ground, parts, inner).image,
        (ring_width, ring_width),
        half_covered_mask(rounded_mask((inner, inner), inner / 2)),
    )
    frame_width = max(1.5, inner * _FRAME_RATIO)
    outer, within = (rounded_mask(size, side / 2, ring_width + edge) for edge in (-frame_width / 2, frame_width / 2))
    painting.paint_layer(BLACK, ImageChops.subtract(outer, within))
    return cut_out(painting.image, rounded_mask(size, side / 2))


def _robot(ground: Colour, parts: tuple[_Part, ...], side: int) -> Painting:
    """Return a robot on a background of one colour."""
    size, unit = (side, side), side / 100
    painting = Painting(size, ground)
    for colour, path, pen in parts:
        painting.paint_layer(BLACK, path_mask(size, unit, [path], pen + _OUTLINE))
        if colour != BLACK:
            painting.paint_layer(colour, path_mask(size, unit, [path], pen))
    return painting
