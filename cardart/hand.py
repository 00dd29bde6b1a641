"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.views import SeatView
from cardart import words
from cardart.canvas import MARGIN, Canvas, Picture, tag
from cardart.cards import HEIGHT
from cardart.palette import BLACK, FACE, GOLD, MIST, RECESS
from cardart.rows import PADDING, Group, Row

WIDTH: Final = 800
_ROOM: Final = WIDTH - 2 * MARGIN
_CAP: Final = 21
_CAPTION: Final = 42
"""From the top of a row's half of the picture to the baseline of its caption."""
_CARDS: Final = 72
"""From there to the tops of the row's cards."""
_HALF: Final = _CARDS + HEIGHT + PADDING
_LIFT: Final = 16


def draw_hand(view: SeatView) -> Picture:
    """The hand of a seat in two rows: its melds above its deadwood, or whichever of them there is."""
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING)
    fresh = frozenset((view.fresh,) if view.fresh else ())
    for place, row in enumerate(_rows(view.arrangement, fresh)):
        row.draw(canvas, place * _HALF + _CARDS, _LIFT)
    _draw_captions(canvas, view.arrangement)
    urgent = any(choice.knocks for choice in view.choices)
    state = tag(words.hand_state(view), _CAP, GOLD if urgent else RECESS, BLACK if urgent else FACE)
    canvas.put(state, WIDTH - MARGIN - state.width, _CAPTION - (_CAP + state.height) // 2)
    return canvas.picture(words.hand(view))


def _rows(arrangement: Arrangement, fresh: frozenset[Card]) -> list[Row]:
    unmatched = arrangement.unmatched
    if not arrangement.melds:
        half = (len(unmatched) + 1) // 2
        parts = (unmatched[:half], unmatched[half:])
        return [Row.of([Group(part, False, fresh, GOLD)], _ROOM) for part in parts if part]
    melds = [Group(meld.cards, True, fresh, GOLD) for meld in arrangement.melds]
    deadwood = [Group(unmatched, False, fresh, GOLD)] if unmatched else []
    return [Row.of(groups, _ROOM) for groups in (melds, deadwood) if groups]


def _draw_captions(canvas: Canvas, arrangement: Arrangement) -> None:
    y = _CAPTION
    if arrangement.melds:
        canvas.text(MARGIN + PADDING, y, words.MELDS, _CAP, ink=MIST)
        y += _HALF
    wide = canvas.text(MARGIN + PADDING, y, words.DEADWOOD, _CAP, ink=MIST)
    canvas.text(MARGIN + PADDING + wide + _CAP // 3, y, str(arrangement.deadwood), _CAP + 5)
