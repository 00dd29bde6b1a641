"""Tiles of days in a calendar: results, other days, today's ring, and the band of a streak. Lengths are in pixels."""

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
    RECESS,
    Colour,
)
from cardart.drawing.shapes import circle, path_mask, rounded_mask

ResultKind = Literal["lost", "small", "middle", "large"]
DayKind = Literal[ResultKind, "unfinished", "missed", "no deal", "open"]
"""Kinds of days: results, a try without one, no try, no deal, and today while it has no result."""
RESULT_KINDS: Final[tuple[ResultKind, ...]] = ("lost", "small", "middle", "large")
"""The kinds of results, in the order of `DAYS`."""

TILE_SIZE: Final = (96, 76)
TILE_GAPS: Final = (8, 10)
"""Width and height of a tile, and the space between it and the next one in its row and in its column (`TILE_GAPS`)."""
BAND_WIDTH: Final = 3
"""Distance from a tile to the edge of the band behind it."""
_RADIUS: Final = 10
_BORDER: Final = 2
"""Thickness of the border of a missed day, and of an unfinished try."""
_RING_WIDTH: Final = 3
"""Thickness of the ring around today's tile, and its distance from the fill."""
_BADGE_RADIUS: Final = 11
_BADGE_INSET: Final = (7, 6)
"""Distance of the middle of the badge of gin from the right and the upper edge of the tile."""
_STAR_RADII: Final = (8, 3.6)
"""Distances of the points of a star, and of the corners between them, from its middle."""
_HATCH_STEP: Final = 12
_HATCH_WIDTH: Final = 3
_HATCH_START: Final = 0.36
"""Part of the way from the upper left corner of a hatched tile to the lower right one that is free for the date."""
_OVERSAMPLING: Final = 4


@dataclass(frozen=True, slots=True)
class DayTile:
    """The look of a day. In a streak, `band` says whether the band behind the tile ends at its left and right."""

    kind: DayKind
    band: tuple[bool, bool] | None = None
    is_gin: bool = False
    is_today: bool = False

    @property
    def text_colours(self) -> tuple[Colour, Colour]:
        """The colours of the text and of its background."""
        if self.kind in RESULT_KINDS:
            size = RESULT_KINDS.index(self.kind)
            return DAY_DARK_INK if size else DAY_LIGHT_INK, DAYS_BEHIND_TEXT[size]
        return (MIST, RECESS) if self.is_today else (DAY_DIM, DAY_PANEL)


@cache
def day_tile(tile: DayTile, size: tuple[int, int] = TILE_SIZE) -> Sprite:
    """Return a tile on the panel, with half of the gaps to all sides around it. `size` is that of the tile alone."""
    painting = Painting((size[0] + TILE_GAPS[0], size[1] + TILE_GAPS[1]), DAY_PANEL)
    if tile.band is not None:
        painting.paint_layer(GOLD, _band_mask(size, tile.band))
    if tile.is_today:
        painting.paint_layer(DAY_RING, _tile_mask(size, _RING_WIDTH))
        painting.paint_layer(DAY_PANEL, _tile_mask(size))
    shape = _tile_mask(size, -_RING_WIDTH if tile.is_today else 0)
    if tile.kind in RESULT_KINDS:
        painting.paint_layer(DAYS[RESULT_KINDS.index(tile.kind)], shape)
    elif tile.kind == "no deal":
        painting.paint_layer(DAY_PANEL, shape)
        # The panel around the lines parts them from a band, for the palette has no shades between the two.
        painting.paint_layer(DAY_FAINT, ImageChops.multiply(_tile_mask(size, -1), _hatch_mask(size)))
    elif tile.kind == "missed":
        painting.paint_layer(DAY_FAINT, shape)
        painting.paint_layer(DAY_PANEL, _tile_mask(size, -_BORDER))
    elif tile.kind == "unfinished":
        painting.paint_layer(DAYS[0], shape)
        painting.paint_layer(DAY_PANEL, ImageChops.multiply(_tile_mask(size, -_BORDER), _half_mask(size)))
    if tile.is_gin:
        middle = TILE_GAPS[0] // 2 + size[0] - _BADGE_INSET[0], TILE_GAPS[1] // 2 + _BADGE_INSET[1]
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


def _band_mask(size: tuple[int, int], ends: tuple[bool, bool]) -> Image.Image:
    """Return the coverage of the band behind a tile. It has round ends, or runs on to the edges of the mask."""
    mask = _tile_mask(size, BAND_WIDTH)
    middle, top = mask.width // 2, TILE_GAPS[1] // 2 - BAND_WIDTH
    for is_end, (left, right) in zip(ends, ((0, middle), (middle, mask.width)), strict=True):
        if not is_end:
            mask.paste(255, (left, top, right, mask.height - top))
    return mask


def _half_mask(size: tuple[int, int]) -> Image.Image:
    """Return the coverage of all to the upper left of the diagonal of a tile."""
    (width, height), (across, down) = size, (gap // 2 for gap in TILE_GAPS)
    path = f"M 0 0 L {width + across} 0 L {width + across} {down} L {across} {height + down} L 0 {height + down} Z"
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
