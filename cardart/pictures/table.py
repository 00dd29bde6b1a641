"""The table as everyone sees it: the piles or an open knock, and the players around them with their cards face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves import Seat
from bot.engine.views import PublicView
from bot.values.appearance import Appearance
from cardart.deck.cards import SMALL, back
from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle, Picture
from cardart.drawing.palette import BLACK, GOLD, MIST, RECESS, SEAM, TEXT
from cardart.drawing.sprites import tag
from cardart.drawing.themes import DEFAULT
from cardart.parts.badges import badge
from cardart.parts.table_centre import CAP, PEEKING, VALUE, WIDTH, draw_knock, draw_piles, height
from cardart.text import alt_text, phrases, queries

_STATION: Final = 108
_GAP: Final = 14
_WAITING: Final = PanelStyle(RECESS, SEAM)
_PLAYING: Final = PanelStyle(RECESS, GOLD, 4)

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
_TEXT: Final = 24
_TAG_RIGHT: Final = 48
_OVERLAP: Final = 7
"""How far the note on the whole table reaches into the stations below."""


def draw_table(view: PublicView, monograms: Sequence[str], appearance: Appearance = DEFAULT) -> Picture:
    """Draw the table, with one or two of A-Z and 0-9 as each seat's monogram.

    Raises:
        ValueError: a monogram is not one or two of A-Z and 0-9.
    """
    knock, middle = queries.open_knock(view), MARGIN + _STATION
    bottom = middle + height(knock, appearance)
    canvas = Canvas(WIDTH, bottom + _STATION + MARGIN, appearance)
    seats = queries.visible_seats(view)
    above = [seat for seat in seats if queries.side_of(seat, view.sides) in (1, 2)]
    below = [seat for seat in seats if seat not in above]
    if knock is None:
        draw_piles(canvas, view, middle)
    else:
        draw_knock(canvas, view, knock, monograms, middle)
    for row, top in ((above, MARGIN), (below, bottom)):
        width = (WIDTH - 2 * MARGIN - (len(row) - 1) * _GAP) // len(row)
        for place, seat in enumerate(row):
            _draw_station(canvas, view, seat, monograms, (MARGIN + place * (width + _GAP), top, width))
            if seat == view.turn:
                label = tag(phrases.TO_DO[view.phase], CAP, GOLD, BLACK)
                right = MARGIN + place * (width + _GAP) + width - _TAG_RIGHT
                y = middle - _WITHIN if seat in above else bottom - label.height + _WITHIN
                canvas.put(label, right - label.width, y)
    if view.turn is None:
        label = tag(phrases.table_state(view, monograms), CAP, GOLD, BLACK)
        canvas.put(label, (WIDTH - label.width) // 2, bottom - label.height + _OVERLAP)
    return canvas.picture(alt_text.table(view, monograms, view.discards[-PEEKING:], appearance.language))


def _draw_station(
    canvas: Canvas, view: PublicView, seat: Seat, monograms: Sequence[str], place: tuple[int, int, int]
) -> None:
    """Draw a player's badge, cards and score. The place is left, top and width."""
    left, top, width = place
    canvas.panel((left, top, left + width, top + _STATION), _PLAYING if seat == view.turn else _WAITING)
    canvas.put(badge(seat, monograms[seat], _BADGE), left + 14, top + (_STATION - _BADGE) // 2)
    for other in view.sides[queries.side_of(seat, view.sides)]:
        if other != seat:
            canvas.put(badge(other, monograms[other], _PARTNER), left + _BEHIND[0], top + _BEHIND[1])
    if seat == view.dealer:
        button = tag(phrases.DEALER, CAP, TEXT, BLACK)
        canvas.put(button, left + _DEALER, top + _STATION - button.height - 8)
    taken = _draw_score(canvas, view, seat, left + width - _RIGHT, top)
    size, note = queries.cards_face_down(view, seat), phrases.instead_of_cards(view, seat)
    if note is not None:
        canvas.text(left + _FAN, top + (_STATION + _TEXT) // 2, note, _TEXT, ink=MIST, ground=RECESS)
    else:
        room = width - _FAN - _RIGHT - taken - SMALL.width
        step = min(_FAN_STEP, room // max(1, size - 1))
        for number in range(size):
            canvas.put(
                back(canvas.appearance, SMALL), left + _FAN + number * step, top + (_STATION - SMALL.height) // 2
            )
        held = tag(str(size), CAP, RECESS, TEXT)
        x = left + _FAN + (size - 1) * step + SMALL.width - held.width + 4
        canvas.put(held, x, top + (_STATION + SMALL.height) // 2 - held.height - 4)


def _draw_score(canvas: Canvas, view: PublicView, seat: Seat, right: int, top: int) -> int:
    """Draw the points of a player's side under their label. Return the width taken.

    Of three games, one that is over has another ink.
    """
    side = queries.side_of(seat, view.sides)
    numbers = queries.side_points(view.rules, view.score, side)
    label = phrases.score_label(view.rules, view.score)
    labels = [phrases.game_name(0), "2", "3"] if len(numbers) > 1 else [label]
    wide = _LEAST
    for place, (name, number) in enumerate(zip(labels, numbers, strict=True)):
        x = right - (len(numbers) - 1 - place) * _GAMES
        ink = TEXT
        if len(numbers) > 1 and view.score.columns[place].over:
            ink = GOLD if view.score.columns[place].winner == side else MIST
        wide = max(wide, canvas.text(x, top + 42, name, CAP, ink=MIST, ground=RECESS, align="right"))
        wide = max(wide, canvas.text(x, top + 85, str(number), VALUE, ink=ink, ground=RECESS, align="right"))
    wide += _BESIDE
    return wide + (len(numbers) - 1) * _GAMES
