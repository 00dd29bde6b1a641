"""Rays and confetti, for what is worth a celebration: gin, big gin and an undercut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import cos, pi, sin
from random import Random
from typing import Final

from cardart.drawing.canvas import Canvas, Sprite, cut_out
from cardart.drawing.painting import Painting
from cardart.drawing.palette import FELT, GOLD, RECESS, SEATS, Colour
from cardart.drawing.shapes import mask, rounded_mask

_RAYS: Final = 20
_PIECES: Final = 50
"""Pieces of confetti on a hundred thousand pixels."""
_RADIUS: Final = 14
_CLEAR: Final = 14
"""So near the ends of what is free nothing falls."""
_FIELDS: Final = 16
_SEED: Final = 10
"""Any will do; the same piece must always fall on the same spot."""


Free = tuple[int, int]
"""From where to where, in pixels from the left of a field, confetti may fall."""


def draw_celebration(canvas: Canvas, box: tuple[int, int, int, int], x: int, free: Sequence[Free]) -> None:
    """A field of rays that begin at x, at half its height, with confetti where nothing else will be.

    The box is left, top, width and height; x and the free stretches count from its left.
    """
    left, top, width, height = box
    canvas.put(_rays(width, height, x), left, top)
    chance = Random(_SEED)
    for number in range(width * height * _PIECES // 100_000):
        across, down = chance.randrange(_CLEAR, width - _CLEAR), chance.randrange(_CLEAR, height - _CLEAR)
        piece = _piece((GOLD, *SEATS)[number % (1 + len(SEATS))], chance.randrange(6), chance.choice((9, 11, 13)))
        if any(start + _CLEAR <= across <= end - piece.width - _CLEAR for start, end in free):
            canvas.put(piece, left + across, top + down - piece.height // 2)


@lru_cache(_FIELDS)
def _rays(width: int, height: int, x: int) -> Sprite:
    y, far = height / 2, float(width + height)
    wedges = [(2 * pi * number / _RAYS, 2 * pi * (number + 0.5) / _RAYS) for number in range(_RAYS)]
    rays = [
        f"M {x} {y} L {x + far * cos(one)} {y + far * sin(one)} L {x + far * cos(two)} {y + far * sin(two)} Z"
        for one, two in wedges
    ]
    field = Painting((width, height), FELT).paint(1, [(RECESS, rays)]).image
    return cut_out(field, rounded_mask((width, height), _RADIUS))


@cache
def _piece(colour: Colour, turn: int, side: int) -> Sprite:
    """A scrap of paper, turned by sixths of a half turn."""
    angle = pi * turn / 6
    across, along = (50 * cos(angle), 50 * sin(angle)), (-22 * sin(angle), 22 * cos(angle))
    corners = [
        (50 + one * across[0] + two * along[0], 50 + one * across[1] + two * along[1])
        for one, two in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    path = f"M {' L '.join(f'{x} {y}' for x, y in corners)} Z"
    return cut_out(Painting((side, side), colour).image, mask((side, side), side / 100, [path]))
