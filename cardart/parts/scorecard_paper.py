"""The paper of the scorecard, and what is drawn on it as if by hand."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from PIL import ImageChops

from bot.engine.cards import Suit
from bot.engine.moves import Seat
from cardart.drawing.canvas import Canvas
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked
from cardart.drawing.palette import BLACK, EDGE, PAPER, RED, SEAT_COLOURS, SUIT_INKS
from cardart.drawing.shapes import ellipse, mask, rounded_mask, suit_mask
from cardart.drawing.sprites import Sprite, cut_out

BINDING: Final = 16
"""The height of the glued edge at the top."""
THICK: Final = 12
"""The height of the sheets that peep out beneath the top one."""
_SHEETS: Final = 3
_MARKED: Final = 128
_PEN: Final = 3.5


def draw_paper(canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """Draw a block of paper. The top sheet is the box, without the last `THICK` pixels."""
    left, top, right, bottom = box
    sheet = bottom - THICK
    for depth in range(_SHEETS, 0, -1):
        low, aside = sheet + depth * THICK // _SHEETS, 3 * depth
        canvas.fill((left + aside, sheet, right - aside, low), PAPER)
        canvas.fill((left + aside, low - 1, right - aside, low), EDGE)
    canvas.fill((left - 1, top, right + 1, sheet + 1), EDGE)
    canvas.fill((left, top, right, sheet), PAPER)
    canvas.fill((left, top, right, top + BINDING), RED)


@lru_cache(_MARKED)
def highlighted(text: str, cap: int, seat: Seat) -> Sprite:
    """Return a word with a seat's colour behind it, as if by a highlighter."""
    coverage = text_mask(text, cap)
    aside = cap * 3 // 8
    size = (coverage.width + 2 * aside, round(cap * 1.75))
    shape = rounded_mask(size, cap / 3)
    painting = Painting(size, PAPER).lay(SEAT_COLOURS[seat], shape)
    painting.lay(BLACK, coverage, (aside, (size[1] + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, shape)


@lru_cache(_MARKED)
def ring(width: int, height: int) -> Sprite:
    """Return a ring of red ink to draw around a number."""
    size, x, y, ink = (width, height), width / 2, height / 2, SUIT_INKS[Suit.HEARTS]
    outer, inner = (mask(size, 1, [ellipse(x, y, x - edge, y - edge)]) for edge in (0, _PEN))
    coverage = ImageChops.subtract(outer, inner)
    return cut_out(inked(coverage, ink, PAPER), coverage)


@cache
def suit_stamp(suit: Suit, side: int) -> Sprite:
    """Return a suit printed on paper."""
    return Sprite(inked(suit_mask(suit, side), SUIT_INKS[suit], PAPER))
