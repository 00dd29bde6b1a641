"""What is drawn with a ruler: bars, lines and areas, dots; scales that are easy to read, and dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import count
from math import ceil, floor
from typing import Final

from PIL import Image, ImageDraw

from cardart.drawing.canvas import Canvas, Sprite, cut_out
from cardart.drawing.painting import inked
from cardart.drawing.palette import Colour, index
from cardart.drawing.shapes import circle, mask

Point = tuple[float, float]

_OVERSAMPLING: Final = 3
"""Less than elsewhere: these are as large as half a picture, and made anew for each."""
_SEEN: Final = 40
"""How far a pixel is covered at least, of 255, to be drawn."""
_KEPT: Final = 128
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(of: date, *, year: bool = True) -> str:
    """A date in a few signs: `3 Nov 2026`, or `3 Nov`."""
    return f"{of.day} {_MONTHS[of.month - 1]}" + (f" {of.year}" if year else "")


def steps(low: float, high: float, most: int = 5) -> list[int]:
    """Round numbers at even steps from the lowest to the highest: as many as there are, up to so many.

    Raises:
        ValueError: the lowest is not below the highest.
    """
    if low >= high:
        raise ValueError(f"nothing lies between {low} and {high}")
    for step in (times * 10**power for power in count() for times in (1, 2, 5)):
        first, last = ceil(low / step), floor(high / step)
        if last - first < most:
            return [step * number for number in range(first, last + 1)]
    raise AssertionError("some step is wide enough")


def short(number: int) -> str:
    """A number in at most four signs and a minus: `980`, `9800`, `35k`."""
    thousands = abs(number) // 1000
    return str(number) if thousands < 10 else f"{'-' if number < 0 else ''}{thousands}k"


def line(size: tuple[int, int], points: Sequence[Point], width: float, ink: Colour, ground: Colour) -> Sprite:
    """A line through points, in pixels of a box of that size, on a plain ground."""
    large = Image.new("L", (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING))
    drawn = [(x * _OVERSAMPLING, y * _OVERSAMPLING) for x, y in points]
    ImageDraw.Draw(large).line(drawn, fill=255, width=round(width * _OVERSAMPLING), joint="curve")
    coverage = large.reduce(_OVERSAMPLING)
    covered = coverage.point([0] * _SEEN + [255] * (256 - _SEEN), "1")  # pyright: ignore[reportUnknownMemberType]
    return Sprite(inked(coverage, ink, ground), covered)


def area(size: tuple[int, int], points: Sequence[Point], ink: Colour) -> Sprite:
    """A polygon, filled, in pixels of a box of that size; its edges are rough, for a line to lie on."""
    covered = Image.new("1", size)
    ImageDraw.Draw(covered).polygon(points, fill=1)
    return Sprite(Image.new("P", size, index(ink)), covered)


def fill(canvas: Canvas, box: tuple[int, int, int, int], colour: Colour) -> None:
    """A plain rectangle: left, top, right, bottom."""
    left, top, right, bottom = box
    canvas.put(_plain(right - left, bottom - top, colour), left, top)


@lru_cache(_KEPT)
def _plain(width: int, height: int, colour: Colour) -> Sprite:
    return Sprite(Image.new("P", (width, height), index(colour)))


@lru_cache(_KEPT)
def dot(radius: int, fill: Colour, edge: Colour, thick: float) -> Sprite:
    """A disc with an edge so many pixels thick."""
    size, unit = (2 * radius, 2 * radius), radius / 50
    whole = mask(size, unit, [circle(50, 50, 50)])
    return cut_out(inked(mask(size, unit, [circle(50, 50, 50 - thick / unit)]), fill, edge), whole)
