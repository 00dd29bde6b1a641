"""Confetti and a golden rail, to celebrate gin, big gin, an undercut, or the end of a match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import cos, pi, sin
from random import Random
from typing import Final

from PIL import ImageChops

from cardart.drawing.canvas import RAIL_RADIUS, RAIL_WIDTH, Canvas
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import EDGE, GOLD, SEAT_COLOURS, Colour
from cardart.drawing.shapes import path_mask, rounded_mask

_CONFETTI_DENSITY: Final = 50
"""Pieces of confetti per 100,000 pixels."""
_CONFETTI_MARGIN: Final = 14
"""Minimum distance, in pixels, between a piece of confetti and the ends of the `FreeStretch` in which it falls."""
_SEED: Final = 10
"""An arbitrary number. A fixed seed gives the same picture the same confetti every time."""

FreeStretch = tuple[int, int]
"""A horizontal stretch in which confetti can fall: its left and right end, in pixels from the left of the box."""


def draw_confetti(
    canvas: Canvas, box: tuple[int, int, int, int], free: Sequence[FreeStretch], density: int = _CONFETTI_DENSITY
) -> None:
    """Draw confetti in the free stretches of a box, given as left, top, width and height.

    `density` is the number of pieces per 100,000 pixels of the box.
    """
    left, top, width, height = box
    rng = Random(_SEED)
    for piece_number in range(width * height * density // 100_000):
        x, y = (
            rng.randrange(_CONFETTI_MARGIN, width - _CONFETTI_MARGIN),
            rng.randrange(_CONFETTI_MARGIN, height - _CONFETTI_MARGIN),
        )
        colour = (GOLD, *SEAT_COLOURS)[piece_number % (1 + len(SEAT_COLOURS))]
        piece = _confetti_piece(colour, rng.randrange(6), rng.choice((9, 11, 13)))
        if any(start + _CONFETTI_MARGIN <= x <= end - piece.width - _CONFETTI_MARGIN for start, end in free):
            canvas.put(piece, left + x, top + y - piece.height // 2)


def draw_golden_rail(canvas: Canvas, size: tuple[int, int]) -> None:
    """Draw a golden rail around a picture of the given size."""
    width, height = size
    for outer, inner, colour in ((0, RAIL_WIDTH, GOLD), (RAIL_WIDTH, RAIL_WIDTH + 1, EDGE)):
        for top, bottom in ((outer, inner), (height - inner, height - outer)):
            canvas.fill((RAIL_RADIUS, top, width - RAIL_RADIUS, bottom), colour)
        for left, right in ((outer, inner), (width - inner, width - outer)):
            canvas.fill((left, RAIL_RADIUS, right, height - RAIL_RADIUS), colour)
    for corner, (x, y) in zip(
        _gold_corners(), product((0, width - RAIL_RADIUS), (0, height - RAIL_RADIUS)), strict=True
    ):
        canvas.put(corner, x, y)


@cache
def _gold_corners() -> tuple[Sprite, ...]:
    """Return the corners of a golden rail: top left, bottom left, top right and bottom right."""
    size = (2 * RAIL_RADIUS + 2, 2 * RAIL_RADIUS + 2)
    rail = Painting(size, GOLD).paint_layer(EDGE, rounded_mask(size, RAIL_RADIUS, RAIL_WIDTH)).image
    covered = ImageChops.invert(rounded_mask(size, RAIL_RADIUS, RAIL_WIDTH + 1))
    boxes = [(x, y, x + RAIL_RADIUS, y + RAIL_RADIUS) for x, y in product((0, RAIL_RADIUS + 2), repeat=2)]
    return tuple(cut_out(rail.crop(box), covered.crop(box)) for box in boxes)


@cache
def _confetti_piece(colour: Colour, rotation: int, side: int) -> Sprite:
    """Return a scrap of paper, rotated by `rotation` times 30 degrees."""
    angle = pi * rotation / 6
    across, along = (50 * cos(angle), 50 * sin(angle)), (-22 * sin(angle), 22 * cos(angle))
    corners = [
        (50 + one * across[0] + two * along[0], 50 + one * across[1] + two * along[1])
        for one, two in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    path = f"M {' L '.join(f'{x} {y}' for x, y in corners)} Z"
    return cut_out(Painting((side, side), colour).image, path_mask((side, side), side / 100, [path]))
