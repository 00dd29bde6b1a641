"""Compares pictures with stored ones, with a tolerance for other versions of the font rasterizer."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

from cardart import Picture

KEPT: Final = Path(__file__).parents[2] / "docs" / "gallery"

_BLOCK: Final = 4
"""The side of the compared squares in pixels. Averaging over squares ignores small differences at edges."""
_ALLOWED: Final = 60
"""Maximum mean difference of a square's channels, of 255."""


def difference(picture: Picture, kept: Path) -> Image.Image | None:
    """Return a picture of the differences, brighter for larger ones, or None if the pictures match.

    Animations are compared by their first frames.

    Raises:
        FileNotFoundError: there is no stored picture.
    """
    with Image.open(BytesIO(picture.content)) as one, Image.open(kept) as other:
        drawn, expected = one.convert("RGB"), other.convert("RGB")
    if drawn.size != expected.size:
        return Image.new("RGB", expected.size, "red")
    differing = ImageChops.difference(drawn, expected)
    most = max(differing.reduce(_BLOCK).tobytes())
    return ImageChops.add(differing, differing, scale=0.5) if most > _ALLOWED else None
