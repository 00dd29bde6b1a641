"""Painting in palette indices: colour is laid on colour, and edges get the shades between the two that meet there.

What covers a pixel in part is mixed with what is there in mostly: no look can make a third colour of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image

from cardart.palette import SHADES, STEPS, Colour, index, mixture, shade
from cardart.shapes import mask

_FULL: Final = 255
"""The coverage of a pixel that is covered as a whole."""


class Painting:
    """An image of palette indices in the making; its ground is one colour."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("P", size, index(ground))

    def lay(self, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)) -> Painting:
        """Lay a colour on, as far as each pixel is covered (0 to 255), from a left and top on; gives itself."""
        left, top = at
        beneath = self.image.crop((left, top, left + coverage.width, top + coverage.height))
        for step in range(1, STEPS + 1):
            laid = beneath.point(_laid(colour, step))  # pyright: ignore[reportUnknownMemberType]
            self.image.paste(laid, at, coverage.point(_covered(step), "1"))  # pyright: ignore[reportUnknownMemberType]
        return self

    def paint(self, unit: float, layers: Sequence[tuple[Colour, Sequence[str]]]) -> Painting:
        """Lay on filled paths, the lowest first, with so many pixels for one unit of theirs; gives itself."""
        for colour, paths in layers:
            self.lay(colour, mask(self.image.size, unit, paths))
        return self


def inked(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    """One colour on another in palette indices, as far as each pixel is covered (0 to 255)."""
    # Its greys are entries from now on; which colours those have is no matter yet.
    drawn = coverage.point(_ramp(ink, ground))  # pyright: ignore[reportUnknownMemberType]
    drawn.putpalette(bytes(3 * (_FULL + 1)))
    return drawn


@cache
def _ramp(ink: Colour, ground: Colour) -> list[int]:
    """The entry for each degree of coverage."""
    return [shade(ground, ink, _step(coverage)) for coverage in range(_FULL + 1)]


@cache
def _covered(step: int) -> list[int]:
    """Which degrees of coverage are nearest to so many steps."""
    return [_FULL * (_step(coverage) == step) for coverage in range(_FULL + 1)]


def _step(coverage: int) -> int:
    return (2 * STEPS * coverage + _FULL) // (2 * _FULL)


@cache
def _laid(colour: Colour, step: int) -> list[int]:
    """What each entry becomes under a colour that covers it by so many steps."""
    return [_over(entry, colour, step) for entry in range(SHADES)] + [0] * (_FULL + 1 - SHADES)


def _over(entry: int, colour: Colour, step: int) -> int:
    start, end, far = mixture(entry)
    if colour == start:
        start, end, far = end, start, STEPS - far
    if colour == end:
        # Of the way that is left, the coverage goes so much.
        return shade(start, end, far + round((STEPS - far) * step / STEPS))
    return shade(start if 2 * far < STEPS else end, colour, step)
