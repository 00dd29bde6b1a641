"""The table as everyone sees it: the piles or an open knock, and the players with their face-down cards.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.views import PublicView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import LARGE, MEDIUM, SMALL, narrow_step
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Align, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, TEXT, Colour
from cardart.parts.badges import badge
from cardart.parts.card_rows import PADDING, CardRow, groups_of, wrap_rows
from cardart.parts.table_layout import (
    PEEKING,
    Place,
    around,
    draw_caption,
    draw_discards,
    draw_stock,
    places,
    small_back,
)
from cardart.text import alt_text, phrases, queries

_VALUE: Final = 30
_TEXT: Final = 24
_TEXTS: Final = (_TEXT, CAP, 16)
"""Cap heights for the text that replaces cards. The first that fits is used."""

_STATION: Final = 108
_BADGE: Final = 60
_PARTNER: Final = 40
_WITHIN: Final = 14
"""Overlap of a player's station and the note with that player's next action."""
_DEALER: Final = 52
_FAN: Final = 104
"""Distance from a station's left edge to its first card."""
_FAN_STEP: Final = 44
_RIGHT: Final = 18
"""Distance from a score to its station's right edge."""
_LEAST: Final = 48
"""Minimum width of a score."""
_BESIDE: Final = 14
"""Space to the left of a score."""
_GAMES: Final = 116
"""Distance between the scores of two games."""
_TAG_RIGHT: Final = 48
_NOTE: Final = 48
"""Space for a note on the whole table."""

_PILES: Final = 236
_END: Final = 150
"""Height between the players when the match is over. `_RESULT` is the cap height of the result there."""
_RESULT: Final = 28
_SMALL: Final = 17
_INSET: Final = MARGIN + 14
_ROOM: Final = WIDTH - 2 * MARGIN
_FLUSH: Final = 4
"""Extra margin that aligns the notes on the right with the scores above and below them."""
_LINE_GAP: Final = 10
_FACT_GAP: Final = 26
_HIGHEST: Final = 188
"""Maximum height of a column of notes, which keeps it clear of the players above and below."""
_CARDS_IN_LAYER: Final = 8
_CARDS: Final = 30
"""Distance from the players above to the cards of the piles."""
_BETWEEN: Final = 52
"""Distance from the stock to the discards."""

_HEADER: Final = 66
_LIFT: Final = 14
_ROW: Final = MEDIUM.height + 2 * PADDING + _LIFT
_FOOT: Final = 28

_Line = tuple[str, int, Colour]
"""A text, its cap height, and its colour."""


