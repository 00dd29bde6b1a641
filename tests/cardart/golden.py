"""Pictures compared with those that are kept, as far as another version of a font's rasteriser may change them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

from cardart import Animation, Picture

KEPT: Final = Path(__file__).parents[2] / "docs" / "gallery"

_BLOCK: Final = 4
"""The side of the squares whose mean difference counts, in pixels: edges may differ a little, shapes may not."""
_ALLOWED: Final = 60
"""How much the channels of a square may differ in the mean, of 255."""


def difference(picture: Picture | Animation, kept: Path) -> Image.Image | None:
    """The picture of what differs, brighter where it does more; None where the two are alike, animations at first.

    Raises:
        FileNotFoundError: no picture is kept there.
    """
    with Image.open(BytesIO(picture.file[0])) as one, Image.open(kept) as other:
        drawn, expected = one.convert("RGB"), other.convert("RGB")
    if drawn.size != expected.size:
        return Image.new("RGB", expected.size, "red")
    differing = ImageChops.difference(drawn, expected)
    most = max(differing.reduce(_BLOCK).tobytes())
    return ImageChops.add(differing, differing, scale=0.5) if most > _ALLOWED else None
