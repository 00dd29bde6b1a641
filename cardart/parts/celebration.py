"""Confetti, a golden rail, a crown and rays, to celebrate gin, an undercut, or the end of a match or of a season."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import cos, pi, sin
from random import Random
from typing import Final

from PIL import ImageChops

from cardart.drawing.canvas import RAIL_RADIUS, RAIL_WIDTH, Box, Canvas
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import EDGE, FELT, GOLD, RED, SEAM, SEAT_COLOURS, Colour
from cardart.drawing.shapes import circle, path_mask, rounded_mask

_CONFETTI_DENSITY: Final = 50
"""Pieces of confetti per 100,000 pixels."""
_CONFETTI_MARGIN: Final = 14
"""Minimum distance, in pixels, between a piece of confetti and the ends of the `FreeStretch` in which it falls."""
_SCATTERED_SIDES: Final = (13, 16, 19)
"""Sides of scattered pieces, in pixels."""
_SCATTER_FALL: Final = 1.5
"""Exponent of the heights of scattered pieces. The higher it is, the more pieces are near the top."""
_CLEAR_MARGIN: Final = 10
"""Minimum distance, in pixels, between a scattered piece and a clear box."""
_SEED: Final = 10
"""An arbitrary number. A fixed seed gives the same picture the same confetti every time."""

_CROWN_PATH: Final = "M 12 66 L 7 22 L 29 42 L 50 10 L 71 42 L 93 22 L 88 66 Z"
_CROWN_BAND_PATH: Final = "M 13 52 L 87 52 L 88 66 L 12 66 Z"
"""The outline of a crown, and its band, in a box of 100 by 70."""
_RAYS: Final = 20
_INNER_RAY_RADIUS: Final = 0.8
"""Distance of the notches between rays from the middle, as a fraction of the distance of their tips."""

FreeStretch = tuple[int, int]
"""A horizontal stretch in which confetti can fall: its left and right end, in pixels from the left of the box."""


def draw_confetti(
    canvas: Canvas,
    box: tuple[int, int, int, int],
    free: Sequence[FreeStretch],
    density: int = _CONFETTI_DENSITY,
    seed: int = _SEED,
) -> None:
    """Draw confetti in the free stretches of a box, given as left, top, width and height.

    `density` is the number of pieces per 100,000 pixels of the box. The same `seed` gives boxes of the same size the
    same confetti.
    """
    left, top, width, height = box
    rng = Random(seed)
    for piece_number in range(width * height * density // 100_000):
        x, y = (
            rng.randrange(_CONFETTI_MARGIN, width - _CONFETTI_MARGIN),
            rng.randrange(_CONFETTI_MARGIN, height - _CONFETTI_MARGIN),
        )
        colour = (GOLD, *SEAT_COLOURS)[piece_number % (1 + len(SEAT_COLOURS))]
        piece = _confetti_piece(colour, rng.randrange(6), rng.choice((9, 11, 13)))
        if any(start + _CONFETTI_MARGIN <= x <= end - piece.width - _CONFETTI_MARGIN for start, end in free):
            canvas.put(piece, left + x, top + y - piece.height // 2)


def scatter_confetti(canvas: Canvas, box: Box, kept_clear: Sequence[Box], number: int) -> None:
    """Scatter pieces of confetti over a box, more of them near its top, but none within a margin of the clear boxes.

    Up to `number` pieces are drawn. Boxes of the same size get the same confetti.
    """
    (left, top, right, bottom), rng = box, Random(_SEED)
    for piece_number in range(number):
        colour = (GOLD, *SEAT_COLOURS)[piece_number % (1 + len(SEAT_COLOURS))]
        piece = _confetti_piece(colour, rng.randrange(6), rng.choice(_SCATTERED_SIDES))
        x = left + round((right - left - piece.width) * rng.random())
        y = top + round((bottom - top - piece.height) * rng.random() ** _SCATTER_FALL)
        if all(
            x + piece.width + _CLEAR_MARGIN <= clear_left
            or x >= clear_right + _CLEAR_MARGIN
            or y + piece.height + _CLEAR_MARGIN <= clear_top
            or y >= clear_bottom + _CLEAR_MARGIN
            for clear_left, clear_top, clear_right, clear_bottom in kept_clear
        ):
            canvas.put(piece, x, y)


@cache
def crown(width: int) -> Sprite:
    """Return a golden crown of this width, in pixels. Its height is seven tenths of the width."""
    size, unit = (width, width * 7 // 10), width / 100
    outline = path_mask(size, unit, [_CROWN_PATH], 6)
    painting = Painting(size, EDGE).paint_layer(GOLD, path_mask(size, unit, [_CROWN_PATH]))
    gems = [circle(x, y, 6) for x, y in ((7, 20), (50, 8), (93, 20))]
    painting.paint_layer(EDGE, path_mask(size, unit, [_CROWN_BAND_PATH], 4))
    painting.paint_layer(GOLD, path_mask(size, unit, [_CROWN_BAND_PATH]))
    for x in (30, 50, 70):
        painting.paint_layer(EDGE, path_mask(size, unit, [circle(x, 59, 5.5)]))
        painting.paint_layer(RED, path_mask(size, unit, [circle(x, 59, 4)]))
    painting.paint_layer(EDGE, path_mask(size, unit, gems, 5)).paint_layer(GOLD, path_mask(size, unit, gems))
    return cut_out(painting.image, ImageChops.lighter(outline, path_mask(size, unit, gems, 5)))


@cache
def rays(diameter: int) -> Sprite:
    """Return rays of light on felt, to put behind a round face. `diameter` is in pixels."""
    middle, corners = diameter / 2, list[str]()
    for number in range(2 * _RAYS):
        angle, radius = pi * number / _RAYS, middle * (1 if number % 2 == 0 else _INNER_RAY_RADIUS)
        corners.append(f"{middle + radius * sin(angle)} {middle - radius * cos(angle)}")
    coverage = path_mask((diameter, diameter), 1, [f"M {' L '.join(corners)} Z"])
    return cut_out(inked(coverage, SEAM, FELT), coverage)


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
