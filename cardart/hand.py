"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from bot.engine.cards import Card, Hand
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

Order = Literal["melds", "suit", "rank"]
"""How the cards of a hand are sorted."""

_HALF: Final = CARDS + HEIGHT + PADDING


def draw_hand(view: SeatView, look: Look = USUAL, order: Order = "melds") -> Picture:
    """The hand of a seat in two rows: its melds above its deadwood, or all its cards in another order.

    While a knock is being answered the knocker's melds are above it.

    Raises:
        LookupError: the seat sits the deal out, and so has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits deal {view.public.number} out: there is no hand to draw")
    knock = facts.open_knock(view.public)
    if knock is not None:
        return draw_answer(view, knock, look)
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING, look)
    raised = {view.fresh: GOLD} if view.fresh else {}
    rows = _rows(view.arrangement, raised) if order == "melds" else _sorted(view.hand, order, raised)
    for place, row in enumerate(rows):
        row.draw(canvas, place * _HALF + CARDS, LIFT)
    _draw_captions(canvas, view.arrangement, order)
    wall = view.public.phase is Phase.WALL and facts.can_take(view)
    urgent = wall or view.can_go_big_gin or any(choice.knocks for choice in view.choices)
    draw_state(canvas, words.hand_state(view), urgent=urgent)
    return canvas.picture(alt.hand(view, look.language, order))


def _rows(arrangement: Arrangement, raised: Mapping[Card, Colour]) -> list[Row]:
    room, unmatched = WIDTH - 2 * MARGIN, arrangement.unmatched
    if not arrangement.melds:
        return _halves(unmatched, raised)
    melds = [Group(facts.in_order(meld.cards), True, raised) for meld in arrangement.melds]
    deadwood = [Group(unmatched, False, raised)] if unmatched else []
    return [Row.of(groups, room) for groups in (melds, deadwood) if groups]


def _sorted(hand: Hand, order: Order, raised: Mapping[Card, Colour]) -> list[Row]:
    def key(card: Card) -> tuple[int, int]:
        return (card.suit, card.rank) if order == "suit" else (card.rank, card.suit)

    return _halves(tuple(sorted(hand, key=key)), raised)


def _halves(cards: tuple[Card, ...], raised: Mapping[Card, Colour]) -> list[Row]:
    half = (len(cards) + 1) // 2
    parts = (cards[:half], cards[half:])
    return [Row.of([Group(part, False, raised)], WIDTH - 2 * MARGIN) for part in parts if part]


def _draw_captions(canvas: Canvas, arrangement: Arrangement, order: Order) -> None:
    apart = order == "melds" and bool(arrangement.melds)
    if apart:
        draw_caption(canvas, 0, words.MELDS)
    draw_caption(canvas, _HALF if apart else 0, words.DEADWOOD, arrangement.deadwood)
