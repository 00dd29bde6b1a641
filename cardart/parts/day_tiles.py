"""Tiles of days in a calendar, and outlines around a streak and around today. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import cos, pi, sin
from typing import Final, Literal

from PIL import Image, ImageChops, ImageDraw

from cardart.drawing.painting import Painting, Sprite, half_covered_mask
from cardart.drawing.palette import (
    DAY_DARK_INK,
    DAY_DIM,
    DAY_FAINT,
    DAY_LIGHT_INK,
    DAY_PANEL,
    DAY_RING,
    DAYS,
    DAYS_BEHIND_TEXT,
    MIST,
    Colour,
)
from cardart.drawing.shapes import circle, layered_mask, path_mask, rounded_mask, rounded_polygon

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
"""Distances from a tile to the inner and the outer edge of an outline around it."""
_RADIUS: Final = 10
_SHARPER: Final = 2
"""Radius of the corners of a tile, and how much smaller it is for the part of the panel around them: this has room for
smooth edges, but ends before an outline."""
_BORDER: Final = 2
"""Thickness of the border of a missed day, and of an unfinished try."""
_BADGE_RADIUS: Final = 12
_BADGE_INSETS: Final = (8, 9)
"""Distances of the middle of the badge of gin from the right and from the upper edge of the tile."""
_STAR_RADII: Final = (9, 4.1)
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
    """The look of a day."""

    kind: DayKind
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
    """Return a tile for a place on the panel. The badge of gin is at a corner, but in the middle of a small tile.

    Without a result, today has a ring within its tile. With one, it has an outline instead (`day_outlines`).
    """
    painting = Painting(size, DAY_PANEL)
    shape = _tile_mask(size)
    if tile.kind in RESULT_KINDS:
        painting.paint_layer(DAYS[RESULT_KINDS.index(tile.kind)], shape)
    elif tile.kind == "no deal":
        painting.paint_layer(DAY_FAINT, ImageChops.multiply(shape, _hatch_mask(size)))
    elif tile.kind == "missed":
        painting.paint_layer(DAY_DIM, shape)
        painting.paint_layer(DAY_PANEL, _tile_mask(size, _BORDER))
    elif tile.kind == "unfinished":
        painting.paint_layer(DAYS[0], shape)
        painting.paint_layer(DAY_PANEL, ImageChops.multiply(_tile_mask(size, _BORDER), _rest_mask(size)))
    if tile.is_today and tile.kind not in RESULT_KINDS:
        painting.paint_layer(DAY_RING, ImageChops.subtract(shape, _tile_mask(size, LINE_END - LINE_START)))
    if tile.is_gin:
        middle = _badge_middle(size)
        painting.paint_paths(1, [(DAY_PANEL, [circle(*middle, _BADGE_RADIUS)]), (DAY_RING, [_star_path(*middle)])])
    return Sprite(painting.image, half_covered_mask(_tile_mask(size, sharper=_SHARPER)))


@cache
def gin_badge(tile: DayTile) -> Sprite:
    """Return the part of a large tile that its badge of gin covers, to be put on top of the box of its date."""
    badge = path_mask(TILE_SIZE, 1, [circle(*_badge_middle(TILE_SIZE), _BADGE_RADIUS + 0.5)])
    coverage = ImageChops.multiply(badge, _tile_mask(TILE_SIZE, sharper=_SHARPER))
    return Sprite(day_tile(tile).image, half_covered_mask(coverage))


def day_outlines(outlines: Sequence[tuple[Colour, range]], size: tuple[int, int] = TILE_SIZE) -> Sprite:
    """Return outlines around days on the panel, for tiles of this size to be put on top.

    Each one has a colour, and consecutive days as numbers from the first Monday. The first tile is `LINE_END` pixels
    from the left and from the top. A later outline covers an earlier one.
    """
    last = max(days[-1] for _, days in outlines)
    sides = zip((min(7, last + 1), last // 7 + 1), size, TILE_GAPS, strict=True)
    width, height = (number * (side + gap) - gap + 2 * LINE_END for number, side, gap in sides)
    painting = Painting((width, height), DAY_PANEL)
    for colour, days in outlines:
        outer, inner = ([*_contours(days, size, distance)] for distance in (LINE_END, LINE_START))
        painting.paint_layer(colour, layered_mask((width, height), 1, [(True, outer), (False, inner)]))
    return Sprite(painting.image)


def _contours(days: range, size: tuple[int, int], distance: int) -> Iterator[str]:
    """Yield the path around the tiles of consecutive days, at a distance. Parts that do not touch have a path each."""
    (first_row, first), (last_row, last) = divmod(days[0], 7), divmod(days[-1], 7)
    if last_row == first_row + 1 and last < first:
        monday = 7 * last_row
        yield from _contours(range(days[0], monday), size, distance)
        yield from _contours(range(monday, days[-1] + 1), size, distance)
        return
    (across, down), (width, height) = (side + gap for side, gap in zip(size, TILE_GAPS, strict=True)), size
    near, far, convex = LINE_END - distance, LINE_END + distance, _radius(size) + distance
    concave = _radius(size) - distance
    top, bottom = first_row * down + near, last_row * down + height + far
    start, end = first * across + near, last * across + width + far
    corners = [(start, top, convex), (end, top, convex), (end, bottom, convex), (start, bottom, convex)]
    if last_row > first_row:
        # The first week may begin later than the others, and the last one may end earlier.
        left, right, left_step, right_step = near, 6 * across + width + far, top + down, bottom - down
        corners[1:2] = [(right, top, convex), (right, right_step, convex), (end, right_step, concave)]
        corners[-1:] = [(left, bottom, convex), (left, left_step, convex), (start, left_step, concave)]
    yield rounded_polygon(corners)


def _badge_middle(size: tuple[int, int]) -> tuple[float, float]:
    if size != TILE_SIZE:
        return size[0] / 2, size[1] / 2
    return size[0] - _BADGE_INSETS[0], _BADGE_INSETS[1]


def _radius(size: tuple[int, int]) -> int:
    return min(_RADIUS, size[1] // 4)


def _tile_mask(size: tuple[int, int], inset: int = 0, sharper: int = 0) -> Image.Image:
    """Return the coverage of a tile, or of one that is `inset` pixels smaller on each side or has `sharper` corners."""
    return rounded_mask(size, _radius(size) - sharper, inset)


def _rest_mask(size: tuple[int, int]) -> Image.Image:
    """Return the coverage of all to the upper left of the fill of an unfinished try."""
    (right, bottom), (x, y) = size, (part * side for part, side in zip(_WEDGE, size, strict=True))
    return path_mask(size, 1, [f"M 0 0 L {right} 0 L {right} {y} L {x} {bottom} L 0 {bottom} Z"])


def _hatch_mask(size: tuple[int, int]) -> Image.Image:
    """Return the coverage of diagonal lines on a tile."""
    width, height = size
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