def draw_table(view: PublicView, monograms: Sequence[str], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the table. Raise `ValueError` if a monogram is not one or two characters of A-Z and 0-9."""
    knock, middle = queries.open_knock(view), MARGIN + _STATION
    over = queries.is_over(view)
    laid = [] if knock is None else wrap_rows(groups_of(knock.laid, knock.lay_offs), _ROOM, appearance, MEDIUM)
    high = _END if over else _PILES if knock is None else _HEADER + len(laid) * _ROW + _FOOT
    bottom = middle + high + (_NOTE if view.turn is None and not over else 0)
    canvas = Canvas(WIDTH, bottom + _STATION + MARGIN, appearance)
    if over:
        _draw_end(canvas, view, monograms, middle)
    elif knock is None:
        _draw_piles(canvas, view, middle)
    else:
        _draw_knock(canvas, view, middle, laid)
    above, below = around(queries.visible_seats(view), view.sides)
    for seat, place in (places(above, MARGIN, WIDTH) | places(below, bottom, WIDTH)).items():
        _draw_station(canvas, view, seat, monograms, place)
        if seat == view.turn:
            label = tag(phrases.TO_DO[view.phase], CAP, GOLD, BLACK)
            y = middle - _WITHIN if seat in above else bottom - label.height + _WITHIN
            canvas.put(label, place.left + place.width - _TAG_RIGHT - label.width, y)
    if view.turn is None and not over:
        label = tag(phrases.table_state(view, monograms), CAP, GOLD, BLACK)
        canvas.put(label, (WIDTH - label.width) // 2, bottom - (_NOTE + label.height) // 2)
    return canvas.picture(alt_text.table(view, monograms, view.discards[-PEEKING:], appearance.language))


def _draw_end(canvas: Canvas, view: PublicView, monograms: Sequence[str], top: int) -> None:
    """Draw the result and the end condition of the match."""
    label, middle = tag(phrases.table_state(view, monograms), _RESULT, GOLD, BLACK), top + _END // 2
    canvas.put(label, (WIDTH - label.width) // 2, middle - label.height + _LINE_GAP)
    canvas.text(WIDTH // 2, middle + 2 * _LINE_GAP + CAP, phrases.deal_and_goal(view), CAP, ink=MIST, align="centre")


def _draw_piles(canvas: Canvas, view: PublicView, top: int) -> None:
    """Draw the stock, the last discards, and notes on the deal, the end condition of the match and the knock limit."""
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
    shown, (draw, take) = view.discards[-PEEKING:], queries.on_offer(view)
    wide = (PEEKING - 1) * narrow_step(canvas.appearance, LARGE) + LARGE.width
    stock = (WIDTH - LARGE.width - _BETWEEN - wide) // 2
    discards, cards = stock + LARGE.width + _BETWEEN, top + _CARDS
    draw_stock(canvas, view.stock, _CARDS_IN_LAYER, stock, cards, ring=GOLD if draw else None)
    draw_discards(canvas, shown, discards, cards, ring=GOLD if take else None)
    draw_caption(canvas, stock + LARGE.width // 2, cards + LARGE.height, phrases.STOCK, view.stock)
    wide = (max(1, len(shown)) - 1) * narrow_step(canvas.appearance, LARGE) + LARGE.width
    draw_caption(canvas, discards + wide // 2, cards + LARGE.height, phrases.DISCARDS, len(view.discards))


def _draw_knock(canvas: Canvas, view: PublicView, top: int, laid: Sequence[CardRow]) -> None:
    """Draw the knocker's melds with the cards laid off on them, the deadwood, and a note on the deal."""
    played = f"{phrases.deal_and_goal(view)} · {phrases.STOCK.lower()} {view.stock}"
    played += f" · {phrases.COUNTS_DOUBLE}" if queries.counts_double(view) else ""
    canvas.text(_INSET, top + _HEADER - _LINE_GAP, played, CAP, ink=MIST)
    for place, line in enumerate(laid):
        line.draw(canvas, top + _HEADER + place * _ROW + PADDING + _LIFT, _LIFT)


def _label(text: str) -> _Line:
    return text, CAP, MIST


def _value(text: str) -> _Line:
    return text, _VALUE, TEXT


def _draw_notes(canvas: Canvas, notes: Sequence[Sequence[_Line]], middle: int, align: Align) -> None:
    """Draw notes of a few lines each, one below the other, vertically centred on `middle`."""
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
    """Draw a player's badge, cards and score, and the badge of a partner, who plays on another board."""
    left, top, right = place.left, place.top, place.left + place.width - _RIGHT
    place.draw(canvas, _STATION, acting=seat == view.turn or queries.has_won(view, seat))
    canvas.put(badge(seat, monograms[seat], _BADGE), left + 14, top + (_STATION - _BADGE) // 2)
    if seat == view.dealer:
        button = tag(phrases.DEALER, CAP, TEXT, BLACK)
        canvas.put(button, left + _DEALER, top + _STATION - button.height - 8)
    taken = _draw_score(canvas, view, seat, right, top)
    for other in view.sides[queries.side_of(seat, view.sides)]:
        if other != seat:
            x, y = right - taken - _PARTNER, top + (_STATION - _PARTNER) // 2
            canvas.put(badge(other, monograms[other], _PARTNER), x, y)
            taken += _PARTNER + _BESIDE
    size, note = queries.cards_face_down(view, seat), phrases.instead_of_cards(view, seat)
    if note is not None:
        room = right - taken - left - _FAN
        cap = next((cap for cap in _TEXTS if text_mask(note, cap).width <= room), _TEXTS[-1])
        ink = GOLD if queries.has_won(view, seat) else MIST
        canvas.text(left + _FAN, top + (_STATION + cap) // 2, note, cap, ink=ink, ground=RECESS)
    else:
        step = min(_FAN_STEP, (right - left - _FAN - taken - SMALL.width) // max(1, size - 1))
        x, y = left + _FAN, top + (_STATION - SMALL.height) // 2
        for number in range(size):
            canvas.put(small_back(SMALL), x + number * step, y)
        held = tag(str(size), CAP, RECESS, TEXT)
        x += (size - 1) * step + SMALL.width - held.width + 4
        canvas.put(held, x, y + SMALL.height - held.height - 4)


def _draw_score(canvas: Canvas, view: PublicView, seat: Seat, right: int, top: int) -> int:
    """Draw the points of a player's side below their label. Return the width taken.

    A finished game of three has a label with the side's result and a different colour.
    """
    side = queries.side_of(seat, view.sides)
    numbers = queries.side_points(view.rules, view.score, side)
    labels = phrases.game_labels(view, side) if len(numbers) > 1 else [phrases.score_label(view)]
    wide = _LEAST
    for place, (name, number) in enumerate(zip(labels, numbers, strict=True)):
        x, ink = right - (len(numbers) - 1 - place) * _GAMES, TEXT
        if len(numbers) > 1 and view.score.columns[place].over:
            ink = GOLD if view.score.columns[place].winner == side else MIST
        wide = max(wide, canvas.text(x, top + 42, name, CAP, ink=MIST, ground=RECESS, align="right"))
        wide = max(wide, canvas.text(x, top + 85, str(number), _VALUE, ink=ink, ground=RECESS, align="right"))
    return wide + _BESIDE + (len(numbers) - 1) * _GAMES
