"""Painting in palette indices: where two colours share a pixel, it gets a shade between them.

A pixel that is partly covered is mixed with the nearer of the two colours it consists of. So no theme can turn an edge
into an unrelated third colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image

from cardart.drawing.palette import SHADES, STEPS, Colour, index, mixture, shade
from cardart.drawing.shapes import mask

_FULL: Final = 255
"""The coverage of a pixel that is wholly covered."""


class Painting:
    """An image of palette indices in the making, on a ground of one colour."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.image = Image.new("P", size, index(ground))

    def lay(self, colour: Colour, coverage: Image.Image, at: tuple[int, int] = (0, 0)) -> Painting:
        """Lay a colour on where `coverage` (0 to 255 per pixel) says, with its top left corner at `at`. Return self."""
        left, top = at
        beneath = self.image.crop((left, top, left + coverage.width, top + coverage.height))
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
    return bytes(shade(ground, ink, _step(coverage)) for coverage in range(_FULL + 1))


@cache
def _covered(step: int) -> bytes:
    """Return 255 for each degree of coverage that counts as this step, else 0."""
    return bytes(_FULL * (_step(coverage) == step) for coverage in range(_FULL + 1))


def _step(coverage: int) -> int:
    # Five ranges of equal width. Nearly full counts as full and nearly nothing as nothing: crisp edges, small files.
    return coverage * (STEPS + 1) // (_FULL + 1)


@cache
def _laid(colour: Colour, step: int) -> bytes:
    """Return what each palette index becomes under a colour that covers it by `step`."""
    return bytes(_over(entry, colour, step) for entry in range(SHADES)).ljust(_FULL + 1, b"\0")


def _over(entry: int, colour: Colour, step: int) -> int:
    start, end, far = mixture(entry)
    if colour == start:
        start, end, far = end, start, STEPS - far
    if colour == end:
        # The colour covers `step` of what is still missing to it.
        return shade(start, end, far + round((STEPS - far) * step / STEPS))
    return shade(start if 2 * far < STEPS else end, colour, step)
