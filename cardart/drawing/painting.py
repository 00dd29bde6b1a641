"""Painting in palette indices, and the sprites that pictures consist of: labels, bars, discs and lines.

If two colours share a pixel, it becomes a shade between them. A colour that partly covers a shade of two other colours
is mixed with the nearer of the two. So an edge never gets an unrelated third colour in any theme.
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
"""Less than for other shapes, because lines fill half a picture and are not cached."""
_FAINTEST: Final = 40
"""Minimum coverage, of 255, at which a pixel of a line is drawn."""


class Painting:
    """An image of palette indices, painted in layers on a background of one colour."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("P", size, index(ground))

    def lay(self, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)) -> Painting:
        """Paint a layer of one colour. Return self.

        `coverage` is 0 to 255 per pixel, and its top left corner is placed at `at`.
        """
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
        """Paint layers of filled paths, lowest first. Return self. A unit of the paths is `unit` pixels."""
        for colour, paths in layers:
            self.lay(colour, mask(self.image.size, unit, paths))
        return self


def inked(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    """Return an ink on a background of one colour, as palette indices. `coverage` is 0 to 255 per pixel."""
    return mapped(coverage, "P", _ramp(ink, ground))


def mapped(image: Image.Image, mode: str, table: bytes) -> Image.Image:
    """Return an image in which each byte is replaced by its entry in a table of 256.

    Pillow's `point` is not used because it first rounds every entry of the table.
    """
    return Image.frombytes(mode, image.size, image.tobytes().translate(table))


@cache
def _ramp(ink: Colour, ground: Colour) -> bytes:
    """Return a table of palette indices by coverage (0 to 255)."""
    return bytes(shade(ground, ink, _step(coverage)) for coverage in range(256))


@cache
def _covered(step: int) -> bytes:
    """Return a table by coverage (0 to 255): 255 if it counts as this step, otherwise 0."""
    return bytes(255 * (_step(coverage) == step) for coverage in range(256))


def _step(coverage: int) -> int:
    # Five ranges of equal width. Nearly full counts as full and nearly empty as empty, for crisp edges and small files.
    return coverage * (STEPS + 1) // 256


@cache
def _laid(colour: Colour, step: int) -> bytes:
    """Return a table from each palette index to its mixture with a colour that covers it by `step` steps."""
    return bytes(_over(entry, colour, step) for entry in range(SHADES)).ljust(256, b"\0")


def _over(entry: int, colour: Colour, step: int) -> int:
    start, end, far = mixture(entry)
    if colour == start:
        start, end, far = end, start, STEPS - far
    if colour == end:
        # The colour covers `step` of the `STEPS` parts of the remaining distance to it.
        return shade(start, end, far + round((STEPS - far) * step / STEPS))
    return shade(start if 2 * far < STEPS else end, colour, step)


def entries_of(image: Image.Image) -> frozenset[int]:
    """Return the palette indices that occur in an image."""
    return frozenset(entry for entry, pixels in enumerate(image.histogram()) if pixels)


@dataclass(frozen=True, slots=True)
class Sprite:
    """An image of palette indices, and a mask of the pixels to draw; None for all pixels. Immutable."""

    image: Image.Image
    mask: Image.Image | None = None
    entries: frozenset[int] = field(init=False)
    """The palette indices that occur in the image."""

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
    """Return a sprite of the pixels that are at least half covered."""
    return Sprite(image, mostly_covered(coverage))


# A hand needs few labels: the size of the stock, and the state of the hand. Each takes up to 20 KB.
@lru_cache(64)
def tag(text: str, cap: int, fill: Colour, ink: Colour) -> Sprite:
    """Return a label with round ends for any background. `cap` is its cap height in pixels."""
    coverage = text_mask(text, cap)
    height = 2 * cap
    size = (height if len(text) == 1 else coverage.width + cap, height)
    at = ((size[0] - coverage.width) // 2, (height + cap) // 2 - baseline(cap))
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, height / 2, 2)).lay(ink, coverage, at)
    return cut_out(painting.image, rounded_mask(size, height / 2))


@cache
def bar(width: int, height: int, fill: Colour) -> Sprite:
    """Return a horizontal bar with round ends for any background."""
    size = (width, height)
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, height / 2, 1))
    return cut_out(painting.image, rounded_mask(size, height / 2))


@lru_cache(512)
def disc(radius: int, fill: Colour, edge: Colour, thickness: float) -> Sprite:
    """Return a disc with an edge of `thickness` pixels."""
    size, unit = (2 * radius, 2 * radius), radius / 50
    inner = mask(size, unit, [circle(50, 50, 50 - thickness / unit)])
    return cut_out(inked(inner, fill, edge), mask(size, unit, [circle(50, 50, 50)]))


def polyline(size: tuple[int, int], points: Sequence[Point], width: float, ink: Colour, ground: Colour) -> Sprite:
    """Return a line through points in a box of the given size, on a background of one colour. Lengths are in pixels."""
    large = Image.new("L", (size[0] * _LINE_OVERSAMPLING, size[1] * _LINE_OVERSAMPLING))
    scaled = [(x * _LINE_OVERSAMPLING, y * _LINE_OVERSAMPLING) for x, y in points]
    ImageDraw.Draw(large).line(scaled, fill=255, width=round(width * _LINE_OVERSAMPLING), joint="curve")
    coverage = large.reduce(_LINE_OVERSAMPLING)
    covered = coverage.point([0] * _FAINTEST + [255] * (256 - _FAINTEST), "1")  # pyright: ignore[reportUnknownMemberType]
    return Sprite(inked(coverage, ink, ground), covered)


def polygon(size: tuple[int, int], points: Sequence[Point], ink: Colour, ground: Colour) -> Sprite:
    """Return a polygon in a tint of an ink, in a box of the given size. Lengths are in pixels.

    Its edges are not smoothed, because a line in the same ink is drawn over them.
    """
    covered = Image.new("1", size)
    ImageDraw.Draw(covered).polygon(points, fill=1)
    return Sprite(Image.new("P", size, shade(ground, ink, 1)), covered)
