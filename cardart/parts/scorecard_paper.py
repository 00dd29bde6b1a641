"""The paper that scores are written on: a pad of it on the felt, and what is drawn there by hand."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from PIL import ImageChops

from bot.engine.cards import Suit
from bot.engine.moves import Seat
from cardart.drawing.canvas import Canvas, Sprite, cut_out
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, inked
from cardart.drawing.palette import BLACK, EDGE, INK, PAPER, RED, SEATS
from cardart.drawing.plotting import fill
from cardart.drawing.shapes import ellipse, mask, rounded_mask, suit_mask

BINDING: Final = 16
"""How much of the top sheet's top the glue takes."""
THICK: Final = 12
"""How far the sheets beneath the top one are to be seen."""
_SHEETS: Final = 3
_MARKED: Final = 128
_PEN: Final = 3.5


def draw_paper(canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """A pad whose top sheet is the box, less `THICK` at its lower edge; the box is left, top, right, bottom."""
    left, top, right, bottom = box
    sheet = bottom - THICK
    for depth in range(_SHEETS, 0, -1):
        low, aside = sheet + depth * THICK // _SHEETS, 3 * depth
        fill(canvas, (left + aside, sheet, right - aside, low), PAPER)
        fill(canvas, (left + aside, low - 1, right - aside, low), EDGE)
    fill(canvas, (left - 1, top, right + 1, sheet + 1), EDGE)
    fill(canvas, (left, top, right, sheet), PAPER)
    fill(canvas, (left, top, right, top + BINDING), RED)


@lru_cache(_MARKED)
def highlighted(text: str, cap: int, seat: Seat) -> Sprite:
    """A word on paper with a seat's colour behind it, as with a highlighter."""
    coverage = text_mask(text, cap)
    aside = cap * 3 // 8
    size = (coverage.width + 2 * aside, round(cap * 1.75))
    shape = rounded_mask(size, cap / 3)
    painting = Painting(size, PAPER).lay(SEATS[seat], shape)
    painting.lay(BLACK, coverage, (aside, (size[1] + cap) // 2 - baseline(cap)))
    return cut_out(painting.image, shape)


@lru_cache(_MARKED)
def ring(width: int, height: int) -> Sprite:
    """A ring of red ink that goes around a number."""
    size, x, y, ink = (width, height), width / 2, height / 2, INK[Suit.HEARTS]
    outer, inner = (mask(size, 1, [ellipse(x, y, x - edge, y - edge)]) for edge in (0, _PEN))
    coverage = ImageChops.subtract(outer, inner)
    return cut_out(inked(coverage, ink, PAPER), coverage)


@cache
def suit_stamp(suit: Suit, side: int) -> Sprite:
    """A suit printed on paper."""
    return Sprite(inked(suit_mask(suit, side), INK[suit], PAPER))
