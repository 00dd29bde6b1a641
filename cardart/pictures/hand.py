"""A hand as its owner sees it: melds framed, deadwood apart with its points, the card just drawn raised.

While a knock is being answered, the knocker's melds are above the hand, numbered, with the numbers on cards that fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Final

from bot.engine.cards import Card
from bot.engine.deal import Phase
from bot.engine.showdown import OutcomeKind
from bot.engine.views import KnockView, SeatView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance, HandOrder
from cardart.deck.cards import LARGE, MEDIUM, MIDDLE
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import baseline, text_mask
from cardart.drawing.painting import Painting, Sprite, cut_out, tag
from cardart.drawing.palette import BLACK, EDGE, GOLD, MELD_COLOURS, MIST, RECESS, TEXT, Colour
from cardart.drawing.shapes import FIST, cut_mask, rounded_mask
from cardart.drawing.themes import theme_of
from cardart.parts.card_rows import PADDING, CardGroup, CardRow, groups_of, wrap_rows
from cardart.parts.celebration import draw_celebration
from cardart.text import alt_text, phrases, queries

LIFT: Final = 14
"""How much higher raised cards lie."""
_ROOM: Final = WIDTH - 2 * MARGIN
_CARDS: Final = 73
"""From the top of a part of the picture to the tops of its cards."""
_BANNER: Final = 40
_CLOSE: Final = 84
_BETWEEN: Final = 34
"""The top of the first of two rows that belong together, and the gap between them."""
_HALF: Final = _CARDS + LARGE.height + PADDING
_NEXT: Final = 2 * PADDING + LIFT + 8
"""Between two rows of a part of the picture while a knock is being answered."""

_CAPTION: Final = 45
"""From the top of a part of the picture to the baseline of its caption."""
_TEXT: Final = 20

_FOOT_CAP: Final = 15
_LABEL_WIDTH: Final = 36
_RADIUS: Final = 9
_ROOMY: Final = (22, 5, 3)
_TIGHT: Final = (16, 4, 2)
"""The height of the fist, the room above it, and the room between it and the number."""


def draw_hand(
    view: SeatView, appearance: Appearance = DEFAULT_APPEARANCE, order: HandOrder = HandOrder.MELDS
) -> Picture:
    """Draw the hand of a seat in two rows: its melds above its deadwood, or all its cards in another order.

    Cards that can be discarded to knock have a label with a fist and the deadwood left. In an order other than by melds
    the cards of melds are marked. Raise `LookupError` if the seat sits the deal out and has no hand.
    """
    if view.sits_out:
        raise LookupError(f"seat {view.seat} sits deal {view.public.number} out: there is no hand to draw")
    knock = queries.open_knock(view.public)
    if knock is not None:
        return _draw_answer(view, knock, appearance)
    canvas = Canvas(WIDTH, 2 * _HALF + PADDING, appearance)
    apart = order is HandOrder.MELDS and bool(view.arrangement.melds)
    tops = (_CARDS, _HALF + _CARDS) if apart else (_CLOSE, _CLOSE + LARGE.height + _BETWEEN)
    for top, groups in zip(tops, _rows(view, appearance, order), strict=True):
        if not groups:
            _draw_nothing_left(canvas, view, top)
            continue
        row = CardRow.of(groups, _ROOM, appearance, LARGE)
        if not row.reads(appearance):
            row = CardRow.of(groups, _ROOM, appearance, MIDDLE)
        row.draw(canvas, top + (LARGE.height - row.size.height) // 2, LIFT)
    if apart:
        _draw_caption(canvas, 0, phrases.MELDS)
    least = min((choice.leaves for choice in view.discard_choices), default=view.arrangement.deadwood)
    better = f"at best {least}" if least < view.arrangement.deadwood else None
    _draw_caption(canvas, _HALF if apart else 0, phrases.DEADWOOD, view.arrangement.deadwood, better)
    wall = view.public.phase is Phase.WALL and queries.can_take(view)
    urgent = wall or view.can_go_big_gin or any(choice.knocks for choice in view.discard_choices)
    _draw_state(canvas, phrases.hand_state(view), urgent=urgent, beside=phrases.limit_and_doubling(view.public))
    return canvas.picture(alt_text.hand(view, appearance.language, order))


def _draw_nothing_left(canvas: Canvas, view: SeatView, top: int) -> None:
    """Draw what takes the place of deadwood if there is none."""
    kind = OutcomeKind.BIG_GIN if view.can_go_big_gin else OutcomeKind.GIN
    label = tag(phrases.OUTCOME_TITLES[kind], _BANNER, GOLD, BLACK)
    left = (_ROOM - label.width) // 2
    draw_celebration(canvas, (MARGIN, top, _ROOM, LARGE.height), _ROOM // 2, [(0, left), (left + label.width, _ROOM)])
    canvas.put(label, MARGIN + left, top + (LARGE.height - label.height) // 2)


def _rows(view: SeatView, appearance: Appearance, order: HandOrder) -> list[Sequence[CardGroup]]:
    """Return the groups of cards in each of the two rows."""
    melds, labels = view.arrangement.melds, _knock_labels(view, appearance)
    marked = {card: colour for meld, colour in zip(melds, MELD_COLOURS, strict=False) for card in meld.cards}
    by_melds = order is HandOrder.MELDS and bool(melds)
    raised = {view.new_card: GOLD} if view.new_card else {}
    if by_melds:
        groups = groups_of(view.arrangement, raised=raised, labels=labels)
        return [groups[: len(melds)], groups[len(melds) :]]
    raised = {card: marked.get(card, GOLD) for card in raised}
    cards = queries.sorted_hand(view.hand, order)
    if order is HandOrder.SUIT:
        suits = [tuple(cards) for _, cards in groupby(cards, key=lambda card: card.suit)]
        # Where the longer of both rows is shortest.
        cut = min(range(1, len(suits) + 1), key=lambda cut: abs(2 * sum(map(len, suits[:cut])) - len(cards)))
        rows = [suits[:cut], suits[cut:]]
    else:
        half = (len(cards) + 1) // 2
        rows = [[cards[:half]], [cards[half:]]]
    return [[CardGroup(cards, False, raised, marked, labels) for cards in row] for row in rows]


def _knock_labels(view: SeatView, appearance: Appearance) -> dict[Card, Sprite]:
    """Return the labels of the cards that can be discarded to knock."""
    able = [choice for choice in view.discard_choices if choice.knocks]
    least = min((choice.leaves for choice in able), default=0)
    # If big gin is possible, no discard is the best.
    return {
        one.card: _knock_label(one.leaves, appearance, best=one.leaves == least and not view.can_go_big_gin)
        for one in able
    }


def _draw_answer(view: SeatView, knock: KnockView, appearance: Appearance) -> Picture:
    """Draw the knocker's melds with what was laid off on them, then the hand.

    The knocker only sees what happens to their own melds.
    """
    laid = knock.laid
    if view.seat == knock.seat:
        groups = groups_of(laid, knock.lay_offs)
        rows = min((wrap_rows(groups, _ROOM, appearance, size) for size in (LARGE, MIDDLE, MEDIUM)), key=len)
        parts = [(phrases.YOU_KNOCKED_WITH, laid.deadwood, rows)]
    else:
        knocked, own = _answer(view, knock)
        rows, below = wrap_rows(knocked, _ROOM, appearance, MEDIUM), wrap_rows(own, _ROOM, appearance)
        parts = [
            (phrases.KNOCKED_WITH, laid.deadwood, rows),
            (phrases.YOUR_HAND_DEADWOOD, view.arrangement.deadwood, below),
        ]
    canvas = Canvas(WIDTH, sum(_height(rows) for _, _, rows in parts) + 2 * PADDING, appearance)
    top = 0
    for caption, points, rows in parts:
        _draw_caption(canvas, top, caption, points)
        y = top + _CARDS
        for row in rows:
            row.draw(canvas, y, LIFT)
            y += row.size.height + _NEXT
        top += _height(rows)
    _draw_state(canvas, phrases.lay_off_state(view), urgent=bool(queries.best_lay_offs(view)))
    return canvas.picture(alt_text.lay_off(view, knock, appearance.language))


def _height(rows: list[CardRow]) -> int:
    """Return the height of a part. Its frames reach a little below the last row of cards."""
    return _CARDS + sum(row.size.height + _NEXT for row in rows) + (PADDING - _NEXT if rows else 0)


def _answer(view: SeatView, knock: KnockView) -> tuple[list[CardGroup], list[CardGroup]]:
    """Return the knocker's cards, and those of the hand. The cards that the best answer lays off are raised.

    A card has the numbers of the melds that it fits, now or in the course of the best answer. So have those melds.
    """
    best, laid = queries.best_lay_offs(view), groups_of(knock.laid, knock.lay_offs)
    raised = {one.card: GOLD for one in best}
    fits: dict[Card, list[str]] = {}
    labels: dict[Card, Sprite] = {}
    for number, meld in enumerate(knock.laid.melds, 1):
        fitting = {one.card for one in (*view.lay_offs, *best) if one.meld == meld}
        for card in fitting:
            fits.setdefault(card, []).append(str(number))
        if fitting:
            useful = any(one.meld == meld for one in best)
            labels[laid[number - 1].cards[0]] = meld_number_label(str(number), best=useful)
    labels |= {card: meld_number_label("·".join(numbers), best=card in raised) for card, numbers in fits.items()}
    own = groups_of(view.arrangement, raised=raised, labels=labels)
    return [replace(group, labels=labels) for group in laid], own


def _draw_caption(canvas: Canvas, top: int, text: str, points: int | None = None, more: str | None = None) -> None:
    """Draw what the cards below are, the points they count, and a further note."""
    y = top + _CAPTION
    wide = canvas.text(MARGIN + PADDING, y, text, _TEXT, ink=MIST)
    if points is not None:
        wide += _TEXT // 3 + canvas.text(MARGIN + PADDING + wide + _TEXT // 3, y, str(points), _TEXT + 5)
    if more is not None:
        canvas.text(MARGIN + PADDING + wide + _TEXT // 3, y, more, _TEXT, ink=MIST)


def _draw_state(canvas: Canvas, text: str, *, urgent: bool, beside: str | None = None) -> None:
    """Draw what the hand's owner can do at the top right, in gold if it is urgent, and another label beside it."""
    state = tag(text, _TEXT, *_colours(urgent))
    x, y = WIDTH - MARGIN - state.width, _CAPTION - (_TEXT + state.height) // 2
    canvas.put(state, x, y)
    if beside is not None and beside != text:
        label = tag(beside, _TEXT, RECESS, TEXT)
        canvas.put(label, x - PADDING - label.width, y)


