"""How much a server plays: matches and players of each of its last weeks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardart.drawing.canvas import MARGIN, Canvas, PanelStyle, Picture
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEATS, TEXT, Colour
from cardart.drawing.plotting import day, fill, short
from cardart.drawing.themes import DEFAULT, Look
from cardart.text import alt_text, phrases
from cardart.text.figures import Week

WIDTH: Final = 800
_PANEL: Final = PanelStyle(RECESS, SEAM)
_INSET: Final = MARGIN + 26
_LABEL: Final = 19
_SMALL: Final = 15
"""For numbers of four signs, which lie side by side."""
_NAME: Final = 42
"""From the top of a row to the baseline of its name."""
_ABOVE: Final = 80
"""From there to the top of its highest bar: a name and a number fit."""
_HIGH: Final = 96
_ROW: Final = _ABOVE + _HIGH
_LEAST: Final = 4
"""How high a bar is at least."""
_DATES: Final = 52
_EVERY: Final = 3
"""One week in so many has its date."""


def draw_activity(weeks: Sequence[Week], look: Look = DEFAULT) -> Picture:
    """Bars for the matches of each week, and below them for the players."""
    canvas = Canvas(WIDTH, 2 * MARGIN + 2 * _ROW + _DATES, look)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + 2 * _ROW + _DATES), _PANEL)
    _draw_row(canvas, MARGIN, phrases.MATCHES_A_WEEK, [week.matches for week in weeks], GOLD)
    _draw_row(canvas, MARGIN + _ROW, phrases.PLAYERS_A_WEEK, [week.players for week in weeks], SEATS[0])
    pitch = (WIDTH - 2 * _INSET) / len(weeks)
    for place in range(len(weeks) - 1, -1, -_EVERY):
        x, y = round(_INSET + (place + 0.5) * pitch), MARGIN + 2 * _ROW + (_DATES + _LABEL) // 2 - 2
        canvas.text(x, y, day(weeks[place].begins, year=False), _LABEL, ink=MIST, ground=RECESS, align="centre")
    return canvas.picture(alt_text.activity(weeks))


def _draw_row(canvas: Canvas, top: int, name: str, numbers: Sequence[int], colour: Colour) -> None:
    canvas.text(_INSET, top + _NAME, name, _LABEL, ink=MIST, ground=RECESS)
    foot, most = top + _ROW, max(1, *numbers)
    pitch = (WIDTH - 2 * _INSET) / len(numbers)
    cap = _LABEL if most < 1000 else _SMALL
    for place, number in enumerate(numbers):
        left, right = (round(_INSET + (place + share) * pitch) for share in (0.18, 0.82))
        high = max(_LEAST, round(_HIGH * number / most)) if number else 0
        if number:
            fill(canvas, (left, foot - high, right, foot), colour)
        where, ink = ((left + right) // 2, foot - high - 8), TEXT if number else MIST
        canvas.text(*where, short(number), cap, ink=ink, ground=RECESS, align="centre")
    fill(canvas, (_INSET, foot, WIDTH - _INSET, foot + 2), SEAM)
