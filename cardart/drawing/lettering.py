"""Text in Roboto, from the package `fontpkg-roboto`. System fonts are never used."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import ceil
from typing import Final

import fontpkg  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image, ImageChops, ImageDraw, ImageFont

from cardart.drawing.shapes import layered_mask

_Layers = Iterator[tuple[bool, Sequence[str]]]
"""Layers for `layered_mask`."""

_CAP_HEIGHT_EM: Final = 0.711
"""Cap height of the font, in ems."""
_TEXT_WEIGHT: Final = 600
_RANK_WEIGHT: Final = 800
_NORMAL_WIDTH: Final = 100
_CONDENSED_WIDTH: Final = 75
"""Width of condensed letters, as a percentage of the font's normal width (`_NORMAL_WIDTH`)."""
_PROBE_CAP: Final = 20
_MISSING_CHARACTER: Final = "\uffff"
"""A character that no font has. The font draws all missing characters alike."""
_EMOJI_SELECTOR: Final = "\ufe0f"
"""The character after a symbol that shows it as an emoji. Unicode counts it as a mark, like accents."""
_RANK_LETTER_GAP: Final = 0.06
"""Space between the letters of a rank, in cap heights."""
_STEM_THICKENING: Final = 0.12
"""Thickness that squeezed letters regain in their stems, in cap heights: about half of the thickness that they lost."""
_OVERSAMPLING: Final = 4
_RANK_TOP: Final = 2
"""Space above a rank in its mask, in pixels."""
_RANK_BOTTOM: Final = 0.12
"""Space below the baseline in the mask of a rank, in cap heights: enough for the tail of `Q`."""
_ASCENT: Final = 1.15
_DESCENT: Final = 0.4
"""Space above (`_ASCENT`) and below (`_DESCENT`) the baseline, in cap heights: enough for `(` and `y`."""


