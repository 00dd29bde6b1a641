"""Painting in palette indices, and the sprites that pictures are put together from: labels, bars, discs and lines.

Where two colours share a pixel, it gets a shade between them. A pixel that is partly covered is mixed with the nearer
of the two colours it consists of. So no theme can turn an edge into an unrelated third colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw

from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.palette import EDGE, SHADES, STEPS, Colour, index, mixture, shade
from cardart.drawing.shapes import Point, circle, mask, rounded_mask

_LINE_OVERSAMPLING: Final = 3
"""Less than for other shapes: lines and areas fill half a picture and are drawn afresh for each one."""
_FAINTEST: Final = 40
"""The least coverage, of 255, at which a pixel of a line is drawn."""


class Painting:
    """An image of palette indices in the making, on a ground of one colour."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("P", size, index(ground))

    def lay(self, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)) -> Painting:
        """Lay a colour on where `coverage` (0 to 255 per pixel) says, with its top left corner at `at`. Return self."""
        if (box := coverage.getbbox()) is None:
            return self
        coverage, at = coverage.crop(box), (at[0] + box[0], at[1] + box[1])
        beneath = self.image.crop((*at, at[0] + coverage.width, at[1] + coverage.height))
        for step in range(1, STEPS + 1):
            covered = mapped(coverage, "L", _covered(step))
            if covered.getbbox() is not None:
                self.image.paste(mapped(beneath, "P", _laid(colour, step)), at, covered)
        return self

    def paint(self, unit: float, layers: Sequence[tuple[Colour, Sequence[str]]]) -> Painting:
        """Lay on filled paths, the lowest layer first, at `unit` pixels for each unit of the paths. Return self."""
        for colour, paths in layers:
            self.lay(colour, mask(self.image.size, unit, paths))
        return self


def inked(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    """Return palette indices of an ink on a plain ground, by how far each pixel is covered (0 to 255)."""
    return mapped(coverage, "P", _ramp(ink, ground))


def mapped(image: Image.Image, mode: str, table: bytes) -> Image.Image:
    """Return an image with each byte replaced by its entry in a table of 256.

    Pillow's `point` would round every entry of the table first.
    """
    return Image.frombytes(mode, image.size, image.tobytes().translate(table))


@cache
def _ramp(ink: Colour, ground: Colour) -> bytes:
    """Return the palette index for each degree of coverage."""
    return bytes(shade(ground, ink, _step(coverage)) for coverage in range(256))


@cache
def _covered(step: int) -> bytes:
    """Return 255 for each degree of coverage that counts as this step, else 0."""
    return bytes(255 * (_step(coverage) == step) for coverage in range(256))


def _step(coverage: int) -> int:
    # Five ranges of equal width. Nearly full counts as full and nearly nothing as nothing: crisp edges, small files.
    return coverage * (STEPS + 1) // 256


@cache
def _laid(colour: Colour, step: int) -> bytes:
    """Return what each palette index becomes under a colour that covers it by `step`."""
    return bytes(_over(entry, colour, step) for entry in range(SHADES)).ljust(256, b"\0")


def _over(entry: int, colour: Colour, step: int) -> int:
    start, end, far = mixture(entry)
    if colour == start:
        start, end, far = end, start, STEPS - far
    if colour == end:
        # The colour covers `step` of what is still missing to it.
        return shade(start, end, far + round((STEPS - far) * step / STEPS))
    return shade(start if 2 * far < STEPS else end, colour, step)


def entries_of(image: Image.Image) -> frozenset[int]:
    """Return the palette indices that an image has."""
    return frozenset(entry for entry, pixels in enumerate(image.histogram()) if pixels)


@dataclass(frozen=True, slots=True)
class Sprite:
    """Palette indices, and a mask of the pixels that are drawn; all are if it is None. Never changed once made."""

    image: Image.Image
    mask: Image.Image | None = None
    entries: frozenset[int] = field(init=False)
    """The palette indices it may draw."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", entries_of(self.image))

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self.image.height


def mostly_covered(coverage: Image.Image) -> Image.Image:
    """Return a mask of the pixels that are at least half covered."""
    return coverage.convert("1", dither=Image.Dither.NONE)


def cut_out(image: Image.Image, coverage: Image.Image) -> Sprite:
    """Return the pixels of an image of palette indices that are at least half covered."""
    return Sprite(image, mostly_covered(coverage))


# Hands need few of them: the number of the stock, and what is to be done. Each takes up to 20 KB.
@lru_cache(64)
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


def polygon(size: tuple[int, int], points: Sequence[Point], ink: Colour, ground: Colour) -> Sprite:
    """Return a polygon in a tint of an ink on a ground, in pixels of a box of that size.

    Its rough edges are for a line in that ink to lie on.
    """
    covered = Image.new("1", size)
    ImageDraw.Draw(covered).polygon(points, fill=1)
    return Sprite(Image.new("P", size, shade(ground, ink, 1)), covered)
