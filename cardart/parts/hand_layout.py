"""What the pictures of one hand have in common: the width, captions over the cards, and the state at the top right."""

from __future__ import annotations

from typing import Final

from cardart.drawing.canvas import MARGIN, Canvas
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT
from cardart.drawing.sprites import tag
from cardart.parts.card_rows import PADDING

WIDTH: Final = 800
ROOM: Final = WIDTH - 2 * MARGIN
CAPTION: Final = 45
"""From the top of a part of the picture to the baseline of its caption."""
CARDS: Final = 73
"""From the top of a part of the picture to the tops of its cards."""
LIFT: Final = 14
"""How much higher raised cards lie."""
_CAP: Final = 20


def draw_caption(canvas: Canvas, top: int, text: str, points: int | None = None, more: str | None = None) -> None:
    """Draw what the cards below are, the points they count, and a further note."""
    y = top + CAPTION
    wide = canvas.text(MARGIN + PADDING, y, text, _CAP, ink=MIST)
    if points is not None:
        wide += _CAP // 3 + canvas.text(MARGIN + PADDING + wide + _CAP // 3, y, str(points), _CAP + 5)
    if more is not None:
        canvas.text(MARGIN + PADDING + wide + _CAP // 2, y, more, _CAP, ink=MIST)


def draw_state(canvas: Canvas, text: str, *, urgent: bool, beside: str | None = None) -> None:
    """Draw what the hand's owner can do at the top right, in gold if it is urgent, and another label beside it."""
    state = tag(text, _CAP, GOLD if urgent else RECESS, BLACK if urgent else TEXT)
    x, y = WIDTH - MARGIN - state.width, CAPTION - (_CAP + state.height) // 2
    canvas.put(state, x, y)
    if beside is not None and beside != text:
        label = tag(beside, _CAP, RECESS, TEXT)
        canvas.put(label, x - PADDING - label.width, y)
