"""Letters and digits in Roboto, which comes with the package `fontpkg-roboto`. No other font is looked for."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from math import ceil
from typing import Final

import fontpkg  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image, ImageDraw, ImageFont

_CAP: Final = 0.711
"""The height of a capital letter of the font, in ems."""
_TEXT_WEIGHT: Final = 600
_RANK_WEIGHT: Final = 800
_NORMAL: Final = 100
_CONDENSED: Final = 75
"""Widths of the font, in hundredths of the normal one."""
_PROBE: Final = 20
_UNKNOWN: Final = "\uffff"
"""A character that no font has: what is drawn for it stands for every other one that is missing."""
_BETWEEN_LETTERS: Final = 0.06
"""The gap between the letters of a rank, in heights of a capital."""
_LOWER: Final = 0.9
"""The height of a rank of two letters, in those of the others."""
_ABOVE: Final = 1.15
_BELOW: Final = 0.4
"""The room above and below the baseline, in heights of a capital: enough for `(` and `y`."""


@cache
def _font(cap: int, weight: int, width: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same on every machine; the other one depends on a library that Pillow may lack.
    font = ImageFont.truetype(fontpkg.path("Roboto"), cap / _CAP, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([weight, width])
    return font


def baseline(cap: int) -> int:
    """Return how far the baseline lies below the top of a `text_mask`."""
    return round(cap * _ABOVE)


def text_mask(text: str, cap: int, weight: int = _TEXT_WEIGHT, width: int = _NORMAL) -> Image.Image:
    """Return the coverage of a text with capitals of `cap` pixels, whose baseline is `baseline(cap)` down."""
    font = _font(cap, weight, width)
    mask = Image.new("L", (ceil(font.getlength(text)) + 2, baseline(cap) + round(cap * _BELOW)))
    ImageDraw.Draw(mask).text((1, baseline(cap)), text, fill=255, font=font, anchor="ls")
    return mask


def fitted(text: str, cap: int, least: int, room: int) -> tuple[str, int]:
    """Return a text and the height of its capitals with which it fits into `room` pixels.

    A long one is written smaller, down to `least`; one that is still too long is cut.
    """
    while cap > least and text_mask(text, cap).width > room:
        cap -= 1
    while text_mask(text, cap).width > room:
        text = f"{text.removesuffix('…')[:-1].rstrip()}…"
    return text, cap


@cache
def rank_mask(text: str, cap: int, widest: int) -> Image.Image:
    """Return the coverage of a card's rank, cut close. A rank wider than `widest` pixels, as `10`, is narrowed.

    The letters of `10` and `Kn` stand closer than in words, as on printed cards, and are a little lower, so that they
    need not be narrowed as much.
    """
    gap = max(1, round(cap * _BETWEEN_LETTERS))
    cap = cap if len(text) == 1 else round(cap * _LOWER)
    for width in (_NORMAL, _CONDENSED):
        letters = [_letter_mask(letter, cap, width) for letter in text]
        cut = Image.new("L", (sum(one.width + gap for one in letters) - gap, letters[0].height))
        x = 0
        for letter in letters:
            cut.paste(letter, (x, 0))
            x += letter.width + gap
        if cut.width <= widest:
            return cut
    whole = (0, 0, cut.width, cut.height)
    return cut.transform((widest, cut.height), Image.Transform.EXTENT, whole, Image.Resampling.BICUBIC)


def can_write(text: str) -> bool:
    """Return whether the font has a letter for each character of a text."""
    return all(map(_has_glyph, text))


@lru_cache(4096)
def _has_glyph(char: str) -> bool:
    # Marks that combine with other letters, and scripts from right to left, need a library to be laid out.
    if unicodedata.category(char)[0] not in "LNPSZ" or unicodedata.bidirectional(char) in ("R", "AL"):
        return False
    return char.isspace() or text_mask(char, _PROBE).tobytes() != text_mask(_UNKNOWN, _PROBE).tobytes()


def _letter_mask(letter: str, cap: int, width: int) -> Image.Image:
    drawn = text_mask(letter, cap, _RANK_WEIGHT, width)
    left, _, right, _ = drawn.getbbox() or (0, 0, 0, 0)
    return drawn.crop((left, baseline(cap) - cap - 2, right, baseline(cap) + round(cap * 0.12)))
