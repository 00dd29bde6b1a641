"""Painting in palette indices, and the sprites that pictures consist of: labels, bars, discs and lines.

A pixel that two colours share gets a shade between them. If a third colour partly covers such a shade, the third colour
is mixed only with the colour that the shade is nearer to. So edges never get an unrelated colour in any theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw

from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.palette import EDGE, FELT, MIST, PALETTE_SIZE, STEPS, Colour, mixture, palette_index, shade_index
from cardart.drawing.shapes import Point, circle, path_mask, rounded_mask

_LINE_OVERSAMPLING: Final = 3
"""Oversampling factor for lines. It is lower than for shapes, because lines fill half a picture and are not cached."""
_MIN_LINE_COVERAGE: Final = 40
"""Minimum coverage of a line's pixels, on a scale of 0 to 255. Pixels covered less are not drawn."""


class Painting:
    """An image of palette indices, painted in layers on a background of one colour."""

    def __init__(self, size: tuple[int, int], background: Colour) -> None:
        self.image = Image.new("P", size, palette_index(background))

    def paint_layer(self, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)) -> Painting:
        """Paint a layer of one colour. Return self.

        `coverage` is 0 to 255 per pixel, and its top left corner is placed at `at`.
        """
        if (box := coverage.getbbox()) is None:
            return self
        coverage, at = coverage.crop(box), (at[0] + box[0], at[1] + box[1])
        beneath = self.image.crop((*at, at[0] + coverage.width, at[1] + coverage.height))
        for step in range(1, STEPS + 1):
            covered = translated(coverage, "L", _step_table(step))
            if covered.getbbox() is not None:
                self.image.paste(translated(beneath, "P", _layer_table(colour, step)), at, covered)
        return self

    def paint_paths(self, unit: float, layers: Sequence[tuple[Colour, Sequence[str]]]) -> Painting:
        """Paint layers of filled paths, lowest first. Return self. A unit of the paths is `unit` pixels."""
        for colour, paths in layers:
            self.paint_layer(colour, path_mask(self.image.size, unit, paths))
        return self


def inked(coverage: Image.Image, ink: Colour, background: Colour) -> Image.Image:
    """Return an image of palette indices: a shape in the colour `ink` on a background of another colour.

    `coverage` is the shape's coverage of each pixel, 0 to 255.
    """
    return translated(coverage, "P", _ink_table(ink, background))


def translated(image: Image.Image, mode: str, table: bytes) -> Image.Image:
    """Return an image in which each byte is replaced by its entry in a table of 256.

    Pillow's `point` is not used because it first rounds every entry of the table.
    """
    return Image.frombytes(mode, image.size, image.tobytes().translate(table))


@cache
def _ink_table(ink: Colour, background: Colour) -> bytes:
    """Return a lookup table with 256 entries: for each coverage, the palette index of the ink on the background."""
    return bytes(shade_index(background, ink, _coverage_step(coverage)) for coverage in range(256))


@cache
def _step_table(step: int) -> bytes:
    """Return a lookup table: for each coverage, 255 if its `_coverage_step` is `step`, otherwise 0."""
    return bytes(255 * (_coverage_step(coverage) == step) for coverage in range(256))


def _coverage_step(coverage: int) -> int:
    # Nearly full coverage counts as full, and nearly none as none. This makes edges crisp and files small.
    return coverage * (STEPS + 1) // 256


@cache
def _layer_table(colour: Colour, step: int) -> bytes:
    """Return a lookup table: for each palette index, the index after a colour is painted over it.

    The painted colour covers `step` of `STEPS` parts of the pixel.
    """
    return bytes(_mixed_entry(entry, colour, step) for entry in range(PALETTE_SIZE)).ljust(256, b"\0")


def _mixed_entry(entry: int, colour: Colour, step: int) -> int:
    start, end, steps = mixture(entry)
    if colour == start:
        start, end, steps = end, start, STEPS - steps
    if colour == end:
        # The entry already contains this colour. Add the fraction `step / STEPS` of the steps left to the pure colour.
        return shade_index(start, end, steps + round((STEPS - steps) * step / STEPS))
    return shade_index(start if 2 * steps < STEPS else end, colour, step)


