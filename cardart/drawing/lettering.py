"""Letters and digits, from the scalable font that is part of Pillow: no font of the machine is looked for."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

_CAP: Final = 0.7
"""The height of a capital letter of the font, in ems."""
_BOLD: Final = 0.022
_HEAVY: Final = 0.03
"""How much letters and ranks are thickened, in heights of a capital; the font comes in one weight."""
_OVERSAMPLING: Final = 4
_SPACE: Final = 0.42
"""A word space in heights of a capital: the font's own is too narrow once letters are thickened."""
_ABOVE: Final = 1.15
_BELOW: Final = 0.4
"""Room above and below the baseline, in heights of a capital: enough for `(` and `y`."""


@cache
def _font(cap: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(cap / _CAP) if features.check("freetype2") else None
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow lacks FreeType (features.check('freetype2') is False), so letters cannot be drawn")
    return font


def baseline(cap: int) -> int:
    """How far the baseline lies below the top of a `text_mask`."""
    return round(cap * _ABOVE)


def text_mask(text: str, cap: int, weight: float = _BOLD) -> Image.Image:
    """The coverage of a text whose capitals are `cap` pixels high; the baseline is `baseline(cap)` down.

    Raises:
        RuntimeError: Pillow was built without FreeType.
    """
    large = cap * _OVERSAMPLING
    font, edge = _font(large), large * _HEAVY
    ends = list(accumulate(font.getlength(word) + large * _SPACE for word in text.split(" ")))
    wide = round((ends[-1] - large * _SPACE + 2 * edge) / _OVERSAMPLING)
    size = (wide * _OVERSAMPLING, (baseline(cap) + round(cap * _BELOW)) * _OVERSAMPLING)
    drawn = Image.new("L", size)
    pen = ImageDraw.Draw(drawn)
    for word, start in zip(text.split(" "), (0, *ends), strict=False):
        pen.text((edge + start, baseline(cap) * _OVERSAMPLING), word, fill=255, font=font, anchor="ls")
    return drawn.filter(ImageFilter.MaxFilter(2 * round(large * weight) + 1)).reduce(_OVERSAMPLING)


@cache
def rank_mask(text: str, cap: int, widest: int) -> Image.Image:
    """The coverage of a card's rank, cut close; what is wider than `widest` pixels, as `10`, is narrowed to that."""
    drawn = text_mask(text, cap, _HEAVY)
    box = drawn.getbbox()
    assert box is not None
    cut = drawn.crop((box[0], baseline(cap) - cap - 2, box[2], baseline(cap) + round(cap * 0.12)))
    if cut.width <= widest:
        return cut
    whole = (0, 0, cut.width, cut.height)
    return cut.transform((widest, cut.height), Image.Transform.EXTENT, whole, Image.Resampling.BICUBIC)
