"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.cards import Card
from bot.engine.deal import Phase
from bot.engine.melds import Arrangement
from bot.engine.views import SeatView
from cardart import alt, facts, words
from cardart.answer import draw_answer
from cardart.canvas import MARGIN, Canvas, Picture
from cardart.captions import CARDS, LIFT, WIDTH, draw_caption, draw_state
from cardart.cards import HEIGHT
from cardart.palette import GOLD, Colour
from cardart.rows import PADDING, Group, Row
from cardart.themes import USUAL, Look

_HALF: Final = CARDS + HEIGHT + PADDING


def draw_hand(view: SeatView, look: Look = USUAL) -> Picture:
    """The hand of a seat in two rows: its melds above its deadwood, or whichever of them there is.

    While a knock is being answered the knocker's melds are above it.

    Raises:
        LookupError: the seat sits the deal out, and so has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits deal {view.public.number} out: there is no hand to draw")
    knock = facts.open_knock(view.public)
    if knock is not None:
        return draw_answer(view, knock, look)
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING)
    raised = {view.fresh: GOLD} if view.fresh else {}
    for place, row in enumerate(_rows(view.arrangement, raised)):
        row.draw(canvas, place * _HALF + CARDS, LIFT)
    _draw_captions(canvas, view.arrangement)
    wall = view.public.phase is Phase.WALL and facts.can_take(view)
    urgent = wall or view.can_go_big_gin or any(choice.knocks for choice in view.choices)
    draw_state(canvas, words.hand_state(view), urgent=urgent)
    return canvas.picture(alt.hand(view), look)


def _rows(arrangement: Arrangement, raised: Mapping[Card, Colour]) -> list[Row]:
    room, unmatched = WIDTH - 2 * MARGIN, arrangement.unmatched
    if not arrangement.melds:
        half = (len(unmatched) + 1) // 2
        parts = (unmatched[:half], unmatched[half:])
        return [Row.of([Group(part, False, raised)], room) for part in parts if part]
    melds = [Group(facts.in_order(meld.cards), True, raised) for meld in arrangement.melds]
    deadwood = [Group(unmatched, False, raised)] if unmatched else []
    return [Row.of(groups, room) for groups in (melds, deadwood) if groups]


def _draw_captions(canvas: Canvas, arrangement: Arrangement) -> None:
    if arrangement.melds:
        draw_caption(canvas, 0, words.MELDS)
    draw_caption(canvas, _HALF if arrangement.melds else 0, words.DEADWOOD, arrangement.deadwood)
