"""Players' badges, with a monogram on their seat's shape and colour; shields for people without a seat; and medals."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

from PIL import Image

from bot.engine.deals.moves import Seat
from cardart.drawing.lettering import baseline, can_write, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import BLACK, EDGE, GOLD, SEAT_COLOURS, SILVER, TAN, Colour
from cardart.drawing.shapes import circle, layered_mask, path_mask, rounded_mask

_SEAT_SHAPES: Final = (
    circle(50, 50, 48),
    "M 50 0 C 56 0 60 4 64 8 L 92 36 C 96 40 100 44 100 50 C 100 56 96 60 92 64 L 64 92 C 60 96 56 100 50 100 "
    "C 44 100 40 96 36 92 L 8 64 C 4 60 0 56 0 50 C 0 44 4 40 8 36 L 36 8 C 40 4 44 0 50 0 Z",
    "M 18 4 L 82 4 C 91 4 96 9 96 18 L 96 82 C 96 91 91 96 82 96 L 18 96 C 9 96 4 91 4 82 L 4 18 C 4 9 9 4 18 4 Z",
    "M 30 4 L 70 4 C 76 4 79 6 82 11 L 97 40 C 100 46 100 54 97 60 L 82 89 C 79 94 76 96 70 96 L 30 96 "
    "C 24 96 21 94 18 89 L 3 60 C 0 54 0 46 3 40 L 18 11 C 21 6 24 4 30 4 Z",
)
"""A circle, a diamond, a square and a hexagon, in boxes of 100 by 100."""
_CREST_PATH: Final = (
    "M 50 1 C 62 8 78 12 93 12 L 93 54 C 93 78 74 92 50 99 C 26 92 7 78 7 54 L 7 12 C 22 12 38 8 50 1 Z"
)
"""A shield: the badge of a person without a seat."""
_FLAME_PATH: Final = (
    "M 38 0 C 42 22 84 38 84 68 C 84 90 64 100 42 100 C 20 100 0 90 0 68 C 0 52 10 42 18 30 C 20 40 24 46 30 48 "
    "C 36 34 30 16 38 0 Z"
)
_FLAME_CORE_PATH: Final = "M 44 52 C 46 62 61 66 61 79 C 61 88 53 92 43 92 C 33 92 25 88 25 79 C 25 66 42 64 44 52 Z"
"""A flame, and the core of a large one, in a box of 84 by 100."""
_MAX_LETTERS_HEIGHT: Final = 0.42
_MAX_LETTERS_WIDTH: Final = 0.57
"""Maximum height (`_MAX_LETTERS_HEIGHT`) and width (`_MAX_LETTERS_WIDTH`) of a monogram, as fractions of its badge."""
_EDGE_WIDTH: Final = 2
_RING_RATIO: Final = 0.06
"""Width of the ring around a shield, as a fraction of the shield's side."""
MEDAL_SIZE: Final = 50
"""Diameter of a medal, in pixels."""
MEDAL_COLOURS: Final = (GOLD, SILVER, TAN)
"""Medal colours of the first three places: gold, silver and bronze."""
_MEDAL_CAP_RATIO: Final = 0.52
"""Cap height of the number on a medal, as a fraction of the medal's diameter."""
_MONOGRAM_PATTERN: Final = re.compile("[A-Z0-9]{1,2}")


def _monogram_mask(monogram: str, side: int) -> Image.Image:
    """Return the coverage of a monogram, as large as fits into a shape of `side` pixels."""
    max_cap = side * _MAX_LETTERS_HEIGHT
    letters = text_mask(monogram, round(max_cap))
    left, _, right, _ = letters.getbbox() or (0, 0, 0, 0)
    if right - left > side * _MAX_LETTERS_WIDTH:
        letters = text_mask(monogram, round(max_cap * side * _MAX_LETTERS_WIDTH / (right - left)))
    return letters.crop(letters.getbbox())


