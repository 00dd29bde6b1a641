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
from cardart.drawing.painting import Painting, Sprite, cut_out, inked, translated
from cardart.drawing.palette import BLACK, EDGE, FELT, GOLD, RED, SEAM, SEAT_COLOURS, Colour
from cardart.drawing.shapes import circle, path_mask, rounded_mask

_CONFETTI_SIDES: Final = (9, 12, 15, 18)
"""Sides of the squares that pieces of confetti fit into, in pixels."""
_CONFETTI_FALL: Final = 1.5
"""Exponent of the heights of the pieces. The higher it is, the more pieces are near the top."""
_CLEAR_MARGIN: Final = 8
"""Minimum distance, in pixels, between a piece of confetti and a clear box."""
_MIN_PIECE_GAP: Final = 2
"""Minimum distance, in pixels, between the boxes of two pieces, which would otherwise merge into blobs."""
_SEED: Final = 10
"""An arbitrary number. A fixed seed gives the same picture the same confetti every time."""

_CROWN_PATH: Final = "M 12 66 L 7 22 L 29 42 L 50 10 L 71 42 L 93 22 L 88 66 Z"
_CROWN_BAND_PATH: Final = "M 13 52 L 87 52 L 88 66 L 12 66 Z"
"""The outline of a crown, and its band, in a box of 100 by 70."""
_GEM_PLACES: Final = ((7, 20), (50, 8), (93, 20))
"""Places of the gems on the tips of the crown."""
_RAYS: Final = 13
_RAY_SPREAD: Final = 0.5
"""Angle that a ray covers, as a fraction of the angle from one ray to the next."""
_RAY_CORNERS: Final = 5
"""Number of corners at the end of a ray, so that it looks round."""
_RAY_TABLE: Final = bytes(coverage // 2 for coverage in range(256))
"""For each coverage by a ray, the coverage that is drawn: light lets half of the felt through."""


def draw_confetti(
    canvas: Canvas,
    box: Box,
    clear: Sequence[Box],
    number: int,
    sides: Sequence[int] = _CONFETTI_SIDES,
    *,
    thins_out: bool = False,
) -> None:
    """Draw confetti in a box, more of it near the top, but none within a margin of the clear boxes.

    No two pieces touch. Up to `number` pieces are drawn, in squares of the given sides. If the confetti `thins_out`,
    the box has no visible lower edge. Boxes of the same size get the same confetti.
    """
    (left, top, right, bottom), rng = box, Random(_SEED)
    pieces = list[Box]()
    for piece_number in range(number):
        colour = (GOLD, *SEAT_COLOURS)[piece_number % (1 + len(SEAT_COLOURS))]
        piece = _confetti_piece(colour, rng.randrange(12), rng.choice(sides))
        x = left + round((right - left - piece.width) * rng.random())
        height = rng.random()
        fall = 1 - height**0.5 if thins_out else height**_CONFETTI_FALL
        y = top + round((bottom - top - piece.height) * fall)
        piece_box = x, y, x + piece.width, y + piece.height
        if _is_apart(piece_box, clear, _CLEAR_MARGIN) and _is_apart(piece_box, pieces, _MIN_PIECE_GAP):
            canvas.put(piece, x, y)
            pieces.append(piece_box)


def _is_apart(box: Box, others: Sequence[Box], distance: int) -> bool:
    """Return True if a box is at least `distance` pixels to the side of, above or below each of the others."""
    left, top, right, bottom = box
    return all(
        right + distance <= other_left
        or left >= other_right + distance
        or bottom + distance <= other_top
        or top >= other_bottom + distance
        for other_left, other_top, other_right, other_bottom in others
    )


@cache
def crown(width: int) -> Sprite:
    """Return a golden crown of this width, in pixels. Its height is seven tenths of the width."""
    size, unit = (width, width * 7 // 10), width / 100
    outline = path_mask(size, unit, [_CROWN_PATH], 6)
    painting = Painting(size, BLACK).paint_layer(GOLD, path_mask(size, unit, [_CROWN_PATH]))
    gems = [circle(x, y, 6) for x, y in _GEM_PLACES]
    painting.paint_layer(BLACK, path_mask(size, unit, [_CROWN_BAND_PATH], 4))
    painting.paint_layer(GOLD, path_mask(size, unit, [_CROWN_BAND_PATH]))
    for x in (30, 50, 70):
        painting.paint_layer(BLACK, path_mask(size, unit, [circle(x, 59, 5.5)]))
        painting.paint_layer(RED, path_mask(size, unit, [circle(x, 59, 4)]))
    painting.paint_layer(BLACK, path_mask(size, unit, gems, 5)).paint_layer(GOLD, path_mask(size, unit, gems))
    return cut_out(painting.image, ImageChops.lighter(outline, path_mask(size, unit, gems, 5)))


@cache
def rays(width: int, height: int) -> Sprite:
    """Return rays of light on felt, to put behind faces. They rise from the middle of the bottom to half an ellipse."""
    middle, step, paths = width / 2, pi / _RAYS, list[str]()
    for number in range(_RAYS):
        parts = (_RAY_SPREAD * (corner / (_RAY_CORNERS - 1) - 0.5) for corner in range(_RAY_CORNERS))
        angles = [step * (number + 0.5 + part) for part in parts]
        end = (f"{middle * (1 - cos(angle))} {height * (1 - sin(angle))}" for angle in angles)
        paths.append(f"M {middle} {height} L {' L '.join(end)} Z")
    return Sprite(inked(translated(path_mask((width, height), 1, paths), "L", _RAY_TABLE), SEAM, FELT))


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
    """Return a scrap of paper, rotated by `rotation` times 15 degrees."""
    angle = pi * rotation / 12
    across, along = (50 * cos(angle), 50 * sin(angle)), (-22 * sin(angle), 22 * cos(angle))
    corners = [
        (50 + one * across[0] + two * along[0], 50 + one * across[1] + two * along[1])
        for one, two in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    path = f"M {' L '.join(f'{x} {y}' for x, y in corners)} Z"
    coverage = path_mask((side, side), side / 100, [path])
    # The palette has no shades between felt and these colours. Those with the dark edges of shapes are close to them.
    return cut_out(inked(coverage, colour, EDGE), coverage)
