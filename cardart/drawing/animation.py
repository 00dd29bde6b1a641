"""Encode frames as a lossless WebP animation."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image

from cardart.drawing.canvas import Picture

_METHOD: Final = 1
"""The fastest WebP method that uses palettes. Higher methods take much longer and save little."""
_NEVER: Final = 10_000
"""An interval between key frames that no animation reaches. Key frames would make files a tenth larger."""

Frame = tuple[Image.Image, int]
"""A palette image and its duration in milliseconds."""


def encode_animation(frames: Iterable[Frame], alt: str) -> Picture:
    """Encode at least two frames of the same size as an animation that loops forever.

    The file stores only the pixels that change from frame to frame. All frames are in memory at the same time, at one
    byte per pixel.
    """
    (first, *others), durations = zip(*frames, strict=True)
    out = BytesIO()
    first.save(
        out,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        lossless=True,
        quality=0,
        method=_METHOD,
        kmin=_NEVER - 1,
        kmax=_NEVER,
    )
    return Picture(out.getvalue(), alt, first.size, "webp")
