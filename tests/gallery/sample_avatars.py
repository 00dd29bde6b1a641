"""Invented avatars: landscapes, faces and patterns, drawn in code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from cardart.parts.portraits import Avatar, read_avatar

_SIDE: Final = 512
"""Width and height of an avatar before it is reduced, in pixels."""

_Rgb = tuple[int, int, int]


@cache
def sample_avatar(name: str) -> Avatar:
    """Return the invented avatar with this name: `sunset`, `cat`, `woman` or `orbit`."""
    return read_avatar(avatar_file(name))


@cache
def avatar_file(name: str, file_format: str = "PNG") -> bytes:
    """Return the file of an invented avatar in a format that Pillow can write."""
    image = Image.new("RGB", (_SIDE, _SIDE))
    _DRAWINGS[name](image, ImageDraw.Draw(image))
    buffer = BytesIO()
    image.save(buffer, file_format)
    return buffer.getvalue()


def _gradient(image: Image.Image, top: _Rgb, bottom: _Rgb) -> None:
    """Fill an image with a vertical gradient."""
    strip = Image.new("RGB", (1, image.height))
    for y in range(image.height):
        red, green, blue = (a + (b - a) * y // image.height for a, b in zip(top, bottom, strict=True))
        strip.putpixel((0, y), (red, green, blue))
    image.paste(strip.resize(image.size))  # pyright: ignore[reportUnknownMemberType]


def _draw_sunset(image: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    _gradient(image, (52, 40, 120), (255, 150, 90))
    pen.ellipse((170, 180, 350, 360), fill=(255, 224, 130))
    pen.polygon([(0, 420), (150, 260), (260, 390), (380, 240), (512, 400), (512, 512), (0, 512)], fill=(70, 40, 90))
    pen.polygon([(0, 470), (220, 370), (512, 480), (512, 512), (0, 512)], fill=(36, 22, 56))


def _draw_cat(image: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    _gradient(image, (120, 214, 190), (40, 140, 150))
    fur, dark = (238, 156, 72), (92, 48, 24)
    for x, tip in ((130, 110), (382, 402)):
        pen.polygon([(x - 70, 260), (tip, 70), (x + 70, 200)], fill=fur)
        pen.polygon([(x - 36, 220), (tip, 120), (x + 36, 190)], fill=(250, 190, 170))
    pen.ellipse((86, 150, 426, 450), fill=fur)
    pen.ellipse((176, 310, 336, 440), fill=(255, 236, 214))
    for x in (186, 326):
        pen.ellipse((x - 36, 230, x + 36, 310), fill=(236, 240, 160))
        pen.ellipse((x - 12, 234, x + 12, 306), fill=dark)
    pen.polygon([(236, 326), (276, 326), (256, 350)], fill=(214, 92, 104))
    pen.line([(256, 350), (256, 372), (226, 392)], fill=dark, width=7)
    pen.line([(256, 372), (286, 392)], fill=dark, width=7)
    for y in (336, 366):
        pen.line([(60, y - 6), (170, y)], fill=dark, width=4)
        pen.line([(342, y), (452, y - 6)], fill=dark, width=4)


def _draw_woman(image: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    _gradient(image, (250, 222, 196), (232, 160, 170))
    hair, skin = (64, 34, 40), (226, 172, 136)
    pen.ellipse((116, 60, 396, 400), fill=hair)
    pen.rectangle((116, 230, 396, 470), fill=hair)
    pen.ellipse((90, 410, 422, 640), fill=(60, 96, 150))
    pen.rectangle((216, 350, 296, 440), fill=(204, 146, 112))
    pen.ellipse((158, 118, 354, 390), fill=skin)
    pen.chord((146, 84, 366, 300), 180, 345, fill=hair)
    for x in (212, 300):
        pen.ellipse((x - 16, 240, x + 16, 266), fill=(255, 255, 255))
        pen.ellipse((x - 9, 242, x + 9, 264), fill=(52, 84, 60))
        pen.arc((x - 28, 210, x + 28, 250), 200, 340, fill=hair, width=8)
    pen.arc((236, 260, 276, 306), 20, 160, fill=(180, 116, 92), width=6)
    pen.chord((216, 306, 296, 354), 10, 170, fill=(186, 60, 72))


def _draw_orbit(image: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    _gradient(image, (16, 18, 44), (44, 30, 92))
    for number in range(90):
        x, y, light = number * 197 % 512, number * 311 % 512, 120 + number * 37 % 130
        pen.ellipse((x, y, x + 4, y + 4), fill=(light, light, 255))
    pen.arc((46, 196, 466, 320), 0, 360, fill=(240, 190, 96), width=16)
    pen.ellipse((136, 136, 376, 376), fill=(66, 146, 214))
    pen.chord((136, 136, 376, 376), 20, 150, fill=(52, 108, 176))
    pen.chord((136, 136, 376, 376), 200, 290, fill=(112, 190, 232))
    pen.arc((46, 196, 466, 320), 5, 175, fill=(240, 190, 96), width=16)


_DRAWINGS: Final[dict[str, Callable[[Image.Image, ImageDraw.ImageDraw], None]]] = {
    "sunset": _draw_sunset,
    "cat": _draw_cat,
    "woman": _draw_woman,
    "orbit": _draw_orbit,
}
