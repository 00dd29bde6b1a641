"""The labels at the foot of cards: the number of a meld, and what is left after a knock."""

from __future__ import annotations

from functools import cache
from typing import Final

from PIL import Image

from cardart.canvas import Sprite, cut_out, tag
from cardart.lettering import baseline, text_mask
from cardart.painting import Painting
from cardart.palette import BLACK, EDGE, GOLD, RECESS, TEXT
from cardart.shapes import cut_mask, rounded, rounded_mask
from cardart.themes import THEMES, Look

_CAP: Final = 15
_WIDTH: Final = 36
_RADIUS: Final = 9
_NUMBER: Final = 19
_FIST: Final = 22
_TOP: Final = 5
_GAP: Final = 3
_HEIGHT: Final = _TOP + _FIST + _GAP + _NUMBER + _TOP
_WIDE: Final = (32, 36)
"""The label where the fist stands before the number, which comes to its width."""
_KNUCKLES: Final = (
    (True, [rounded(6, 26, 94, 80, 16), rounded(20, 60, 84, 100, 8)]),
    (False, [rounded(0, 0, 100, 22, 2)]),
    (True, [rounded(5, 8, 25, 52, 10), rounded(28, 4, 49, 52, 10), rounded(52, 4, 73, 52, 10)]),
    (True, [rounded(76, 9, 95, 52, 10)]),
    (False, [f"M {x} 10 L {x + 3} 10 L {x + 3} 50 L {x} 50 Z" for x in (25, 49, 73)]),
    (False, [rounded(2, 46, 70, 76, 14)]),
    (True, [rounded(6, 51, 66, 72, 10)]),
)
"""A fist from the front in a box of 100 by 100: the hand, four fingers apart, and the thumb across them."""


def numbered(text: str, *, best: bool) -> Sprite:
    """The number of a meld, or of several; it stands out where the best answer uses it."""
    return tag(text, _CAP, GOLD if best else RECESS, BLACK if best else TEXT)


def knocking(leaves: int, look: Look, *, best: bool) -> Sprite:
    """What a card that one may knock with is known by: a fist and the deadwood that is left then; the best stands out.

    The fist is over the number, or before it where indices are so large that there is no room for both.
    """
    return _beside(leaves, best) if THEMES[look.theme].deck == "bold" else _above(leaves, best)


@cache
def _above(leaves: int, best: bool) -> Sprite:
    number = text_mask(str(leaves), _NUMBER)
    left = (_WIDTH - number.width) // 2
    fist = ((_WIDTH - _FIST) // 2, _TOP)
    return _label((_WIDTH, _HEIGHT), fist, number, (left, _HEIGHT - _TOP - baseline(_NUMBER)), best)


@cache
def _beside(leaves: int, best: bool) -> Sprite:
    number, (wide, high) = text_mask(str(leaves), _NUMBER), _WIDE
    place = wide - _GAP, (high + _NUMBER) // 2 - baseline(_NUMBER)
    return _label((wide + number.width, high), (_GAP + 1, (high - _FIST) // 2), number, place, best)


def _label(
    size: tuple[int, int], fist: tuple[int, int], number: Image.Image, place: tuple[int, int], best: bool
) -> Sprite:
    """A label with a fist and a number, each by its left and top."""
    fill, ink = (GOLD, BLACK) if best else (RECESS, TEXT)
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, _RADIUS, 2))
    painting.lay(ink, cut_mask((_FIST, _FIST), _FIST / 100, _KNUCKLES), fist).lay(ink, number, place)
    return cut_out(painting.image, rounded_mask(size, _RADIUS))
