"""The labels at the foot of cards: the number of a meld, and what is left after a knock."""

from __future__ import annotations

from functools import cache
from typing import Final

from PIL import Image

from cardart.canvas import Sprite, cut_out, tag
from cardart.lettering import baseline, text_mask
from cardart.palette import BLACK, EDGE, GOLD, quantised
from cardart.shapes import cut_mask, rounded, rounded_mask
from cardart.themes import THEMES, Look

_CAP: Final = 15
_WIDTH: Final = 36
_FIST: Final = 23
_TOP: Final = 5
_GAP: Final = 3
_HEIGHT: Final = _TOP + _FIST + _GAP + _CAP + _TOP
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


def numbered(text: str) -> Sprite:
    """The number of a meld, or of several."""
    return tag(text, _CAP, GOLD, BLACK)


def knocking(leaves: int, look: Look) -> Sprite:
    """What a card that one may knock with is known by: a fist over the deadwood that is left then.

    The number alone where indices are so large that a fist would cover them.
    """
    return _fist(leaves) if THEMES[look.theme].deck == "pips" else numbered(str(leaves))


@cache
def _fist(leaves: int) -> Sprite:
    size, number = (_WIDTH, _HEIGHT), text_mask(str(leaves), _CAP)
    image = Image.new("RGB", size, EDGE)
    image.paste(GOLD, (0, 0), rounded_mask(size, _WIDTH / 3, 2))
    image.paste(BLACK, ((_WIDTH - _FIST) // 2, _TOP), cut_mask((_FIST, _FIST), _FIST / 100, _KNUCKLES))
    image.paste(BLACK, ((_WIDTH - number.width) // 2, _HEIGHT - _TOP - baseline(_CAP)), number)
    return cut_out(quantised(image, EDGE, GOLD, BLACK), rounded_mask(size, _WIDTH / 3))
