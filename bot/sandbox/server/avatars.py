"""Avatars: a symmetric pattern for each hash, as a PNG file."""

import hashlib
import struct
import zlib
from colorsys import hls_to_rgb

_CELLS = 5
_CELL = 20
_MARGIN = 14
SIZE = _CELLS * _CELL + 2 * _MARGIN
"""Width and height of an avatar, in pixels."""


def avatar_png(avatar_hash: str) -> bytes:
    """Return the picture that belongs to a hash, which has hexadecimal digits: a symmetric pattern in two colours."""
    digest = hashlib.sha256(avatar_hash.encode()).digest()
    # Multiples of the golden ratio are far apart, so that consecutive hashes have different hues.
    hue = int(avatar_hash[-4:], 16) * 0.618 % 1
    colours = [(0.88, 0.6), (0.36, 0.6)]
    palette = bytes(round(255 * part) for light, strength in colours for part in hls_to_rgb(hue, light, strength))
    half = (_CELLS + 1) // 2
    rows: list[bytes] = []
    for row in range(_CELLS):
        left = [digest[1 + row * half + column] & 1 for column in range(half)]
        cells = [*left, *reversed(left[: _CELLS - half])]
        line = bytes(_MARGIN) + b"".join(bytes([cell]) * _CELL for cell in cells) + bytes(_MARGIN)
        rows += [line] * _CELL
    border = [bytes(SIZE)] * _MARGIN
    pixels = b"".join(b"\0" + line for line in [*border, *rows, *border])
    # The W3C's PNG specification: eight bits per pixel, colours from a palette, no filters, not interlaced.
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(pixels)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
