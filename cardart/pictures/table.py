"""The table as everyone sees it: the piles or an open knock, and the players around them with their cards face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.views import KnockView, PublicView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, SMALL, back
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Align, Canvas, Picture
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardRow, groups_of, wrap_rows
from cardart.parts.table_layout import PEEKING, Place, around, draw_discards, draw_stock, places
from cardart.text import alt_text, phrases, queries

_VALUE: Final = 30
_TEXT: Final = 24

_STATION: Final = 108
_BADGE: Final = 60
_PARTNER: Final = 44
_BEHIND: Final = (56, 7)
"""Where a partner's badge lies, from a station's left and top."""
_WITHIN: Final = 14
"""How far the note on what a player has to do reaches into their station."""
_DEALER: Final = 52
_FAN: Final = 104
"""From a station's left to its first card."""
_FAN_STEP: Final = 34
_RIGHT: Final = 18
"""From a score to its station's right."""
_LEAST: Final = 48
"""The least room for a score."""
_BESIDE: Final = 14
"""Between a score and what is left of it."""
_GAMES: Final = 100
"""The step from one game's score to the next."""
_TAG_RIGHT: Final = 48
_OVERLAP: Final = 7
"""How far the note on the whole table reaches into the stations below."""

_PILES: Final = 224
_SMALL: Final = 17
_INSET: Final = MARGIN + 14
_ROOM: Final = WIDTH - 2 * MARGIN
_FLUSH: Final = 4
"""Aligns the text on the right with the scores above and below it."""
_LINE_GAP: Final = 10
_FACT_GAP: Final = 26
_HIGHEST: Final = 188
"""The greatest height of a column of notes that keeps clear of the players above and below."""
_STOCK: Final = 196
_CARDS_IN_LAYER: Final = 8
_LOWER: Final = 1
_DISCARDS: Final = 352

_HEADER: Final = 80
_KNOCKER: Final = 44
_TITLE: Final = 22
_LIFT: Final = 14
_ROW: Final = MEDIUM.height + 2 * PADDING + _LIFT
_DOWN: Final = 5
"""How much nearer the header is to its cards, to keep clear of the note on the player's station."""
_FOOT: Final = 28

_Line = tuple[str, int, Colour]
"""A text, the height of its capitals, and its ink."""


