"""Labels at the foot of cards: the number of a meld, and the deadwood that a knock would leave."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.values.appearance import Appearance
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting
from cardart.drawing.palette import BLACK, EDGE, GOLD, RECESS, TEXT
from cardart.drawing.shapes import cut_mask, rounded_mask, rounded_rectangle
from cardart.drawing.sprites import Sprite, cut_out, tag
from cardart.drawing.themes import theme_of

_CAP: Final = 15
_WIDTH: Final = 36
_RADIUS: Final = 9
_NUMBER: Final = 19
_ROOMY: Final = (22, 5, 3)
_TIGHT: Final = (16, 4, 2)
"""The height of the fist, the room above it, and the room between it and the number."""
_KNUCKLES: Final = (
    (True, [rounded_rectangle(6, 26, 94, 80, 16), rounded_rectangle(20, 60, 84, 100, 8)]),
    (False, [rounded_rectangle(0, 0, 100, 22, 2)]),
    (
        True,
        [
            rounded_rectangle(5, 8, 25, 52, 10),
            rounded_rectangle(28, 4, 49, 52, 10),
            rounded_rectangle(52, 4, 73, 52, 10),
        ],
    ),
    (True, [rounded_rectangle(76, 9, 95, 52, 10)]),
    (False, [f"M {x} 10 L {x + 3} 10 L {x + 3} 50 L {x} 50 Z" for x in (25, 49, 73)]),
    (False, [rounded_rectangle(2, 46, 70, 76, 14)]),
    (True, [rounded_rectangle(6, 51, 66, 72, 10)]),
)
"""A fist from the front in a box of 100 by 100: the hand, four separate fingers, and the thumb across them."""


def meld_number_label(text: str, *, best: bool) -> Sprite:
    """Return a label with the number of a meld, or of several. It stands out if the best answer uses it."""
    return tag(text, _CAP, GOLD if best else RECESS, BLACK if best else TEXT)


def knock_label(leaves: int, appearance: Appearance, *, best: bool) -> Sprite:
    """Return a label for a card that can be discarded to knock: a fist and the deadwood left. The best one stands out.

    The fist is smaller where large indices leave less room.
    """
    return _knocking(leaves, _TIGHT if theme_of(appearance).deck == "bold" else _ROOMY, best)


@cache
def _knocking(leaves: int, laid: tuple[int, int, int], best: bool) -> Sprite:
    fist, edge, gap = laid
    number, high = text_mask(str(leaves), _NUMBER), fist + gap + _NUMBER + 2 * edge
    fill, ink = (GOLD, BLACK) if best else (RECESS, TEXT)
    painting = Painting((_WIDTH, high), EDGE).lay(fill, rounded_mask((_WIDTH, high), _RADIUS, 2))
    painting.lay(ink, cut_mask((fist, fist), fist / 100, _KNUCKLES), ((_WIDTH - fist) // 2, edge))
    painting.lay(ink, number, ((_WIDTH - number.width) // 2, high - edge - baseline(_NUMBER)))
    return cut_out(painting.image, rounded_mask((_WIDTH, high), _RADIUS))
