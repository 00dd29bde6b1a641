"""Painting in palette indices: colour is laid on colour, and edges get the shades between the two that meet there.

What covers a pixel in part is mixed with what is there in mostly: no look can make a third colour of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image

from cardart.drawing.palette import SHADES, STEPS, Colour, index, mixture, shade
from cardart.drawing.shapes import mask

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
            covered = mapped(coverage, "L", _covered(step))
            if covered.getbbox() is not None:
                self.image.paste(mapped(beneath, "P", _laid(colour, step)), at, covered)
        return self

    def paint(self, unit: float, layers: Sequence[tuple[Colour, Sequence[str]]]) -> Painting:
        """Lay on filled paths, the lowest first, with so many pixels for one unit of theirs; gives itself."""
        for colour, paths in layers:
            self.lay(colour, mask(self.image.size, unit, paths))
        return self


def inked(coverage: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    """One colour on another in palette indices, as far as each pixel is covered (0 to 255)."""
    return mapped(coverage, "P", _ramp(ink, ground))


def mapped(image: Image.Image, mode: str, table: bytes) -> Image.Image:
    """An image with another byte for each of 256; Pillow's `point` would round every one of the table's first."""
    return Image.frombytes(mode, image.size, image.tobytes().translate(table))


@cache
def _ramp(ink: Colour, ground: Colour) -> bytes:
    """The entry for each degree of coverage."""
    return bytes(shade(ground, ink, _step(coverage)) for coverage in range(_FULL + 1))


@cache
def _covered(step: int) -> bytes:
    """Which degrees of coverage count as so many steps."""
    return bytes(_FULL * (_step(coverage) == step) for coverage in range(_FULL + 1))


def _step(coverage: int) -> int:
    # Five ranges of one width: what is nearly whole, or nearly nothing, is that, for crisp edges and small files.
    return coverage * (STEPS + 1) // (_FULL + 1)


@cache
def _laid(colour: Colour, step: int) -> bytes:
    """What each entry becomes under a colour that covers it by so many steps."""
    return bytes(_over(entry, colour, step) for entry in range(SHADES)).ljust(_FULL + 1, b"\0")


def _over(entry: int, colour: Colour, step: int) -> int:
    start, end, far = mixture(entry)
    if colour == start:
        start, end, far = end, start, STEPS - far
    if colour == end:
        # Of the way that is left, the coverage goes so much.
        return shade(start, end, far + round((STEPS - far) * step / STEPS))
    return shade(start if 2 * far < STEPS else end, colour, step)
