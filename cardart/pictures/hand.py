"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from bot.engine.cards import Card
from bot.engine.deal import Phase
from bot.engine.showdown import OutcomeKind
from bot.engine.views import SeatView
from bot.values.appearance import Appearance, HandOrder
from cardart.deck.cards import LARGE, MIDDLE
from cardart.drawing.canvas import MARGIN, Canvas, Picture
from cardart.drawing.palette import BLACK, GOLD, MELD_COLOURS
from cardart.drawing.sprites import Sprite, tag
from cardart.drawing.themes import DEFAULT
from cardart.parts.card_labels import knock_label
from cardart.parts.card_rows import PADDING, CardGroup, CardRow
from cardart.parts.celebration import draw_celebration
from cardart.parts.hand_layout import CARDS, LIFT, ROOM, WIDTH, draw_caption, draw_state
from cardart.pictures.lay_off import draw_lay_off
from cardart.text import alt_text, phrases, queries

_BANNER: Final = 40
_CLOSE: Final = 84
_BETWEEN: Final = 34
"""The top of the first of two rows that belong together, and the gap between them."""
_HALF: Final = CARDS + LARGE.height + PADDING


def draw_hand(view: SeatView, appearance: Appearance = DEFAULT, order: HandOrder = HandOrder.MELDS) -> Picture:
    """Draw the hand of a seat in two rows: its melds above its deadwood, or all its cards in another order.

    Cards that can be discarded to knock have a label with a fist and the deadwood left. In an order other than by melds
    the cards of melds are marked. While a knock is being answered, the knocker's melds are above the hand.

    Raises:
        LookupError: the seat sits the deal out and has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits deal {view.public.number} out: there is no hand to draw")
    knock = queries.open_knock(view.public)
    if knock is not None:
        return draw_lay_off(view, knock, appearance)
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING, appearance)
    apart = order is HandOrder.MELDS and bool(view.arrangement.melds)
    tops = (CARDS, _HALF + CARDS) if apart else (_CLOSE, _CLOSE + LARGE.height + _BETWEEN)
    for top, groups in zip(tops, _rows(view, appearance, order), strict=True):
        if not groups:
            _draw_nothing_left(canvas, view, top)
            continue
        row = CardRow.of(groups, ROOM, appearance, LARGE)
        if not row.reads(appearance):
            row = CardRow.of(groups, ROOM, appearance, MIDDLE)
        row.draw(canvas, top + (LARGE.height - row.size.height) // 2, LIFT)
    if apart:
        draw_caption(canvas, 0, phrases.MELDS)
    least = min((choice.leaves for choice in view.discard_choices), default=view.arrangement.deadwood)
    better = f"at best {least}" if least < view.arrangement.deadwood else None
    draw_caption(canvas, _HALF if apart else 0, phrases.DEADWOOD, view.arrangement.deadwood, better)
    wall = view.public.phase is Phase.WALL and queries.can_take(view)
    urgent = wall or view.can_go_big_gin or any(choice.knocks for choice in view.discard_choices)
    draw_state(canvas, phrases.hand_state(view), urgent=urgent, beside=phrases.limit_and_doubling(view.public))
    return canvas.picture(alt_text.hand(view, appearance.language, order))


def _draw_nothing_left(canvas: Canvas, view: SeatView, top: int) -> None:
    """Draw what takes the place of deadwood if there is none."""
    label = tag(
        phrases.OUTCOME_TITLES[OutcomeKind.BIG_GIN if view.can_go_big_gin else OutcomeKind.GIN], _BANNER, GOLD, BLACK
    )
    left = (ROOM - label.width) // 2
    draw_celebration(canvas, (MARGIN, top, ROOM, LARGE.height), ROOM // 2, [(0, left), (left + label.width, ROOM)])
    canvas.put(label, MARGIN + left, top + (LARGE.height - label.height) // 2)


def _rows(view: SeatView, appearance: Appearance, order: HandOrder) -> list[list[CardGroup]]:
    """Return the groups of cards in each of the two rows."""
    melds, unmatched = view.arrangement.melds, view.arrangement.unmatched
    by_melds = order is HandOrder.MELDS and bool(melds)
    melded = {card: colour for meld, colour in zip(melds, MELD_COLOURS, strict=False) for card in meld.cards}
    marked = {} if by_melds else melded
    raised = {view.new_card: marked.get(view.new_card, GOLD)} if view.new_card else {}
    labels = _labels(view, appearance)

    def group(cards: Iterable[Card], *, framed: bool = False) -> CardGroup:
        return CardGroup(tuple(cards), framed, raised, marked, labels)

    if by_melds:
        framed = [group(queries.in_order(meld.cards), framed=True) for meld in melds]
        return [framed, [group(unmatched)] if unmatched else []]
    cards = queries.sorted_hand(view.hand, order)
    if order is HandOrder.SUIT:
        groups = [group(cards) for _, cards in groupby(cards, key=lambda card: card.suit)]
        cut = min(range(1, len(groups) + 1), key=lambda cut: max(map(_cards, (groups[:cut], groups[cut:]))))
        return [groups[:cut], groups[cut:]]
    half = (len(cards) + 1) // 2
    return [[group(cards[:half])], [group(cards[half:])]]


def _labels(view: SeatView, appearance: Appearance) -> dict[Card, Sprite]:
    """Return the labels of the cards that can be discarded to knock."""
    able = [choice for choice in view.discard_choices if choice.knocks]
    least = min((choice.leaves for choice in able), default=0)
    # If big gin is possible, no discard is the best.
    return {
        one.card: knock_label(one.leaves, appearance, best=one.leaves == least and not view.can_go_big_gin)
        for one in able
    }


def _cards(groups: list[CardGroup]) -> int:
    return sum(len(group.cards) for group in groups)
