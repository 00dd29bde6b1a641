"""Meters on panels: horizontal bars with round ends, of which coloured parts show shares of a whole."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops

from cardart.drawing.painting import Painting, Sprite, half_covered_mask, inked, translated
from cardart.drawing.palette import (
    BLACK,
    FELT,
    MIST,
    RECESS,
    SEAM,
    SEAT_COLOURS,
    STEPS,
    Colour,
    palette_index,
    shade_index,
)
from cardart.drawing.shapes import rounded_mask

Part = tuple[int, int, Colour | None]
"""A part of a meter: its first pixel, the first pixel after it, and its colour; None for a hollow part.

`MIST` is drawn halfway to the felt, so that it stands back behind the white of text.
"""

_TRACK_TABLE: Final = bytes(coverage // 2 for coverage in range(256))
"""For each coverage of a meter, the coverage of its empty parts, which are fainter than lines in every theme."""
_HALF_MIST: Final = palette_index(RECESS), shade_index(RECESS, MIST, STEPS // 4), shade_index(FELT, MIST, STEPS // 2)
_HALF_MIST_TABLE: Final = bytes(_HALF_MIST[round(2 * coverage / 255)] for coverage in range(256))
"""For each coverage of a panel by mist that is halfway to the felt, its palette index."""
_GAP: Final = 2
"""Space between two parts, in pixels."""
_OUTLINE: Final = 2
"""Thickness of the outline of a hollow part, in pixels."""


@lru_cache(512)
def meter(width: int, height: int, parts: tuple[Part, ...]) -> Sprite:
    """Return a meter in a box of `width` by `height` pixels, for a panel. It is faint except for its parts."""
    size, radius = (width, height), height / 2
    shape = rounded_mask(size, radius)
    painting = Painting(size, RECESS)
    painting.image.paste(inked(translated(shape, "L", _TRACK_TABLE), SEAM, RECESS))
    for left, right, colour in (part for part in parts if part[0] < part[1]):
        painting.paint_layer(RECESS, _within(shape, left - _GAP, right + _GAP))
        if colour is None:
            painting.paint_layer(MIST, _within(shape, left, right))
            inner = _within(rounded_mask(size, radius, _OUTLINE), left + _OUTLINE, right - _OUTLINE)
            painting.paint_layer(RECESS, inner)
        elif colour == MIST:
            box = left, 0, right, height
            painting.image.paste(translated(shape.crop(box), "P", _HALF_MIST_TABLE), box)
        elif colour in SEAT_COLOURS:
            # The palette has shades between these colours and BLACK, but none between them and panels.
            coverage = _within(shape, left, right)
            painting.image.paste(inked(coverage, colour, BLACK), mask=half_covered_mask(coverage))
        else:
            painting.paint_layer(colour, _within(shape, left, right))
    return Sprite(painting.image)


def _within(shape: Image.Image, left: int, right: int) -> Image.Image:
    """Return the part of a coverage from `left` up to `right`."""
    stripe = Image.new("L", shape.size)
    stripe.paste(255, (left, 0, max(left, right), shape.height))
    return ImageChops.multiply(shape, stripe)
