"""What the pictures of one hand share: their width, the captions over the cards, and what its owner may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardart.deck.cards import LARGE, MIDDLE
from cardart.drawing.canvas import MARGIN, Canvas, tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT
from cardart.drawing.themes import Look
from cardart.parts.card_rows import PADDING, CardGroup, CardRow

WIDTH: Final = 800
ROOM: Final = WIDTH - 2 * MARGIN
CAPTION: Final = 45
"""From the top of a part of the picture to the baseline of its caption."""
CARDS: Final = 73
"""From there to the tops of the cards under it."""
LIFT: Final = 14
"""How much higher raised cards lie."""
_CAP: Final = 20


def draw_caption(canvas: Canvas, top: int, text: str, points: int | None = None, more: str | None = None) -> None:
    """What the cards below are, and what they count where that matters, and may come to."""
    y = top + CAPTION
    wide = canvas.text(MARGIN + PADDING, y, text, _CAP, ink=MIST)
    if points is not None:
        wide += _CAP // 3 + canvas.text(MARGIN + PADDING + wide + _CAP // 3, y, str(points), _CAP + 5)
    if more is not None:
        canvas.text(MARGIN + PADDING + wide + _CAP // 2, y, more, _CAP, ink=MIST)


def draw_state(canvas: Canvas, text: str, *, urgent: bool, beside: str | None = None) -> None:
    """What the hand's owner may do, at the top right; it stands out where it matters. Another label may be beside."""
    state = tag(text, _CAP, GOLD if urgent else RECESS, BLACK if urgent else TEXT)
    x, y = WIDTH - MARGIN - state.width, CAPTION - (_CAP + state.height) // 2
    canvas.put(state, x, y)
    if beside is not None and beside != text:
        label = tag(beside, _CAP, RECESS, TEXT)
        canvas.put(label, x - PADDING - label.width, y)


def largest_row(groups: Sequence[CardGroup], look: Look) -> CardRow:
    """The groups in one row, as large as all of their cards can be read."""
    row = CardRow.of(groups, ROOM, look, LARGE)
    return row if row.reads(look) else CardRow.of(groups, ROOM, look, MIDDLE)
