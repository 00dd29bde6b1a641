"""What is written around the cards of a hand: captions above them, labels at their feet, its state at the top right."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.values.appearance import Appearance
from cardart.drawing.canvas import MARGIN, WIDTH, Canvas
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import BLACK, EDGE, GOLD, MIST, RECESS, TEXT, Colour
from cardart.drawing.shapes import cut_mask, rounded_mask, rounded_rectangle
from cardart.drawing.themes import theme_of
from cardart.parts.card_rows import PADDING

_CAPTION: Final = 45
"""From the top of a part of the picture to the baseline of its caption."""
_CAP: Final = 20

_FOOT_CAP: Final = 15
_WIDTH: Final = 36
_RADIUS: Final = 9
_NUMBER: Final = 19
_ROOMY: Final = (22, 5, 3)
_TIGHT: Final = (16, 4, 2)
"""The height of the fist, the room above it, and the room between it and the number."""
_KNUCKLES: Final = (
    (True, [rounded_rectangle(6, 26, 94, 80, 16), rounded_rectangle(20, 60, 84, 100, 8)]),
    (False, [rounded_rectangle(0, 0, 100, 22, 2)]),
    (True, [rounded_rectangle(*box, 10) for box in ((5, 8, 25, 52), (28, 4, 49, 52), (52, 4, 73, 52))]),
    (True, [rounded_rectangle(76, 9, 95, 52, 10)]),
    (False, [f"M {x} 10 L {x + 3} 10 L {x + 3} 50 L {x} 50 Z" for x in (25, 49, 73)]),
    (False, [rounded_rectangle(2, 46, 70, 76, 14)]),
    (True, [rounded_rectangle(6, 51, 66, 72, 10)]),
)
"""A fist from the front in a box of 100 by 100: the hand, four separate fingers, and the thumb across them."""


def draw_caption(canvas: Canvas, top: int, text: str, points: int | None = None, more: str | None = None) -> None:
    """Draw what the cards below are, the points they count, and a further note."""
    y = top + _CAPTION
    wide = canvas.text(MARGIN + PADDING, y, text, _CAP, ink=MIST)
    if points is not None:
        wide += _CAP // 3 + canvas.text(MARGIN + PADDING + wide + _CAP // 3, y, str(points), _CAP + 5)
    if more is not None:
        canvas.text(MARGIN + PADDING + wide + _CAP // 2, y, more, _CAP, ink=MIST)


def draw_state(canvas: Canvas, text: str, *, urgent: bool, beside: str | None = None) -> None:
    """Draw what the hand's owner can do at the top right, in gold if it is urgent, and another label beside it."""
    state = tag(text, _CAP, *_colours(urgent))
    x, y = WIDTH - MARGIN - state.width, _CAPTION - (_CAP + state.height) // 2
    canvas.put(state, x, y)
    if beside is not None and beside != text:
        label = tag(beside, _CAP, RECESS, TEXT)
        canvas.put(label, x - PADDING - label.width, y)


def meld_number_label(text: str, *, best: bool) -> Sprite:
    """Return a label with the number of a meld, or of several. It stands out if the best answer uses it."""
    return tag(text, _FOOT_CAP, *_colours(best))


def knock_label(leaves: int, appearance: Appearance, *, best: bool) -> Sprite:
    """Return a label for a card that can be discarded to knock: a fist and the deadwood left. The best one stands out.

    The fist is smaller where large indices leave less room.
    """
    return _knocking(leaves, _TIGHT if theme_of(appearance).deck == "bold" else _ROOMY, best)


@cache
def _knocking(leaves: int, laid: tuple[int, int, int], best: bool) -> Sprite:
    fist, edge, gap = laid
    number, size = text_mask(str(leaves), _NUMBER), (_WIDTH, fist + gap + _NUMBER + 2 * edge)
    fill, ink = _colours(best)
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, _RADIUS, 2))
    painting.lay(ink, cut_mask((fist, fist), fist / 100, _KNUCKLES), ((_WIDTH - fist) // 2, edge))
    painting.lay(ink, number, ((_WIDTH - number.width) // 2, size[1] - edge - baseline(_NUMBER)))
    return cut_out(painting.image, rounded_mask(size, _RADIUS))


def _colours(stands_out: bool) -> tuple[Colour, Colour]:
    return (GOLD, BLACK) if stands_out else (RECESS, TEXT)
