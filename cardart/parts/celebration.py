"""Confetti and a golden rail, to celebrate gin, big gin, an undercut, or the end of a match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import cos, pi, sin
from random import Random
from typing import Final

from PIL import ImageChops

from cardart.drawing.canvas import CORNER, RAIL, Canvas
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, GOLD, SEAT_COLOURS, Colour
from cardart.drawing.shapes import mask, rounded_mask

_PIECES: Final = 50
"""Pieces of confetti per 100,000 pixels."""
_CLEAR: Final = 14
"""Minimum distance of confetti from the ends of a free stretch, in pixels."""
_SEED: Final = 10
"""An arbitrary number. A fixed seed gives the same picture the same confetti every time."""

Free = tuple[int, int]
"""A horizontal stretch in which confetti may fall: its left and right end, in pixels from the left of the box."""


def draw_confetti(canvas: Canvas, box: tuple[int, int, int, int], free: Sequence[Free], pieces: int = _PIECES) -> None:
    """Draw confetti in the free stretches of a box, given as left, top, width and height.

    `pieces` is the number of pieces per 100,000 pixels of the box.
    """
    left, top, width, height = box
    chance = Random(_SEED)
    for number in range(width * height * pieces // 100_000):
        across, down = chance.randrange(_CLEAR, width - _CLEAR), chance.randrange(_CLEAR, height - _CLEAR)
        colour = (GOLD, *SEAT_COLOURS)[number % (1 + len(SEAT_COLOURS))]
        piece = _piece(colour, chance.randrange(6), chance.choice((9, 11, 13)))
        if any(start + _CLEAR <= across <= end - piece.width - _CLEAR for start, end in free):
            canvas.put(piece, left + across, top + down - piece.height // 2)


def gild_rail(canvas: Canvas, size: tuple[int, int]) -> None:
    """Draw a golden rail around a picture of the given size."""
    wide, high = size
    for outer, inner, colour in ((0, RAIL, GOLD), (RAIL, RAIL + 1, EDGE)):
        for top, bottom in ((outer, inner), (high - inner, high - outer)):
            canvas.fill((CORNER, top, wide - CORNER, bottom), colour)
        for left, right in ((outer, inner), (wide - inner, wide - outer)):
            canvas.fill((left, CORNER, right, high - CORNER), colour)
    for corner, (x, y) in zip(_gold_corners(), product((0, wide - CORNER), (0, high - CORNER)), strict=True):
        canvas.put(corner, x, y)


@cache
def _gold_corners() -> tuple[Sprite, ...]:
    """Return the corners of a golden rail: top left, bottom left, top right and bottom right."""
    size = (2 * CORNER + 2, 2 * CORNER + 2)
    rail = Painting(size, GOLD).lay(EDGE, rounded_mask(size, CORNER, RAIL)).image
    covered = ImageChops.invert(rounded_mask(size, CORNER, RAIL + 1))
    boxes = [(x, y, x + CORNER, y + CORNER) for x, y in product((0, CORNER + 2), repeat=2)]
    return tuple(cut_out(rail.crop(box), covered.crop(box)) for box in boxes)


@cache
def _piece(colour: Colour, turn: int, side: int) -> Sprite:
    """Return a scrap of paper, rotated by `turn` times 30 degrees."""
    angle = pi * turn / 6
    across, along = (50 * cos(angle), 50 * sin(angle)), (-22 * sin(angle), 22 * cos(angle))
    corners = [
        (50 + one * across[0] + two * along[0], 50 + one * across[1] + two * along[1])
        for one, two in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    path = f"M {' L '.join(f'{x} {y}' for x, y in corners)} Z"
    return cut_out(Painting((side, side), colour).image, mask((side, side), side / 100, [path]))
