"""The table as anyone may see it: the piles in the middle, the players around it with their cards face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.views import PublicView
from cardart import words
from cardart.canvas import MARGIN, Canvas, Picture, Style, tag
from cardart.cards import HEIGHT, SMALL, back, face
from cardart.cards import WIDTH as CARD
from cardart.marks import badge
from cardart.palette import BLACK, EDGE, FACE, GOLD, MIST, RECESS, SEAM

WIDTH: Final = 800
_STATION: Final = 108
_MIDDLE: Final = 216
_GAP: Final = 14
_WAITING: Final = Style(RECESS, SEAM)
_PLAYING: Final = Style(RECESS, GOLD, 4)

_BADGE: Final = 60
_DEALER: Final = 72
_FAN: Final = 122
"""From a station's left to its first card."""
_FAN_STEP: Final = 34
_SCORE_ROOM: Final = 96

_LABEL: Final = 19
_VALUE: Final = 30
_STOCK: Final = 196
_LAYER: Final = 3
"""How far each layer of the stock lies off the one beneath."""
_CARDS_IN_LAYER: Final = 6
_DISCARDS: Final = 352
_PEEKING: Final = 4
"""How many discards are to be seen."""
_PEEK: Final = 44


def draw_table(view: PublicView, marks: Sequence[str]) -> Picture:
    """The table, with `marks[seat]` as each player's monogram: one or two of A-Z and 0-9.

    Raises:
        ValueError: a mark is no such monogram.
    """
    canvas = Canvas(WIDTH, 2 * (MARGIN + _STATION) + _MIDDLE)
    middle = MARGIN + _STATION
    seats = range(len(view.hand_sizes))
    above, below = [seat for seat in seats if seat in (1, 2)], [seat for seat in seats if seat in (0, 3)]
    for row, top in ((above, MARGIN), (below, middle + _MIDDLE)):
        width = (WIDTH - 2 * MARGIN - (len(row) - 1) * _GAP) // len(row)
        for place, seat in enumerate(row):
            _draw_station(canvas, view, Seat(seat), marks[seat], (MARGIN + place * (width + _GAP), top, width))
    _draw_facts(canvas, view, middle)
    cards = middle + (_MIDDLE - HEIGHT) // 2
    _draw_stock(canvas, view.stock, cards)
    shown = view.discards[-_PEEKING:]
    if not shown:
        canvas.panel((_DISCARDS, cards, _DISCARDS + CARD, cards + HEIGHT), _WAITING)
    for place, card in enumerate(shown):
        canvas.put(face(card), _DISCARDS + place * _PEEK, cards)
    if view.turn is None:
        _draw_on_edge(canvas, words.table_state(view, marks), WIDTH // 2, middle + _MIDDLE)
    return canvas.picture(words.table(view, marks, shown))


def _draw_station(canvas: Canvas, view: PublicView, seat: Seat, mark: str, place: tuple[int, int, int]) -> None:
    """A player's mark, cards and score; the place is left, top and width."""
    left, top, width = place
    playing = seat == view.turn
    canvas.panel((left, top, left + width, top + _STATION), _PLAYING if playing else _WAITING)
    canvas.put(badge(seat, mark, _BADGE), left + 14, top + (_STATION - _BADGE) // 2)
    if seat == view.dealer:
        button = tag(words.DEALER, _LABEL, FACE, BLACK)
        canvas.put(button, left + _DEALER, top + _STATION - button.height - 8)
    size = view.hand_sizes[seat]
    if size:
        room = width - _FAN - _SCORE_ROOM - SMALL[0]
        step = min(_FAN_STEP, room // max(1, size - 1))
        for number in range(size):
            canvas.put(back(SMALL), left + _FAN + number * step, top + (_STATION - SMALL[1]) // 2)
    score = str(view.score.scores[seat])
    canvas.text(left + width - 18, top + (_STATION + _VALUE) // 2, score, _VALUE, ground=RECESS, align="right")
    if playing:
        _draw_on_edge(canvas, words.TO_PLAY, left + width - 100, top + _STATION if seat in (1, 2) else top)


def _draw_on_edge(canvas: Canvas, text: str, x: int, y: int) -> None:
    label = tag(text, _LABEL, GOLD, BLACK)
    canvas.put(label, x - label.width // 2, y - label.height // 2)


def _draw_facts(canvas: Canvas, view: PublicView, top: int) -> None:
    left, right = MARGIN + 14, WIDTH - MARGIN - 14
    target = view.rules.target
    facts = [(words.DEAL, str(view.number))] + ([(words.TARGET, str(target))] if target is not None else [])
    for (label, value), y in zip(facts, (60, 144), strict=False):
        canvas.text(left, top + y, label, _LABEL, ink=MIST)
        canvas.text(left, top + y + 40, value, _VALUE)
    label, value = words.limit(view.knock_limit).rsplit(maxsplit=1)
    canvas.text(right, top + 100, label, _LABEL, ink=MIST, align="right")
    canvas.text(right, top + 140, value, _VALUE, align="right")


def _draw_stock(canvas: Canvas, count: int, top: int) -> None:
    lift = 0
    for lift in range(0, -(-count // _CARDS_IN_LAYER) * _LAYER, _LAYER):
        canvas.put(back(), _STOCK + lift, top - lift)
    number = tag(str(count), _LABEL, EDGE, FACE)
    canvas.put(number, _STOCK + lift + (CARD - number.width) // 2, top - lift + HEIGHT - number.height - 8)
