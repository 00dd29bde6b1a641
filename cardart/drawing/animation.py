"""Animations: frames of palette indices as one lossless WebP, in which each frame holds only what changed.

Pillow would compare and encode whole frames in full colour, which takes twice as long; so it encodes the parts that
changed, and they are put together here. The container is that of RFC 9649.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image, ImageChops

_METHOD: Final = 1
"""Of WebP's methods the first that knows palettes; higher ones take twice as long for a tenth less."""
_ANIMATED: Final = 0x02
_TRANSPARENT: Final = 0x10
_REPLACES: Final = 0x02
"""A frame is not blended with what is there."""
_FOR_EVER: Final = 0
_CHANGED: Final = [0] + [255] * 255
_SIZED: Final = 8
"""A chunk's name and its length."""
_RIFF: Final = 12

Frame = tuple[Image.Image, int]
"""A palette image, and for how many milliseconds it is shown."""


@dataclass(frozen=True, slots=True)
class Animation:
    """A drawn animation, which begins anew at its end: WebP bytes, its facts in words (at most 1,024 characters), its
    size in pixels, how many frames it has, and the milliseconds they take."""

    webp: bytes
    alt: str
    size: tuple[int, int]
    frames: int
    duration: int

    @property
    def file(self) -> tuple[bytes, str]:
        """What to write into a file, and how its name ends."""
        return self.webp, "webp"


def encode_animation(frames: Iterable[Frame], alt: str) -> Animation:
    """The animation of at least one frame; all are of one size and have one palette."""
    size, chunks, duration = (0, 0), list[bytes](), 0
    before: Image.Image | None = None
    for image, milliseconds in frames:
        chunks.append(_frame(image, milliseconds, before))
        size, before, duration = image.size, image, duration + milliseconds
    wide, high = size
    canvas = bytes((_ANIMATED | _TRANSPARENT, 0, 0, 0)) + _three(wide - 1) + _three(high - 1)
    loops = bytes(4) + _FOR_EVER.to_bytes(2, "little")
    body = b"".join((b"WEBP", _chunk(b"VP8X", canvas), _chunk(b"ANIM", loops), *chunks))
    return Animation(_chunk(b"RIFF", body), alt, size, len(chunks), duration)


def _frame(image: Image.Image, milliseconds: int, before: Image.Image | None) -> bytes:
    """A frame: the first as it is, others where they differ from the one before, transparent in between."""
    left = top = 0
    part, blending = image, _REPLACES
    if before is not None:
        differs = ImageChops.difference(_indices(image), _indices(before))
        left, top, right, bottom = differs.getbbox() or (0, 0, 2, 2)
        left, top = left - left % 2, top - top % 2  # A frame begins at even places.
        box, blending = (left, top, right, bottom), 0
        part = image.crop(box).convert("RGBA")
        part.putalpha(differs.crop(box).point(_CHANGED))  # pyright: ignore[reportUnknownMemberType]
    place = _three(left // 2) + _three(top // 2) + _three(part.width - 1) + _three(part.height - 1)
    return _chunk(b"ANMF", place + _three(milliseconds) + bytes((blending,)) + _encoded(part))


def _indices(image: Image.Image) -> Image.Image:
    """A palette image's indices as shades of grey, which can be compared."""
    return Image.frombytes("L", image.size, image.tobytes())


def _encoded(image: Image.Image) -> bytes:
    """An image as WebP's own chunk for what is lossless."""
    out = BytesIO()
    image.save(out, "WEBP", lossless=True, method=_METHOD, quality=0)
    return next(chunk for chunk in _chunks(out.getvalue()) if chunk.startswith(b"VP8L"))


def _chunks(webp: bytes) -> Iterator[bytes]:
    at = _RIFF
    while at < len(webp):
        length = int.from_bytes(webp[at + 4 : at + _SIZED], "little")
        end = at + _SIZED + length + length % 2
        yield webp[at:end]
        at = end


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "little") + content + bytes(len(content) % 2)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")
