"""A hand while a knock is being answered: the knocker's melds above it, numbered, and where each card fits."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card
from bot.engine.views import KnockView, SeatView
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, MEDIUM, MIDDLE
from cardart.drawing.canvas import Canvas, Picture
from cardart.drawing.palette import GOLD
from cardart.drawing.themes import DEFAULT
from cardart.parts.card_labels import meld_number_label
from cardart.parts.card_rows import PADDING, CardGroup, CardRow, wrap_rows
from cardart.parts.hand_layout import CARDS, LIFT, ROOM, WIDTH, draw_caption, draw_state
from cardart.text import alt_text, phrases, queries

_NEXT: Final = 2 * PADDING + LIFT + 8
"""Between two rows of a part."""

_Part = tuple[str, int, list[CardRow]]
"""A caption, the points after it, and the rows under it."""


def draw_lay_off(view: SeatView, knock: KnockView, appearance: Appearance = DEFAULT) -> Picture:
    """Draw the knocker's melds with what was laid off on them, then the hand. A card has the number of a meld it fits.

    The cards that the best answer lays off are raised. The knocker only sees what happens to their own melds.
    """
    room, laid = ROOM, knock.laid
    parts: list[_Part] = []
    if view.seat == knock.seat:
        melds = [CardGroup.of(meld, knock.lay_offs) for meld in laid.melds]
        deadwood = [CardGroup(laid.unmatched, False)] if laid.unmatched else []
        sizes = (wrap_rows([*melds, *deadwood], room, appearance, size, snug=True) for size in (LARGE, MIDDLE, MEDIUM))
        parts.append((phrases.YOU_KNOCKED_WITH, laid.deadwood, min(sizes, key=len)))
    else:
        fits = _fits(view, knock)
        wanted = {number for numbers in fits.values() for number in numbers}
        best = {one.meld for one in queries.best_lay_offs(view)}
        useful = {number for number, meld in enumerate(laid.melds, 1) if meld in best}
        melds = [
            CardGroup.of(
                meld,
                knock.lay_offs,
                meld_number_label(str(number), best=number in useful) if number in wanted else None,
            )
            for number, meld in enumerate(laid.melds, 1)
        ]
        melds += [CardGroup(laid.unmatched, False)] if laid.unmatched else []
        parts.append((phrases.KNOCKED_WITH, laid.deadwood, wrap_rows(melds, room, appearance, MEDIUM, snug=True)))
        parts.append(
            (
                phrases.YOUR_HAND_DEADWOOD,
                view.arrangement.deadwood,
                wrap_rows(_own(view, fits), room, appearance, LARGE, snug=True),
            )
        )
    canvas = Canvas(WIDTH, sum(_height(lines) for _, _, lines in parts) + 2 * PADDING, appearance)
    top = 0
    for caption, points, lines in parts:
        draw_caption(canvas, top, caption, points)
        y = top + CARDS
        for line in lines:
            line.draw(canvas, y, LIFT)
            y += line.size.height + _NEXT
        top += _height(lines)
    draw_state(canvas, phrases.lay_off_state(view), urgent=bool(queries.best_lay_offs(view)))
    return canvas.picture(alt_text.lay_off(view, knock, appearance.language))


def _height(lines: list[CardRow]) -> int:
    """Return the height of a part. Its frames reach a little below the last row of cards."""
    return CARDS + sum(line.size.height + _NEXT for line in lines) + (PADDING - _NEXT if lines else 0)


def _fits(view: SeatView, knock: KnockView) -> dict[Card, list[int]]:
    """Return the numbers of the melds that each card of the hand fits, now or in the course of the best answer."""
    best = queries.best_lay_offs(view)
    fits: dict[Card, list[int]] = {}
    for number, meld in enumerate(knock.laid.melds, 1):
        for card in {one.card for one in (*view.lay_offs, *best) if one.meld == meld}:
            fits.setdefault(card, []).append(number)
    return fits


def _own(view: SeatView, fits: dict[Card, list[int]]) -> list[CardGroup]:
    best = {one.card for one in queries.best_lay_offs(view)}
    raised = dict.fromkeys(best, GOLD)
    labels = {card: meld_number_label("·".join(map(str, numbers)), best=card in best) for card, numbers in fits.items()}
    hand = view.arrangement
    groups = [CardGroup(queries.in_order(meld.cards), True, raised, labels=labels) for meld in hand.melds]
    return [*groups, CardGroup(hand.unmatched, False, raised, labels=labels)] if hand.unmatched else groups
