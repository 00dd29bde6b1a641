"""Avatars are decoded safely, and portraits show their seat."""

from __future__ import annotations

from io import BytesIO
from struct import pack
from zlib import compress, crc32

import pytest
from PIL import Image

from bot.engine.deals.moves import Seat
from bot.model.appearance import DEFAULT_APPEARANCE
from cardart.drawing.canvas import Canvas
from cardart.parts.badges import badge, name_crest
from cardart.parts.portraits import (
    AVATAR_SIDE,
    Portrait,
    UnreadableAvatarError,
    draw_person,
    draw_portrait,
    read_avatar,
)
from tests.gallery.sample_avatars import avatar_file, sample_avatar


def file_of(image: Image.Image, file_format: str = "PNG") -> bytes:
    """Return the file of an image."""
    buffer = BytesIO()
    image.save(buffer, file_format)
    return buffer.getvalue()


def png_header(width: int, height: int) -> bytes:
    """Return a PNG file that claims to have these sides, with only a few pixels."""
    chunks = ((b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", compress(bytes(64))), (b"IEND", b""))
    parts = (pack(">I", len(data)) + name + data + pack(">I", crc32(name + data)) for name, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "GIF"])
def test_every_format_of_discord_is_read(file_format: str) -> None:
    """An avatar in any format that Discord uses becomes a square in RGB."""
    image = read_avatar(avatar_file("cat", file_format)).image
    assert (image.mode, image.size) == ("RGB", (AVATAR_SIDE, AVATAR_SIDE))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
@pytest.mark.parametrize("size", [(1, 1), (1, 300), (300, 20), (128, 128)])
def test_every_mode_and_shape_is_read(mode: str, size: tuple[int, int]) -> None:
    """Grey images, palettes and transparency are read, and any shape is cropped to a square."""
    image = read_avatar(file_of(Image.new(mode, size))).image
    assert (image.mode, image.size) == ("RGB", (AVATAR_SIDE, AVATAR_SIDE))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg/>",
        b"GIF89a",
        avatar_file("cat")[:900],
        avatar_file("cat", "WEBP")[:200],
        file_of(Image.new("RGB", (9, 9)), "BMP"),
        png_header(5000, 5000),
        png_header(2**31 - 1, 2**31 - 1),
        png_header(100, 100),
    ],
    ids=["empty", "svg", "header", "cut off PNG", "cut off WebP", "BMP", "large", "bomb", "missing pixels"],
)
def test_anything_else_is_refused(content: bytes) -> None:
    """Damaged files, other formats and huge images are refused before they are decoded."""
    with pytest.raises(UnreadableAvatarError):
        read_avatar(content)


def test_transparent_pixels_are_neutral() -> None:
    """The colour of transparent pixels does not matter."""
    images = [read_avatar(file_of(Image.new("RGBA", (64, 64), (*colour, 0)))).image for colour in ((0,) * 3, (9,) * 3)]
    assert images[0].tobytes() == images[1].tobytes()
    assert min(images[0].tobytes()) > 128


def test_an_animation_is_its_first_frame() -> None:
    """An animated avatar looks like its first frame."""
    red, blue = (Image.new("RGB", (32, 32), colour) for colour in ("red", "blue"))
    buffer = BytesIO()
    red.save(buffer, "GIF", save_all=True, append_images=[blue])
    assert read_avatar(buffer.getvalue()).image.getpixel((80, 80)) == (255, 0, 0)


def test_a_portrait_without_an_avatar_is_the_badge() -> None:
    """A player without an avatar has the badge with the monogram, and a person without a seat has a shield."""
    portraits, badges = (Canvas(200, 100, DEFAULT_APPEARANCE) for _ in range(2))
    draw_portrait(portraits, Seat(1), Portrait("N", "North"), 20, 20, 60)
    draw_person(portraits, None, name_crest("North", 60), 100, 20)
    badges.put(badge(Seat(1), "N", 60), 20, 20)
    badges.put(name_crest("North", 60), 100, 20)
    assert portraits.picture("") == badges.picture("")


@pytest.mark.parametrize("side", [32, 40, 88])
def test_seats_differ_even_with_the_same_avatar(side: int) -> None:
    """The same avatar looks different at each seat, in any size, and different from that of a person without a seat."""
    contents = set[bytes]()
    for seat in range(4):
        canvas = Canvas(200, 120, DEFAULT_APPEARANCE)
        draw_portrait(canvas, Seat(seat), Portrait("N", "North", sample_avatar("cat")), 20, 20, side)
        contents.add(canvas.picture("").content)
    canvas = Canvas(200, 120, DEFAULT_APPEARANCE)
    draw_person(canvas, sample_avatar("cat"), name_crest("North", side), 20, 20)
    contents.add(canvas.picture("").content)
    assert len(contents) == 5