@lru_cache(256)
def badge(seat: Seat, monogram: str, side: int) -> Sprite:
    """Return a badge with the shape and colour of the seat, in a square of `side` pixels.

    Raise `ValueError` if the monogram is not one or two characters of A-Z and 0-9.
    """
    if _MONOGRAM_PATTERN.fullmatch(monogram) is None:
        raise ValueError(f"{monogram!r} is not a monogram: one or two characters of A-Z and 0-9")
    return _stamped_shape(_SEAT_SHAPES[seat], SEAT_COLOURS[seat], _monogram_mask(monogram, side), side, EDGE)


@lru_cache(64)
def seat_mark(seat: Seat, side: int) -> Sprite:
    """Return the shape of a seat in its colour, without a monogram, in a square of `side` pixels."""
    return _stamped_shape(_SEAT_SHAPES[seat], SEAT_COLOURS[seat], Image.new("L", (1, 1)), side, EDGE)


@lru_cache(256)
def crest(letter: str, colour: Colour, side: int, ring: Colour | None = None) -> Sprite:
    """Return a shield with a letter that the font can write, in a square of `side` pixels.

    `colour` is one of the `SEAT_COLOURS`, and `ring` the colour of a ring around the shield.
    """
    ring_width = 0 if ring is None else round(side * _RING_RATIO) + _EDGE_WIDTH
    letters = _monogram_mask(letter, side - 2 * ring_width)
    return _stamped_shape(_CREST_PATH, colour, letters, side, BLACK, ring, ring_width)


def name_crest(name: str, side: int, ring: Colour | None = None) -> Sprite:
    """Return a shield with the first letter or digit of a name, in a colour that depends on the name.

    `ring` is as in `crest`. The font must be able to write the name: see `shown_name`.
    """
    letter = next(char for char in name if char.isalnum())
    capital = letter.upper()[:1]
    return crest(capital if can_write(capital) else letter, crest_colour(name), side, ring)


def crest_colour(name: str) -> Colour:
    """Return the colour of the shield with a name: always the same one of the `SEAT_COLOURS`."""
    return SEAT_COLOURS[(crc32(name.encode()) >> 16) % len(SEAT_COLOURS)]


@cache
def medal(place: int, side: int = MEDAL_SIZE, colour: Colour | None = None) -> Sprite:
    """Return the medal of the first, second or third place, with a diameter of `side` pixels.

    By default, it has the colour of its metal.
    """
    cap = round(side * _MEDAL_CAP_RATIO)
    size, letter = (side, side), text_mask(str(place), cap)
    fill: Colour = MEDAL_COLOURS[place - 1] if colour is None else colour
    painting = Painting(size, BLACK).paint_layer(fill, rounded_mask(size, side / 2, 2))
    painting.paint_layer(BLACK, letter, ((side - letter.width) // 2, (side + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, rounded_mask(size, side / 2))


def _stamped_shape(
    path: str,
    colour: Colour,
    sign: Image.Image,
    side: int,
    edge: Colour,
    ring: Colour | None = None,
    ring_width: int = 0,
) -> Sprite:
    """Return a shape in one colour with a sign in its middle, and a ring around it if it has a colour.

    `ring_width` includes the dark line between the ring and the shape.
    """
    layers = [] if ring is None else [(_EDGE_WIDTH, ring), (ring_width, edge)]
    painting = Painting((side, side), edge)
    for inset, layer in (*layers, (_EDGE_WIDTH + ring_width, colour)):
        inner = side - 2 * inset
        painting.paint_layer(layer, path_mask((inner, inner), inner / 100, [path]), (inset, inset))
    painting.paint_layer(BLACK, sign, ((side - sign.width) // 2, (side - sign.height) // 2))
    return cut_out(painting.image, path_mask((side, side), side / 100, [path]))


@cache
def streak_flame(height: int, ink: Colour, background: Colour, *, has_core: bool = False) -> Sprite:
    """Return the flame of a streak on a background of one colour, with a hollow core if it is large enough for one."""
    size = (height * 84 // 100 + 1, height)
    layers = [(True, [_FLAME_PATH]), *([(False, [_FLAME_CORE_PATH])] if has_core else [])]
    return Sprite(inked(layered_mask(size, height / 100, layers), ink, background))
