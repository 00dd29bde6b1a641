"""A hand while a knock is being answered: the knocker's melds above it, numbered, and where each card would fit."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card
from bot.engine.views import KnockView, SeatView
from cardart import alt, facts, words
from cardart.canvas import MARGIN, Canvas, Picture
from cardart.captions import CARDS, LIFT, WIDTH, draw_caption, draw_state
from cardart.cards import HEIGHT
from cardart.palette import GOLD
from cardart.rows import PADDING, Group, Row, rows

_NEXT: Final = HEIGHT + 2 * PADDING + LIFT + 8
"""From one row of a part to the next."""

_Part = tuple[str, int, list[Row]]
"""A caption, the points after it, and the rows under it."""


def draw_answer(view: SeatView, knock: KnockView) -> Picture:
    """The knocker's melds with what was laid off so far, then the hand: a card with a number fits on that meld.

    Raised are the cards that the best answer lays off. Who knocked sees what becomes of the own melds.
    """
    room = WIDTH - 2 * MARGIN
    mine = view.seat == knock.seat
    melds = [
        Group.of(meld, knock.lay_offs, None if mine else str(number)) for number, meld in enumerate(knock.laid.melds, 1)
    ]
    parts: list[_Part] = []
    if mine:
        deadwood = [Group(knock.laid.unmatched, False)] if knock.laid.unmatched else []
        parts.append((words.YOU_KNOCKED_WITH, knock.laid.deadwood, rows([*melds, *deadwood], room)))
    else:
        parts.append((words.KNOCKED_WITH, knock.laid.deadwood, rows(melds, room)))
        parts.append((words.YOUR_DEADWOOD, view.arrangement.deadwood, rows(_own(view, knock), room)))
    canvas = Canvas(WIDTH, sum(_height(lines) for _, _, lines in parts) + PADDING)
    top = 0
    for caption, points, lines in parts:
        draw_caption(canvas, top, caption, points)
        for place, line in enumerate(lines):
            line.draw(canvas, top + CARDS + place * _NEXT, LIFT)
        top += _height(lines)
    draw_state(canvas, words.answer_state(view), urgent=view.defence is not None and bool(view.defence.lay_offs))
    return canvas.picture(alt.answer(view, knock))


def _own(view: SeatView, knock: KnockView) -> list[Group]:
    best = view.defence.lay_offs if view.defence else ()
    raised = {one.card: GOLD for one in best}
    fits: dict[Card, list[int]] = {}
    for one in (*view.lay_offs, *best):
        number = knock.laid.melds.index(one.meld) + 1
        if number not in fits.setdefault(one.card, []):
            fits[one.card].append(number)
    labels = {card: "/".join(map(str, sorted(numbers))) for card, numbers in fits.items()}
    hand = view.arrangement
    groups = [Group(facts.in_order(meld.cards), True, raised, labels) for meld in hand.melds]
    return [*groups, Group(hand.unmatched, False, raised, labels)] if hand.unmatched else groups


def _height(lines: list[Row]) -> int:
    return CARDS + max(0, len(lines) - 1) * _NEXT + HEIGHT + PADDING if lines else CARDS
