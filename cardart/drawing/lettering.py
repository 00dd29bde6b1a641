"""Text in Roboto, from the package `fontpkg-roboto`. System fonts are never used."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil
from typing import Final

import fontpkg  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image, ImageChops, ImageDraw, ImageFont

_CAP: Final = 0.711
"""Cap height of the font, in ems."""
_TEXT_WEIGHT: Final = 600
_RANK_WEIGHT: Final = 800
_NORMAL: Final = 100
_CONDENSED: Final = 75
"""Widths of the font, as percentages of the normal width."""
_PROBE: Final = 20
_UNKNOWN: Final = "\uffff"
"""A character that no font has. The font draws all missing characters alike."""
_BETWEEN_LETTERS: Final = 0.06
"""Space between the letters of a rank, in cap heights."""
_REGAINED: Final = 0.12
"""Thickness that squeezed letters regain in their stems, in cap heights: about half of the thickness that they lost."""
_FINE: Final = 4
_ABOVE: Final = 1.15
_BELOW: Final = 0.4
"""Space above and below the baseline, in cap heights: enough for `(` and `y`."""


@cache
def _font(cap: int, weight: int, width: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same on every machine. The other layout engine needs a library that Pillow may lack.
    font = ImageFont.truetype(fontpkg.path("Roboto"), cap / _CAP, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([weight, width])
    return font


def baseline(cap: int) -> int:
    """Return the distance from the top of a `text_mask` to its baseline, in pixels."""
    return round(cap * _ABOVE)


def text_mask(text: str, cap: int, weight: int = _TEXT_WEIGHT, width: int = _NORMAL) -> Image.Image:
    """Return the coverage of a text with a cap height of `cap` pixels. Its baseline is at `baseline(cap)`."""
    font = _font(cap, weight, width)
    mask = Image.new("L", (ceil(font.getlength(text)) + 2, baseline(cap) + round(cap * _BELOW)))
    ImageDraw.Draw(mask).text((1, baseline(cap)), text, fill=255, font=font, anchor="ls")
    return mask


def fitted(text: str, cap: int, least: int, room: int) -> tuple[str, int]:
    """Return a text that fits into `room` pixels, and its cap height.

    A long text gets a smaller cap height, down to `least`. A text that is still too long is cut off with `…`.
    """
    while cap > least and text_mask(text, cap).width > room:
        cap -= 1
    while text_mask(text, cap).width > room:
        text = f"{text.removesuffix('…')[:-1].rstrip()}…"
    return text, cap


@cache
def rank_mask(text: str, cap: int, widest: int) -> Image.Image:
    """Return the cropped coverage of a card's rank, at most `widest` pixels wide.

    A wider rank, such as `10`, is narrowed. The letters of `10` and `Kn` are closer together than in words, as on
    printed cards.
    """
    gap = max(1, round(cap * _BETWEEN_LETTERS))
    room = widest - gap * (len(text) - 1)
    letters = [_letter_mask(letter, cap, _NORMAL) for letter in text]
    if _width(letters) > room:
        letters = [_letter_mask(letter, cap, _CONDENSED) for letter in text]
    if _width(letters) > room:
        letters = _narrowed(letters, room, cap)
    cut = Image.new("L", (_width(letters) + gap * (len(text) - 1), letters[0].height))
    x = 0
    for letter in letters:
        cut.paste(letter, (x, 0))
        x += letter.width + gap
    return cut


def _width(letters: Sequence[Image.Image]) -> int:
    return sum(letter.width for letter in letters)


def _narrowed(letters: Sequence[Image.Image], room: int, cap: int) -> list[Image.Image]:
    """Return letters squeezed to a total width, in pixels.

    Their stems are made thicker again, because the letters would look too light otherwise.
    """
    squeeze = room / _width(letters)
    thicker = round(_REGAINED * cap * (1 - squeeze) * _FINE)
    narrow: list[Image.Image] = []
    for letter in letters:
        right = room - _width(narrow) if len(narrow) == len(letters) - 1 else round(letter.width * squeeze)
        size, whole = (right * _FINE - thicker, letter.height), (0, 0, *letter.size)
        squeezed = letter.transform(size, Image.Transform.EXTENT, whole, Image.Resampling.BICUBIC)
        fine = Image.new("L", (right * _FINE, letter.height))
        fine.paste(squeezed)
        narrow.append(ImageChops.lighter(fine, ImageChops.offset(fine, thicker, 0)).reduce((_FINE, 1)))
    return narrow


def can_write(text: str) -> bool:
    """Return True if the font can write every character of a text."""
    return all(map(_has_glyph, text))


@lru_cache(4096)
def _has_glyph(char: str) -> bool:
    # Combining marks and scripts written from right to left need a layout library.
    if unicodedata.category(char)[0] not in "LNPSZ" or unicodedata.bidirectional(char) in ("R", "AL"):
        return False
    return char.isspace() or text_mask(char, _PROBE).tobytes() != text_mask(_UNKNOWN, _PROBE).tobytes()


def _letter_mask(letter: str, cap: int, width: int) -> Image.Image:
    drawn = text_mask(letter, cap, _RANK_WEIGHT, width)
    left, _, right, _ = drawn.getbbox() or (0, 0, 0, 0)
    return drawn.crop((left, baseline(cap) - cap - 2, right, baseline(cap) + round(cap * 0.12)))
