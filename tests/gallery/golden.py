"""Compare pictures with stored ones, and tolerate small differences between versions of the font rasterizer."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

from cardart import Picture

STORED: Final = Path(__file__).parents[2] / "docs" / "gallery"

_BLOCK: Final = 4
"""Side of the squares whose averages are compared, in pixels. Averaging ignores small differences at edges."""
_MAX_DIFFERENCE: Final = 60
"""Maximum mean difference within a square, for each colour channel from 0 to 255."""


def difference(picture: Picture, stored: Path) -> Image.Image | None:
    """Return a picture of the differences, brighter for larger ones, or None if the pictures match.

    For an animation, only the first frame is compared.

    Raises:
        FileNotFoundError: there is no stored picture.
    """
    with Image.open(BytesIO(picture.content)) as one, Image.open(stored) as other:
        drawn, expected = one.convert("RGB"), other.convert("RGB")
    if drawn.size != expected.size:
        return Image.new("RGB", expected.size, "red")
    differing = ImageChops.difference(drawn, expected)
    largest = max(differing.reduce(_BLOCK).tobytes())
    return ImageChops.add(differing, differing, scale=0.5) if largest > _MAX_DIFFERENCE else None