def used_entries(image: Image.Image) -> frozenset[int]:
    """Return the palette indices that occur in an image."""
    return frozenset(entry for entry, pixels in enumerate(image.histogram()) if pixels)


@dataclass(frozen=True, slots=True)
class Sprite:
    """An immutable image of palette indices. If there is a mask, only the pixels in the mask are drawn."""

    image: Image.Image
    mask: Image.Image | None = None
    entries: frozenset[int] = field(init=False)
    """The palette indices that occur in the image."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", used_entries(self.image))

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self.image.height


def half_covered_mask(coverage: Image.Image) -> Image.Image:
    """Return a mask of the pixels that are at least half covered."""
    return coverage.convert("1", dither=Image.Dither.NONE)


def cut_out(image: Image.Image, coverage: Image.Image) -> Sprite:
    """Return a sprite of the pixels that are at least half covered."""
    return Sprite(image, half_covered_mask(coverage))


# The cache is small, because each label takes up to 20 KB, and hands need few different ones.
@lru_cache(64)
def tag(text: str, cap: int, fill: Colour, ink: Colour, edge: Colour = EDGE) -> Sprite:
    """Return a label with round ends, which can be drawn on any background. `cap` is its cap height in pixels."""
    coverage = text_mask(text, cap)
    height = 2 * cap
    size = (height if len(text) == 1 else coverage.width + cap, height)
    at = ((size[0] - coverage.width) // 2, (height + cap) // 2 - baseline(cap))
    painting = Painting(size, edge).paint_layer(fill, rounded_mask(size, height / 2, 2)).paint_layer(ink, coverage, at)
    return cut_out(painting.image, rounded_mask(size, height / 2))


@cache
def bar(width: int, height: int, fill: Colour) -> Sprite:
    """Return a horizontal bar with round ends, which can be drawn on any background."""
    size = (width, height)
    painting = Painting(size, EDGE).paint_layer(fill, rounded_mask(size, height / 2, 1))
    return cut_out(painting.image, rounded_mask(size, height / 2))


@cache
def arrow(side: int) -> Sprite:
    """Return an arrow to the right, on felt, in a square of `side` pixels."""
    paths = ["M 0 42 L 62 42 L 62 58 L 0 58 Z", "M 52 14 L 100 50 L 52 86 Z"]
    return Sprite(inked(path_mask((side, side), side / 100, paths), MIST, FELT))


@lru_cache(512)
def disc(radius: int, fill: Colour, edge: Colour, thickness: float) -> Sprite:
    """Return a disc, which can be drawn on any background. Its edge is `thickness` pixels wide."""
    size, unit = (2 * radius, 2 * radius), radius / 50
    inner = path_mask(size, unit, [circle(50, 50, 50 - thickness / unit)])
    return cut_out(inked(inner, fill, edge), path_mask(size, unit, [circle(50, 50, 50)]))


def polyline(size: tuple[int, int], points: Sequence[Point], width: float, ink: Colour, background: Colour) -> Sprite:
    """Return a line through points in a box of the given size, on a background of one colour. Lengths are in pixels."""
    large = Image.new("L", (size[0] * _LINE_OVERSAMPLING, size[1] * _LINE_OVERSAMPLING))
    scaled = [(x * _LINE_OVERSAMPLING, y * _LINE_OVERSAMPLING) for x, y in points]
    ImageDraw.Draw(large).line(scaled, fill=255, width=round(width * _LINE_OVERSAMPLING), joint="curve")
    coverage = large.reduce(_LINE_OVERSAMPLING)
    covered = coverage.point([0] * _MIN_LINE_COVERAGE + [255] * (256 - _MIN_LINE_COVERAGE), "1")  # pyright: ignore[reportUnknownMemberType]
    return Sprite(inked(coverage, ink, background), covered)


def polygon(size: tuple[int, int], points: Sequence[Point], ink: Colour, background: Colour) -> Sprite:
    """Return a polygon in a tint of an ink, in a box of the given size. Lengths are in pixels.

    Its edges are not smoothed, because a line in the same ink is drawn over them.
    """
    covered = Image.new("1", size)
    ImageDraw.Draw(covered).polygon(points, fill=1)
    return Sprite(Image.new("P", size, shade_index(background, ink, 1)), covered)
