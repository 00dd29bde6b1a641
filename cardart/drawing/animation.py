"""Encode frames as a lossless WebP animation."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image

from cardart.drawing.canvas import Picture

_WEBP_METHOD: Final = 1
"""The fastest WebP method that uses palettes. Higher methods take much longer and save little."""
_KEY_FRAME_INTERVAL: Final = 10_000
"""Interval between key frames: more frames than any animation has, because key frames make files a tenth larger."""

Frame = tuple[Image.Image, int]
"""A palette image and its duration in milliseconds."""


def encode_animation(frames: Iterable[Frame], alt: str) -> Picture:
    """Encode at least two frames of the same size as an animation that loops forever.

    The file stores only the pixels that change from frame to frame. All frames are in memory at the same time, at one
    byte per pixel.
    """
    (first, *later_frames), durations = zip(*frames, strict=True)
    buffer = BytesIO()
    first.save(
        buffer,
        "WEBP",
        save_all=True,
        append_images=later_frames,
        duration=durations,
        loop=0,
        lossless=True,
        quality=0,
        method=_WEBP_METHOD,
        kmin=_KEY_FRAME_INTERVAL - 1,
        kmax=_KEY_FRAME_INTERVAL,
    )
    return Picture(buffer.getvalue(), alt, first.size, "webp")