@cache
def _font(cap: int, weight: int, width: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same on every machine. The other layout engine needs a library that Pillow might lack.
    font = ImageFont.truetype(fontpkg.path("Roboto"), cap / _CAP_HEIGHT_EM, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([weight, width])
    return font


def baseline(cap: int) -> int:
    """Return the distance from the top of a `text_mask` to its baseline, in pixels."""
    return round(cap * _ASCENT)


@lru_cache(1024)
def text_width(text: str, cap: int) -> int:
    """Return the width of the `text_mask` of a text, in pixels."""
    return _text_width(text, _font(cap, _TEXT_WEIGHT, _NORMAL_WIDTH))


def _text_width(text: str, font: ImageFont.FreeTypeFont) -> int:
    return ceil(font.getlength(text)) + 2


def text_mask(text: str, cap: int, weight: int = _TEXT_WEIGHT, width: int = _NORMAL_WIDTH) -> Image.Image:
    """Return the coverage of a text with a cap height of `cap` pixels. Its baseline is at `baseline(cap)`."""
    font = _font(cap, weight, width)
    mask = Image.new("L", (_text_width(text, font), baseline(cap) + round(cap * _DESCENT)))
    ImageDraw.Draw(mask).text((1, baseline(cap)), text, fill=255, font=font, anchor="ls")
    return mask


def fitted_text(text: str, cap: int, min_cap: int, max_width: int) -> tuple[str, int]:
    """Return a text that fits into `max_width` pixels, and its cap height.

    A long text gets a smaller cap height, down to `min_cap`. A text that is still too long is cut off with `…`.
    """
    while cap > min_cap and text_width(text, cap) > max_width:
        cap -= 1
    while text_width(text, cap) > max_width:
        text = f"{text.removesuffix('…')[:-1].rstrip()}…"
    return text, cap


def wrapped_text(text: str, cap: int, max_width: int) -> list[str]:
    """Return a text in one or two lines that fit into `max_width` pixels.

    The first line ends after a space or a hyphen if it is then at least half full. A second line that is too long is
    cut off with `…`.
    """
    if text_width(text, cap) <= max_width:
        return [text]
    fits = max(length for length in range(1, len(text)) if length == 1 or text_width(text[:length], cap) <= max_width)
    breaks = [place + 1 for place, char in enumerate(text[:fits]) if char in " -"]
    end = breaks[-1] if breaks and 2 * text_width(text[: breaks[-1]], cap) >= max_width else fits
    return [text[:end].rstrip(), fitted_text(text[end:].lstrip(), cap, cap, max_width)[0]]


def common_cap(texts: Iterable[str], cap: int, min_cap: int, max_width: int) -> int:
    """Return the largest cap height from `cap` down to `min_cap` at which all texts fit into `max_width` pixels.

    If there is none, return `min_cap`.
    """
    return min((fitted_text(text, cap, min_cap, max_width)[1] for text in texts), default=cap)


@cache
def rank_mask(text: str, cap: int, max_width: int) -> Image.Image:
    """Return the cropped coverage of a card's rank, at most `max_width` pixels wide.

    A wider rank is narrowed. The letters of `10` and `Kn` are closer together than in words, as on printed cards, and
    have a narrow design of their own: squeezed letters of the font would have no counters.
    """
    gap = max(1, round(cap * _RANK_LETTER_GAP))
    letters_width = max_width - gap * (len(text) - 1)
    letters = [_letter_mask(letter, cap, _NORMAL_WIDTH) for letter in text]
    if _total_width(letters) > letters_width:
        letters = [_letter_mask(letter, cap, _CONDENSED_WIDTH) for letter in text]
    if _total_width(letters) > letters_width and text in _NARROW_RANKS:
        return _narrow_rank_mask(text, cap, max_width)
    if _total_width(letters) > letters_width:
        letters = _squeezed(letters, letters_width, cap)
    coverage = Image.new("L", (_total_width(letters) + gap * (len(text) - 1), letters[0].height))
    x = 0
    for letter in letters:
        coverage.paste(letter, (x, 0))
        x += letter.width + gap
    return coverage


def _narrow_ten(width: float) -> _Layers:
    """Yield a 1 whose flag is short, and a 0 with straight sides and an open counter."""
    stem, gap = 0.23 * width, 0.1 * width
    one = 0.33 * width
    left, counter = one + gap, (width - one - gap) - 2 * stem
    yield (
        True,
        [
            f"M {one} 0 L {one} 100 L {one - stem} 100 L {one - stem} 22 L 0 30 L 0 14 L {one - 0.7 * stem} 0 Z",
            _stadium(left, 0, width, 100, 0.5 * (width - left)),
        ],
    )
    yield False, [_stadium(left + stem, 15, width - stem, 85, counter / 2)]


def _narrow_jack(width: float) -> _Layers:
    """Yield the letters of the Scandinavian jack, `Kn`."""
    stem, thin, k, n = 0.19 * width, 0.155 * width, 0.54 * width, 0.6 * width
    yield (
        True,
        [
            f"M 0 0 L {stem} 0 L {stem} 100 L 0 100 Z",
            f"M {k - 1.15 * stem} 0 L {k} 0 L {1.75 * stem} 52 L {k} 100 L {k - 1.2 * stem} 100 L {0.8 * stem} 62 "
            f"L {0.8 * stem} 44 Z",
            f"M {n} 100 L {n} 30 L {width - thin} 30 C {width - 0.4 * thin} 30 {width} 38 {width} 50 L {width} 100 Z",
        ],
    )
    inner_left, inner_right = n + thin, width - thin
    counter = f"{inner_left} 52 C {inner_left} 45 {inner_right} 45 {inner_right} 52"
    yield False, [f"M {inner_left} 101 L {counter} L {inner_right} 101 Z"]


def _stadium(left: float, top: float, right: float, bottom: float, r: float) -> str:
    """Return the path of a rectangle with vertical sides and ends that are rounder than its corners are wide."""
    middle, down = (left + right) / 2, min(2 * r, (bottom - top) / 2)
    return (
        f"M {left} {top + down} C {left} {top + 0.3 * down} {middle - 0.6 * r} {top} {middle} {top} "
        f"C {middle + 0.6 * r} {top} {right} {top + 0.3 * down} {right} {top + down} L {right} {bottom - down} "
        f"C {right} {bottom - 0.3 * down} {middle + 0.6 * r} {bottom} {middle} {bottom} "
        f"C {middle - 0.6 * r} {bottom} {left} {bottom - 0.3 * down} {left} {bottom - down} Z"
    )


_NARROW_RANKS: Final[dict[str, Callable[[float], _Layers]]] = {"10": _narrow_ten, "Kn": _narrow_jack}
"""Ranks of two letters that are designed for narrow columns: functions from a width in hundredths of the cap height."""


def _narrow_rank_mask(text: str, cap: int, width: int) -> Image.Image:
    letters = layered_mask((width, cap), cap / 100, list(_NARROW_RANKS[text](100 * width / cap)))
    coverage = Image.new("L", (width, _RANK_TOP + cap + round(cap * _RANK_BOTTOM)))
    coverage.paste(letters, (0, _RANK_TOP))
    return coverage


def _total_width(letters: Sequence[Image.Image]) -> int:
    return sum(letter.width for letter in letters)


def _squeezed(letters: Sequence[Image.Image], total_width: int, cap: int) -> list[Image.Image]:
    """Return letters squeezed to a total width, in pixels.

    Their stems are made thicker again, because the letters would look too light otherwise.
    """
    squeeze = total_width / _total_width(letters)
    thickening = round(_STEM_THICKENING * cap * (1 - squeeze) * _OVERSAMPLING)
    squeezed_letters: list[Image.Image] = []
    for letter in letters:
        width = (
            total_width - _total_width(squeezed_letters)
            if len(squeezed_letters) == len(letters) - 1
            else round(letter.width * squeeze)
        )
        size, source_box = (width * _OVERSAMPLING - thickening, letter.height), (0, 0, *letter.size)
        squeezed = letter.transform(size, Image.Transform.EXTENT, source_box, Image.Resampling.BICUBIC)
        oversampled = Image.new("L", (width * _OVERSAMPLING, letter.height))
        oversampled.paste(squeezed)
        squeezed_letters.append(
            ImageChops.lighter(oversampled, ImageChops.offset(oversampled, thickening, 0)).reduce((_OVERSAMPLING, 1))
        )
    return squeezed_letters


def can_write(text: str) -> bool:
    """Return True if the font can write every character of a text."""
    return all(map(_has_glyph, text))


def shown_name(name: str, username: str | None, stand_in: str) -> str:
    """Return a name as pictures show it: the name, else the name of the account, else `stand_in`.

    Both names lose their emojis. The first that the font can write is used.
    """
    return writable_name(name) or writable_name(username or "") or stand_in


def writable_name(name: str) -> str:
    """Return a name without emojis and other symbols that the font lacks.

    Return an empty string if a letter or an accent is missing, or if no letter or digit is left.
    """
    kept = "".join(char for char in name if can_write(char))
    missing = [char for char in name if not can_write(char) and char != _EMOJI_SELECTOR]
    is_complete = all(unicodedata.category(char)[0] not in "LMN" for char in missing)
    return " ".join(kept.split()) if is_complete and any(map(str.isalnum, kept)) else ""


@lru_cache(4096)
def _has_glyph(char: str) -> bool:
    # The basic layout cannot place combining marks or write from right to left.
    if unicodedata.category(char)[0] not in "LNPSZ" or unicodedata.bidirectional(char) in ("R", "AL"):
        return False
    return (
        char.isspace() or text_mask(char, _PROBE_CAP).tobytes() != text_mask(_MISSING_CHARACTER, _PROBE_CAP).tobytes()
    )


def _letter_mask(letter: str, cap: int, width: int) -> Image.Image:
    coverage = text_mask(letter, cap, _RANK_WEIGHT, width)
    left, _, right, _ = coverage.getbbox() or (0, 0, 0, 0)
    return coverage.crop((left, baseline(cap) - cap - _RANK_TOP, right, baseline(cap) + round(cap * _RANK_BOTTOM)))
