"""Palette images as PNG files, packed in one call to zlib-ng (decision 0006 has the figures).

The format is that of the W3C's PNG specification, third edition.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

from PIL import Image
from zlib_ng import zlib_ng

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = bytes((8, 3, 0, 0, 0))
"""Eight bits per pixel, palette indices, and the only methods there are for compression, filters and interlacing."""
_NO_FILTER: Final = 0
"""The byte that begins each row. Filters do not help palette indices."""
_LEVEL: Final = 5


def encode_png(image: Image.Image) -> bytes:
    """Return a palette image as a PNG whose palette holds only the colours that the image uses."""
    width, height = image.size
    used = [entry for entry, pixels in enumerate(image.histogram()) if pixels]
    # The byte that begins each row is translated too. It stays 0, because entry 0 can only become the first.
    entries = bytearray(256)
    for new, entry in enumerate(used):
        entries[entry] = new
    palette = image.getpalette() or []
    rows = Image.new("P", (width + 1, height), _NO_FILTER)
    rows.paste(image, (1, 0))
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", width.to_bytes(4) + height.to_bytes(4) + _HEADER),
            _chunk(b"PLTE", bytes(channel for entry in used for channel in palette[3 * entry : 3 * entry + 3])),
            _chunk(b"IDAT", zlib_ng.compress(rows.tobytes().translate(entries), _LEVEL)),  # pyright: ignore[reportUnknownMemberType]
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4) + name + content + crc32(name + content).to_bytes(4)