def draw_table(view: PublicView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the table. Raise `ValueError` for a monogram that is not one or two of A-Z and 0-9."""
    knock, middle = queries.open_knock(view), MARGIN + _STATION
    laid = [] if knock is None else wrap_rows(groups_of(knock.laid, knock.lay_offs), _ROOM, appearance, MEDIUM)
    bottom = middle + (_PILES if knock is None else _HEADER + len(laid) * _ROW + _FOOT)
    canvas = Canvas(WIDTH, bottom + _STATION + MARGIN, appearance)
    if knock is None:
        _draw_piles(canvas, view, middle)
    else:
        _draw_knock(canvas, view, knock, monograms, laid)
    above, below = around(queries.visible_seats(view), view.sides)
    for seat, place in (places(above, MARGIN, WIDTH) | places(below, bottom, WIDTH)).items():
        _draw_station(canvas, view, seat, monograms, place)
        if seat == view.turn:
            label = tag(phrases.TO_DO[view.phase], CAP, GOLD, BLACK)
            y = middle - _WITHIN if seat in above else bottom - label.height + _WITHIN
            canvas.put(label, place.left + place.width - _TAG_RIGHT - label.width, y)
    if view.turn is None:
        label = tag(phrases.table_state(view, monograms), CAP, GOLD, BLACK)
        canvas.put(label, (WIDTH - label.width) // 2, bottom - label.height + _OVERLAP)
    return canvas.picture(alt_text.table(view, monograms, view.discards[-PEEKING:], appearance.language))


def _draw_piles(canvas: Canvas, view: PublicView, top: int) -> None:
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
    draw_stock(canvas, view.stock, _CARDS_IN_LAYER, _STOCK, cards)
    draw_discards(canvas, view.discards[-PEEKING:], _DISCARDS, cards)
    if len(view.discards) > PEEKING:
        number = tag(str(len(view.discards)), CAP, RECESS, TEXT)
        canvas.put(number, _DISCARDS + 6, cards + LARGE.height - number.height - 4)


def _draw_knock(
    canvas: Canvas, view: PublicView, knock: KnockView, monograms: Sequence[str], laid: Sequence[CardRow]
) -> None:
    """Draw the knocker's melds with what has been laid off on them, and the deadwood."""
    top = MARGIN + _STATION
    middle = top + _HEADER // 2 + _DOWN
    canvas.put(badge(knock.seat, monograms[knock.seat], _KNOCKER), _INSET, middle - _KNOCKER // 2)
    title = phrases.knocks_with(knock.laid.deadwood)
    canvas.text(_INSET + _KNOCKER + PADDING, middle + _TITLE // 2, title, _TITLE)
    played = phrases.deal_and_goal(view) + (f" · {phrases.COUNTS_DOUBLE}" if queries.counts_double(view) else "")
    canvas.text(WIDTH - _INSET, middle + CAP // 2, played, CAP, ink=MIST, align="right")
    for place, line in enumerate(laid):
        line.draw(canvas, top + _HEADER + place * _ROW + PADDING + _LIFT, _LIFT)


def _label(text: str) -> _Line:
    return text, CAP, MIST


def _value(text: str) -> _Line:
    return text, _VALUE, TEXT


def _draw_notes(canvas: Canvas, notes: Sequence[Sequence[_Line]], middle: int, align: Align) -> None:
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


def _draw_station(canvas: Canvas, view: PublicView, seat: Seat, monograms: Sequence[str], place: Place) -> None:
    """Draw a player's badge, cards and score."""
    left, top, right = place.left, place.top, place.left + place.width - _RIGHT
    place.draw(canvas, _STATION, acting=seat == view.turn)
    canvas.put(badge(seat, monograms[seat], _BADGE), left + 14, top + (_STATION - _BADGE) // 2)
    for other in view.sides[queries.side_of(seat, view.sides)]:
        if other != seat:
            canvas.put(badge(other, monograms[other], _PARTNER), left + _BEHIND[0], top + _BEHIND[1])
    if seat == view.dealer:
        button = tag(phrases.DEALER, CAP, TEXT, BLACK)
        canvas.put(button, left + _DEALER, top + _STATION - button.height - 8)
    taken = _draw_score(canvas, view, seat, right, top)
    size, note = queries.cards_face_down(view, seat), phrases.instead_of_cards(view, seat)
    if note is not None:
        canvas.text(left + _FAN, top + (_STATION + _TEXT) // 2, note, _TEXT, ink=MIST, ground=RECESS)
    else:
        step = min(_FAN_STEP, (right - left - _FAN - taken - SMALL.width) // max(1, size - 1))
        x, y = left + _FAN, top + (_STATION - SMALL.height) // 2
        for number in range(size):
            canvas.put(back(canvas.appearance, SMALL), x + number * step, y)
        held = tag(str(size), CAP, RECESS, TEXT)
        x += (size - 1) * step + SMALL.width - held.width + 4
        canvas.put(held, x, y + SMALL.height - held.height - 4)


def _draw_score(canvas: Canvas, view: PublicView, seat: Seat, right: int, top: int) -> int:
    """Draw the points of a player's side under their label. Return the width taken.

    Of three games, one that is over has another ink.
    """
    side = queries.side_of(seat, view.sides)
    numbers = queries.side_points(view.rules, view.score, side)
    labels = [phrases.game_name(0), "2", "3"] if len(numbers) > 1 else [phrases.score_label(view)]
    wide = _LEAST
    for place, (name, number) in enumerate(zip(labels, numbers, strict=True)):
        x, ink = right - (len(numbers) - 1 - place) * _GAMES, TEXT
        if len(numbers) > 1 and view.score.columns[place].over:
            ink = GOLD if view.score.columns[place].winner == side else MIST
        wide = max(wide, canvas.text(x, top + 42, name, CAP, ink=MIST, ground=RECESS, align="right"))
        wide = max(wide, canvas.text(x, top + 85, str(number), _VALUE, ink=ink, ground=RECESS, align="right"))
    return wide + _BESIDE + (len(numbers) - 1) * _GAMES
