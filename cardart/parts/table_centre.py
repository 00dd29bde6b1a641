"""The centre of the table: the deal and the goal with the piles, or the melds of an open knock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from bot.engine.views import KnockView, PublicView
from bot.values.appearance import Appearance
from cardart.deck.cards import LARGE, MEDIUM, back, face, overlap
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.sprites import tag
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardGroup, CardRow, wrap_rows
from cardart.text import phrases, queries

WIDTH: Final = 800
CAP: Final = 19
VALUE: Final = 30
PEEKING: Final = 4
"""How many discards are visible."""

_PILES: Final = 224
_SMALL: Final = 17
_INSET: Final = MARGIN + 14
_FLUSH: Final = 4
"""Aligns the text on the right with the scores above and below it."""
_LINE_GAP: Final = 10
_FACT_GAP: Final = 26
_HIGHEST: Final = 188
"""The greatest height of a column of notes that keeps clear of the players above and below."""
_STOCK: Final = 196
_LOWER: Final = 1
_LAYER: Final = 3
"""How far each layer of the stock is shifted from the one beneath."""
_CARDS_IN_LAYER: Final = 8
_DISCARDS: Final = 352
_EMPTY: Final = PanelStyle(RECESS, SEAM)

_HEADER: Final = 80
_BADGE: Final = 44
_TEXT: Final = 22
_LIFT: Final = 14
_ROW: Final = MEDIUM.height + 2 * PADDING + _LIFT
_DOWN: Final = 5
"""How much nearer the header is to its cards, to keep clear of the note on the player's station."""
_FOOT: Final = 28

_Line = tuple[str, int, Colour]
"""A text, the height of its capitals, and its ink."""


def height(knock: KnockView | None, appearance: Appearance) -> int:
    """Return the height of the centre."""
    return _PILES if knock is None else _HEADER + len(_laid(knock, appearance)) * _ROW + _FOOT


def draw_piles(canvas: Canvas, view: PublicView, top: int) -> None:
    """Draw the stock and its number of cards, the last discards, and notes on the deal and the goal."""
    label, value, more = phrases.goal(view.rules)
    amount, *unit = value.split()
    goal = [_label(label), _value(amount), *((line, _SMALL, MIST) for line in (*unit, *more))]
    deal = [_label(phrases.DEAL), _value(str(view.number))]
    _draw_notes(canvas, [deal, goal], top + _PILES // 2, "left")
    most = view.knock_limit
    limit = [_label(phrases.KNOCK_AT), _value(str(most))] if most else [_label(phrases.ONLY), _value(phrases.GIN)]
    limit += [(phrases.COUNTS_DOUBLE, CAP, GOLD)] if queries.counts_double(view) else []
    board = [[_label(phrases.BOARD), _value(str(view.board))]] if view.boards > 1 else []
    _draw_notes(canvas, [*board, limit], top + _PILES // 2, "right")
    cards = top + (_PILES - LARGE.height) // 2 + _LOWER
    _draw_stock(canvas, view.stock, cards)
    shown = view.discards[-PEEKING:]
    if not shown:
        canvas.panel((_DISCARDS, cards, _DISCARDS + LARGE.width, cards + LARGE.height), _EMPTY)
    step = overlap(canvas.appearance, LARGE).narrow
    for place, card in enumerate(shown):
        covered = place < len(shown) - 1
        canvas.put(face(card, canvas.appearance, covered=covered), _DISCARDS + place * step, cards)
    if len(view.discards) > len(shown):
        number = tag(str(len(view.discards)), CAP, RECESS, TEXT)
        canvas.put(number, _DISCARDS + 6, cards + LARGE.height - number.height - 4)


def draw_knock(canvas: Canvas, view: PublicView, knock: KnockView, monograms: Sequence[str], top: int) -> None:
    """Draw the knocker's melds with what has been laid off on them, and the deadwood."""
    middle = top + _HEADER // 2 + _DOWN
    canvas.put(badge(knock.seat, monograms[knock.seat], _BADGE), _INSET, middle - _BADGE // 2)
    title = phrases.knocks_with(knock.laid.deadwood)
    canvas.text(_INSET + _BADGE + PADDING, middle + _TEXT // 2, title, _TEXT)
    played = phrases.deal_and_goal(view)
    canvas.text(WIDTH - _INSET, middle + CAP // 2, played, CAP, ink=MIST, align="right")
    for place, line in enumerate(_laid(knock, canvas.appearance)):
        line.draw(canvas, top + _HEADER + place * _ROW + PADDING + _LIFT, _LIFT)


def _laid(knock: KnockView, appearance: Appearance) -> list[CardRow]:
    groups = [CardGroup.of(meld, knock.lay_offs) for meld in knock.laid.melds]
    groups += [CardGroup(knock.laid.unmatched, False)] if knock.laid.unmatched else []
    return wrap_rows(groups, WIDTH - 2 * MARGIN, appearance, MEDIUM, snug=True)


def _label(text: str) -> _Line:
    return text, CAP, MIST


def _value(text: str) -> _Line:
    return text, VALUE, TEXT


def _draw_notes(canvas: Canvas, notes: Sequence[Sequence[_Line]], middle: int, align: Literal["left", "right"]) -> None:
    """Draw notes of a few lines each, one beneath the other, centred on `middle`."""
    high = sum(cap + _LINE_GAP for note in notes for _, cap, _ in note) - _LINE_GAP * len(notes)
    gap = min(_FACT_GAP, _HIGHEST - high)
    y = middle - (high + gap * (len(notes) - 1)) // 2
    x = _INSET if align == "left" else WIDTH - _INSET - _FLUSH
    for note in notes:
        for text, cap, ink in note:
            y += cap
            canvas.text(x, y, text, cap, ink=ink, align=align)
            y += _LINE_GAP
        y += gap - _LINE_GAP


def _draw_stock(canvas: Canvas, count: int, top: int) -> None:
    lift = 0
    for lift in range(0, -(-count // _CARDS_IN_LAYER) * _LAYER, _LAYER):
        canvas.put(back(canvas.appearance), _STOCK + lift, top - lift)
    number = tag(str(count), CAP, RECESS, TEXT)
    canvas.put(number, _STOCK + lift + (LARGE.width - number.width) // 2, top - lift + LARGE.height - number.height - 8)
