"""Reading image headers."""

import struct

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GIF_SIGNATURES = (b"GIF87a", b"GIF89a")
# The start of the block before each frame of an animated GIF: the type (two bytes), and the data length (always 4).
_GIF_FRAME = b"\x21\xf9\x04"
_WEBP_ANIMATION = 0x02
_AVIF_BRANDS = {b"avif": False, b"avis": True}


def png_size(content: bytes) -> tuple[int, int] | None:
    """Read (width, height) in pixels from the header of a PNG file. Return None for other files."""
    if len(content) < 24 or not content.startswith(_PNG_SIGNATURE) or content[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def webp_size(content: bytes) -> tuple[int, int] | None:
    """Read (width, height) in pixels from an extended WebP header (as in animations). Return None for other files."""
    if len(content) < 30 or not _is_webp(content) or content[12:16] != b"VP8X":
        return None
    return int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1


def recognize(content: bytes) -> tuple[str, bool] | None:
    """Return (media type, True if animated) for a PNG, JPEG, GIF, WebP or AVIF file, or None for any other file."""
    if png_size(content):
        return "image/png", False
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg", False
    if content.startswith(_GIF_SIGNATURES):
        return "image/gif", content.count(_GIF_FRAME) > 1
    if _is_webp(content):
        return "image/webp", webp_size(content) is not None and bool(content[20] & _WEBP_ANIMATION)
    if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS:
        return "image/avif", _AVIF_BRANDS[content[8:12]]
    return None


def _is_webp(content: bytes) -> bool:
    return content[:4] == b"RIFF" and content[8:12] == b"WEBP"