def meld_number_label(text: str, *, best: bool) -> Sprite:
    """Return a label with the number of a meld, or of several. It stands out if the best answer uses it."""
    return tag(text, _FOOT_CAP, *_colours(best))


def _knock_label(leaves: int, appearance: Appearance, *, best: bool) -> Sprite:
    """Return a label for a card that can be discarded to knock: a fist and the deadwood left. The best one stands out.

    The fist is smaller where large indices leave less room.
    """
    return _knocking(leaves, _TIGHT if theme_of(appearance).deck == "bold" else _ROOMY, best)


@cache
def _knocking(leaves: int, laid: tuple[int, int, int], best: bool) -> Sprite:
    fist, edge, gap = laid
    number, size = text_mask(str(leaves), CAP), (_LABEL_WIDTH, fist + gap + CAP + 2 * edge)
    fill, ink = _colours(best)
    painting = Painting(size, EDGE).lay(fill, rounded_mask(size, _RADIUS, 2))
    painting.lay(ink, cut_mask((fist, fist), fist / 100, FIST), ((_LABEL_WIDTH - fist) // 2, edge))
    painting.lay(ink, number, ((_LABEL_WIDTH - number.width) // 2, size[1] - edge - baseline(CAP)))
    return cut_out(painting.image, rounded_mask(size, _RADIUS))


def _colours(stands_out: bool) -> tuple[Colour, Colour]:
    return (GOLD, BLACK) if stands_out else (RECESS, TEXT)
