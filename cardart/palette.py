"""The colours, and the one palette of at most 256 shades that all pictures share.

Everything is drawn in full colour once, as a small sprite, and kept as indices into this palette; a picture is then
put together by copying indices, which is what makes it cheap. The palette holds each colour, and for each pair of
colours that meet in a picture the shades between them, which smooth edges need.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Final

from PIL import Image

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

FELT: Final[Colour] = (35, 88, 75)
RECESS: Final[Colour] = (25, 68, 58)
SEAM: Final[Colour] = (66, 122, 107)
EDGE: Final[Colour] = (14, 40, 34)
FACE: Final[Colour] = (253, 251, 244)
BLACK: Final[Colour] = (28, 30, 38)
RED: Final[Colour] = (203, 32, 45)
GOLD: Final[Colour] = (240, 190, 72)
MIST: Final[Colour] = (176, 208, 196)
NAVY: Final[Colour] = (38, 58, 112)
SKY: Final[Colour] = (146, 170, 222)
SKIN: Final[Colour] = (246, 214, 182)
HAIR: Final[Colour] = (122, 72, 44)
SEATS: Final[tuple[Colour, ...]] = ((108, 196, 240), (255, 160, 92), (196, 166, 250), (188, 222, 98))
"""The colour of each seat's mark."""

_LINES: Final[tuple[tuple[Colour, ...], ...]] = (
    (RECESS, FACE, RED, BLACK, FACE),
    (FELT, FACE, EDGE, FELT, SEAM, RECESS),
    (RECESS, MIST, FELT, GOLD, RECESS),
    (RED, GOLD, BLACK, SKIN, HAIR, BLACK),
    (FACE, GOLD, HAIR, FACE, SKIN, RED),
    (GOLD, SKIN),
    (EDGE, NAVY, FACE, SKY, NAVY),
    (EDGE, GOLD),
    *((FELT, seat, RECESS) for seat in SEATS),
    *((BLACK, seat, EDGE) for seat in SEATS),
)
"""Colours that meet, as lines from one to the next."""

_STEPS: Final = 2
_DISTINCT: Final = 5
"""Shades whose channels all differ by less are one: the eye, and Pillow's search for the nearest, take them for it."""


@cache
def palette() -> Image.Image:
    """An image that carries the palette."""
    # The felt is shade 0, as is the byte that begins each row of a PNG: stretches of bare felt pack best that way.
    shades: list[Colour] = list(dict.fromkeys((FELT, *(colour for line in _LINES for colour in line))))
    for start, end in (pair for line in _LINES for pair in pairwise(line)):
        for step in range(1, _STEPS):
            shade = _between(start, end, step / _STEPS)
            if all(_distance(shade, other) >= _DISTINCT for other in shades):
                shades.append(shade)
    carrier = Image.new("P", (1, 1))
    carrier.putpalette([channel for shade in shades for channel in shade])
    return carrier


def quantised(image: Image.Image) -> Image.Image:
    """An RGB image as indices into the palette, each pixel the nearest shade."""
    return image.quantize(palette=palette(), dither=Image.Dither.NONE)


@cache
def index(colour: Colour) -> int:
    """A colour's place in the palette."""
    found = quantised(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
    assert isinstance(found, int)
    return found


def _between(start: Colour, end: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def _distance(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
