"""Animations: frames as one lossless WebP."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image

from cardart.drawing.canvas import Picture

_METHOD: Final = 1
"""The fastest of WebP's methods that uses palettes. Higher ones take much longer for little."""
_NEVER: Final = 10_000
"""A distance between key frames that no animation reaches. Key frames would add a tenth to the bytes."""

Frame = tuple[Image.Image, int]
"""A palette image, and for how many milliseconds it is shown."""


def encode_animation(frames: Iterable[Frame], alt: str) -> Picture:
    """Return an animation of at least two frames of one size that repeats forever.

    Each frame holds only what changed. All frames are in memory at once, at one byte per pixel.
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
