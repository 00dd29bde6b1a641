"""How much a server plays: the matches and players of each of its last weeks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.statistics import Week
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.text import alt_text, phrases

_INSET: Final = MARGIN + 26
_SMALL: Final = 15
"""For numbers of four characters, so that neighbours stay apart."""
_NAME: Final = 42
"""From the top of a row to the baseline of its name."""
_ABOVE: Final = 80
"""From the top of a row to the top of its highest bar. The name and a number fit in between."""
_BAR_HEIGHT: Final = 96
_ROW: Final = _ABOVE + _BAR_HEIGHT
_LEAST: Final = 4
"""The least height of a bar."""
_DATES: Final = 52
_EVERY: Final = 3
"""Only every third week has its date."""


def draw_activity(weeks: Sequence[Week], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a bar for the matches of each week, and below them bars for the players."""
    canvas = Canvas(WIDTH, 2 * MARGIN + 2 * _ROW + _DATES, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + 2 * _ROW + _DATES))
    _draw_row(canvas, MARGIN, phrases.MATCHES_A_WEEK, [week.matches for week in weeks], GOLD)
    _draw_row(canvas, MARGIN + _ROW, phrases.PLAYERS_A_WEEK, [week.players for week in weeks], SEAT_COLOURS[0])
    pitch = (WIDTH - 2 * _INSET) / len(weeks)
    for place in range(len(weeks) - 1, -1, -_EVERY):
        x, y = round(_INSET + (place + 0.5) * pitch), MARGIN + 2 * _ROW + (_DATES + CAP) // 2 - 2
        date = phrases.short_date(weeks[place].begins, year=False)
        canvas.text(x, y, date, CAP, ink=MIST, ground=RECESS, align="centre")
    return canvas.picture(alt_text.activity(weeks))


def _draw_row(canvas: Canvas, top: int, name: str, numbers: Sequence[int], colour: Colour) -> None:
    canvas.text(_INSET, top + _NAME, name, CAP, ink=MIST, ground=RECESS)
    foot, most = top + _ROW, max(1, *numbers)
    pitch = (WIDTH - 2 * _INSET) / len(numbers)
    cap = CAP if most < 1000 else _SMALL
    for place, number in enumerate(numbers):
        left, right = (round(_INSET + (place + share) * pitch) for share in (0.18, 0.82))
        height = max(_LEAST, round(_BAR_HEIGHT * number / most)) if number else 0
        if number:
            canvas.fill((left, foot - height, right, foot), colour)
        x, y, ink = (left + right) // 2, foot - height - 8, TEXT if number else MIST
        canvas.text(x, y, phrases.short_number(number), cap, ink=ink, ground=RECESS, align="centre")
    canvas.fill((_INSET, foot, WIDTH - _INSET, foot + 2), SEAM)
