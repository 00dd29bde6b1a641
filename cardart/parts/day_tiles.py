"""Tiles of days in a calendar: results, other days, today's ring, and the outline of streaks. Lengths are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import cos, pi, sin
from typing import Final, Literal

from PIL import Image, ImageChops, ImageDraw

from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import (
    DAY_DARK_INK,
    DAY_DIM,
    DAY_FAINT,
    DAY_LIGHT_INK,
    DAY_PANEL,
    DAY_RING,
    DAYS,
    DAYS_BEHIND_TEXT,
    GOLD,
    MIST,
    Colour,
)
from cardart.drawing.shapes import circle, path_mask, rounded_mask

ResultKind = Literal["lost", "small", "middle", "large"]
DayKind = Literal[ResultKind, "unfinished", "missed", "no deal", "open"]
"""Kinds of days: results, a try without one, no try, no deal, and today while it has no result."""
RESULT_KINDS: Final[tuple[ResultKind, ...]] = ("lost", "small", "middle", "large")
"""The kinds of results, in the order of `DAYS`."""

TILE_SIZE: Final = (94, 76)
TILE_GAPS: Final = (10, 14)
"""Width and height of a tile, and the space between it and the next one in its row and in its column (`TILE_GAPS`)."""
LINE_START: Final = 2
LINE_END: Final = 5
"""Distances from a tile to the inner and the outer edge of the line around it: the outline of a streak, or today's
ring."""
_RADIUS: Final = 10
_BORDER: Final = 2
"""Thickness of the border of a missed day, and of an unfinished try."""
_BADGE_RADIUS: Final = 10
_BADGE_INSET: Final = 7
"""Distance of the middle of the badge of gin from the right and the upper edge of the tile."""
_STAR_RADII: Final = (7.5, 3.4)
"""Distances of the points of a star, and of the corners between them, from its middle."""
_HATCH_STEP: Final = 12
_HATCH_WIDTH: Final = 3
_HATCH_START: Final = 0.36
"""Part of the way from the upper left corner of a hatched tile to the lower right one that is free for the date."""
_WEDGE: Final = (0.2, 0.28)
"""Where the fill of an unfinished try starts on the lower and on the right edge, as parts of them. The date is above.
"""
_OVERSAMPLING: Final = 4


@dataclass(frozen=True, slots=True)
class DayTile:
    """The look of a day. In a streak, `ends` says whether its outline ends at the left and at the right of the tile."""

    kind: DayKind
    ends: tuple[bool, bool] | None = None
    is_gin: bool = False
    is_today: bool = False

    @property
    def text_colours(self) -> tuple[Colour, Colour]:
        """The colours of the text and of its background."""
        if self.kind in RESULT_KINDS:
            size = RESULT_KINDS.index(self.kind)
            return DAY_DARK_INK if size else DAY_LIGHT_INK, DAYS_BEHIND_TEXT[size]
        return MIST, DAY_PANEL


@cache
def day_tile(tile: DayTile, size: tuple[int, int] = TILE_SIZE) -> Sprite:
    """Return a tile on the panel, with half of the gaps to all sides around it. `size` is that of the tile alone.

    The badge of gin is at a corner of a large tile, and in the middle of a small one.
    """
    painting = Painting((size[0] + TILE_GAPS[0], size[1] + TILE_GAPS[1]), DAY_PANEL)
    if tile.ends is not None:
        painting.paint_layer(GOLD, _line_mask(size, tile.ends))
    shape = _tile_mask(size)
    if tile.kind in RESULT_KINDS:
        painting.paint_layer(DAYS[RESULT_KINDS.index(tile.kind)], shape)
    elif tile.kind == "no deal":
        painting.paint_layer(DAY_FAINT, ImageChops.multiply(shape, _hatch_mask(size)))
    elif tile.kind == "missed":
        painting.paint_layer(DAY_DIM, shape)
        painting.paint_layer(DAY_PANEL, _tile_mask(size, -_BORDER))
    elif tile.kind == "unfinished":
        painting.paint_layer(DAYS[0], shape)
        painting.paint_layer(DAY_PANEL, ImageChops.multiply(_tile_mask(size, -_BORDER), _rest_mask(size)))
    if tile.is_today:
        # Without a fill, the ring is within the tile: the outline of a streak may end just before it.
        inner = _tile_mask(size, LINE_START - LINE_END)
        is_filled = tile.kind in RESULT_KINDS
        ring = _line_mask(size, (True, True)) if is_filled else ImageChops.subtract(shape, inner)
        painting.paint_layer(DAY_RING, ring)
    if tile.is_gin:
        is_small = size != TILE_SIZE
        x, y = (size[0] / 2, size[1] / 2) if is_small else (size[0] - _BADGE_INSET, _BADGE_INSET)
        middle = TILE_GAPS[0] // 2 + x, TILE_GAPS[1] // 2 + y
        badge = [(DAY_PANEL, [circle(*middle, _BADGE_RADIUS)]), (DAY_RING, [_star_path(*middle)])]
        painting.paint_paths(1, badge)
    return Sprite(painting.image)


def _tile_mask(size: tuple[int, int], growth: int = 0) -> Image.Image:
    """Return the coverage of a tile that is `growth` pixels larger on each side, with half of the gaps around it."""
    (width, height), (across, down) = size, TILE_GAPS
    mask = Image.new("L", (width + across, height + down))
    radius = min(_RADIUS, height // 4) + growth
    shape = rounded_mask((width + 2 * growth, height + 2 * growth), radius)
    mask.paste(shape, (across // 2 - growth, down // 2 - growth))
    return mask


def _line_mask(size: tuple[int, int], ends: tuple[bool, bool]) -> Image.Image:
    """Return the coverage of the line around a tile. It has round ends, or runs on to the edges of the mask."""
    outer, inner = (_tile_mask(size, distance) for distance in (LINE_END, LINE_START))
    for mask, distance in ((outer, LINE_END), (inner, LINE_START)):
        middle, top = mask.width // 2, TILE_GAPS[1] // 2 - distance
        for is_end, (left, right) in zip(ends, ((0, middle), (middle, mask.width)), strict=True):
            if not is_end:
                mask.paste(255, (left, top, right, mask.height - top))
    return ImageChops.subtract(outer, inner)


def _rest_mask(size: tuple[int, int]) -> Image.Image:
    """Return the coverage of all to the upper left of the fill of an unfinished try."""
    (width, height), (across, down) = size, (gap // 2 for gap in TILE_GAPS)
    (right, bottom), (x, y) = (width + across, height + down), (across + _WEDGE[0] * width, down + _WEDGE[1] * height)
    path = f"M 0 0 L {right} 0 L {right} {y} L {x} {bottom} L 0 {bottom} Z"
    return path_mask((width + 2 * across, height + 2 * down), 1, [path])


def _hatch_mask(size: tuple[int, int]) -> Image.Image:
    """Return the coverage of diagonal lines on a tile."""
    width, height = (side + gap for side, gap in zip(size, TILE_GAPS, strict=True))
    large = Image.new("L", (width * _OVERSAMPLING, height * _OVERSAMPLING))
    pen = ImageDraw.Draw(large)
    for left in range(round(_HATCH_START * (width + height)) - height, width, _HATCH_STEP):
        line = (left, height, left + height, 0)
        pen.line([end * _OVERSAMPLING for end in line], fill=255, width=_HATCH_WIDTH * _OVERSAMPLING)
    return large.reduce(_OVERSAMPLING)


def _star_path(x: float, y: float) -> str:
    """Return the path of a star with five points around its middle."""
    radii = chain.from_iterable([_STAR_RADII] * 5)
    angles = (number * pi / 5 for number in range(10))
    corners = (f"{x + r * sin(angle)} {y - r * cos(angle)}" for r, angle in zip(radii, angles, strict=True))
    return f"M {' L '.join(corners)} Z"
