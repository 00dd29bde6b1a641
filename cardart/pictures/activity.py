"""How much a server plays: the matches and players of each of its last weeks, as two charts above the same weeks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.statistics import Week
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text import alt_text, phrases

_INSET: Final = MARGIN + 26
_TITLE: Final = 26
_TITLE_LINE: Final = MARGIN + 56
"""The baseline of the title."""
_FIRST: Final = MARGIN + 74
"""The top of the first chart."""
_NAME: Final = 34
"""From the top of a chart to the baseline of its name."""
_ABOVE: Final = 78
"""From the top of a chart to the top of its axis: the name and the number on the highest bar fit in between."""
_PLOT: Final = 128
_CHART: Final = _ABOVE + _PLOT + 22
"""From the top of a chart to that of the next."""
_SQUARE: Final = 20
"""The sample of a chart's colour beside its name."""
_AXIS: Final = _INSET + 60
"""The left of the bars. The numbers of the axis are to the left of it."""
_SMALL: Final = 15
"""For numbers of four characters, so that neighbours stay apart."""
_WIDEST: Final = 0.68
"""The width of a bar, in shares of a week's place."""
_BROAD: Final = 80
_LEAST: Final = 4
"""The least height of a bar."""
_ROUND: Final = 7
_DAY: Final = 36
_MONTH: Final = 66
_FOOT: Final = 86
"""From the foot of the lower chart to the baselines of days and months, and to the end of the panel."""
_MOST_LINES: Final = 4


def draw_activity(weeks: Sequence[Week], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a bar for the matches of each week, and below them bars for the players."""
    foot = _FIRST + _CHART + _ABOVE + _PLOT
    canvas = Canvas(WIDTH, foot + _FOOT + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, foot + _FOOT))
    canvas.text(_INSET, _TITLE_LINE, phrases.last_weeks(len(weeks)), _TITLE, ground=RECESS)
    matches, players = [week.matches for week in weeks], [week.players for week in weeks]
    total, most = phrases.in_all(sum(matches)), phrases.at_most(max(players))
    _draw_chart(canvas, _FIRST, phrases.MATCHES_A_WEEK, total, matches, GOLD)
    _draw_chart(canvas, _FIRST + _CHART, phrases.PLAYERS_A_WEEK, most, players, SEAT_COLOURS[0])
    _draw_weeks(canvas, foot, weeks)
    return canvas.picture(alt_text.activity(weeks))


def _draw_chart(canvas: Canvas, top: int, name: str, summed: str, numbers: Sequence[int], colour: Colour) -> None:
    """Draw a name with the colour of its bars, an axis with its numbers, and a bar with its number for each week."""
    canvas.fill((_INSET, top + _NAME - _SQUARE, _INSET + _SQUARE, top + _NAME), colour)
    canvas.text(_INSET + _SQUARE + 12, top + _NAME, name, CAP + 1, ground=RECESS)
    canvas.text(WIDTH - _INSET, top + _NAME, summed, CAP, ink=MIST, ground=RECESS, align="right")
    foot, step = top + _ABOVE + _PLOT, axis_step(max(1, *numbers))
    lines = -(-max(1, *numbers) // step)
    for line in range(lines + 1):
        y = foot - round(_PLOT * line / lines)
        canvas.fill((_AXIS, y, WIDTH - _INSET, y + 2), SEAM)
        number = phrases.short_number(line * step)
        canvas.text(_AXIS - 12, y + CAP // 2, number, CAP - 2, ink=MIST, ground=RECESS, align="right")
    cap = CAP if max(numbers) < 1000 else _SMALL
    pitch = _pitch(len(numbers))
    for place, number in enumerate(numbers):
        if not number:
            continue
        wide = min(_BROAD, round(pitch * _WIDEST))
        high = max(_LEAST, round(_PLOT * number / (lines * step)))
        middle = round(_AXIS + (place + 0.5) * pitch)
        canvas.put(_bar((wide, high), colour), middle - wide // 2, foot - high)
        canvas.text(middle, foot - high - 9, phrases.short_number(number), cap, ground=RECESS, align="centre")


def _draw_weeks(canvas: Canvas, foot: int, weeks: Sequence[Week]) -> None:
    """Draw the day on which each week began, and below the first one of each month its name."""
    pitch = _pitch(len(weeks))
    before = [None, *(week.begins.month for week in weeks)]
    for place, week in enumerate(weeks):
        x = round(_AXIS + (place + 0.5) * pitch)
        canvas.text(x, foot + _DAY, str(week.begins.day), CAP, ink=MIST, ground=RECESS, align="centre")
        if week.begins.month != before[place]:
            canvas.text(x, foot + _MONTH, phrases.month(week.begins), CAP, ground=RECESS, align="centre")
    canvas.text(_INSET, foot + _DAY, phrases.WEEK, CAP - 2, ink=MIST, ground=RECESS)


def _pitch(weeks: int) -> float:
    """Return the width of a week's place."""
    return (WIDTH - _INSET - _AXIS) / weeks


def axis_step(most: int) -> int:
    """Return the distance of the axis's lines: the least of 1, 2, 5, 10, 20, ... that needs no more than a few."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if most <= step * _MOST_LINES:
                return step
        size *= 10


@lru_cache(512)
def _bar(size: tuple[int, int], colour: Colour) -> Sprite:
    """Return a bar with round shoulders that stands on a panel."""
    wide, high = size
    coverage = rounded_mask((wide, high + 2 * _ROUND), min(_ROUND, high)).crop((0, 0, wide, high))
    return Sprite(Painting(size, RECESS).lay(colour, coverage).image)
