"""Small pieces that pictures are put together from: labels, bars, discs and lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw

from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked
from cardart.drawing.palette import EDGE, Colour, index
from cardart.drawing.shapes import Point, circle, mask, rounded_mask

_LINE_OVERSAMPLING: Final = 3
"""Less than for other shapes: lines and areas fill half a picture and are drawn afresh for each one."""
_FAINTEST: Final = 40
"""The least coverage, of 255, at which a pixel of a line is drawn."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """Palette indices, and a mask of the pixels that are drawn; all are if it is None. Never changed once made."""

    image: Image.Image
    mask: Image.Image | None = None

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self.image.height


def cut_out(image: Image.Image, coverage: Image.Image) -> Sprite:
    """Return the pixels of an image of palette indices that are at least half covered."""
    return Sprite(image, coverage.convert("1", dither=Image.Dither.NONE))


@lru_cache(512)
def tag(text: str, cap: int, fill: Colour, ink: Colour) -> Sprite:
    """Return a label with round ends that can lie on any ground; `cap` is the height of its capitals in pixels."""
    coverage = text_mask(text, cap)
    height = 2 * cap
    size = (height if len(text) == 1 else coverage.width + cap, height)
    at = ((size[0] - coverage.width) // 2, (height + cap) // 2 - baseline(cap))
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, height / 2, 2)).lay(ink, coverage, at)
    return cut_out(painting.image, rounded_mask(size, height / 2))


@cache
def bar(width: int, height: int, fill: Colour) -> Sprite:
    """Return a horizontal bar with round ends that can lie on any ground."""
    size = (width, height)
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, height / 2, 1))
    return cut_out(painting.image, rounded_mask(size, height / 2))


@lru_cache(512)
def disc(radius: int, fill: Colour, edge: Colour, thickness: float) -> Sprite:
    """Return a disc whose edge is `thickness` pixels wide."""
    size, unit = (2 * radius, 2 * radius), radius / 50
    inner = mask(size, unit, [circle(50, 50, 50 - thickness / unit)])
    return cut_out(inked(inner, fill, edge), mask(size, unit, [circle(50, 50, 50)]))


def polyline(size: tuple[int, int], points: Sequence[Point], width: float, ink: Colour, ground: Colour) -> Sprite:
    """Return a line through points, which are in pixels of a box of that size, for a plain ground."""
    large = Image.new("L", (size[0] * _LINE_OVERSAMPLING, size[1] * _LINE_OVERSAMPLING))
    scaled = [(x * _LINE_OVERSAMPLING, y * _LINE_OVERSAMPLING) for x, y in points]
    ImageDraw.Draw(large).line(scaled, fill=255, width=round(width * _LINE_OVERSAMPLING), joint="curve")
    coverage = large.reduce(_LINE_OVERSAMPLING)
    covered = coverage.point([0] * _FAINTEST + [255] * (256 - _FAINTEST), "1")  # pyright: ignore[reportUnknownMemberType]
    return Sprite(inked(coverage, ink, ground), covered)


def polygon(size: tuple[int, int], points: Sequence[Point], ink: Colour) -> Sprite:
    """Return a filled polygon, in pixels of a box of that size. Its rough edges are for a line to lie on."""
    covered = Image.new("1", size)
    ImageDraw.Draw(covered).polygon(points, fill=1)
    return Sprite(Image.new("P", size, index(ink)), covered)
