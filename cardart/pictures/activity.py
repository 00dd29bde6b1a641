"""A server's activity: charts of the matches and the players of each of its last weeks. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from bot.values.statistics import Week
from cardart.drawing.canvas import CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text import alt_text, phrases
from cardart.text.queries import weeks_since_the_first_match

_INSET: Final = MARGIN + 26
_TITLE: Final = 26
_TITLE_LINE: Final = MARGIN + 56
"""Baseline of the title."""
_FIRST: Final = MARGIN + 74
"""Top of the first chart."""
_NAME: Final = 34
"""Distance from the top of a chart to the baseline of its name."""
_ABOVE: Final = 86
"""Distance from the top of a chart to the top of its plot, with room for its name and the number on the highest bar."""
_PLOT: Final = 148
_CHART: Final = _ABOVE + _PLOT + 26
"""Distance between the tops of the two charts."""
_SQUARE: Final = 20
"""Size of the colour sample next to a chart's name."""
_NUMBERS: Final = range(22, 15, -1)
"""Cap heights for the numbers. The first that fits is used."""
_APART: Final = 8
"""Minimum space between two numbers."""
_BESIDE: Final = 9
"""Space between a bar and its number."""
_WIDEST: Final = 0.68
"""Width of a bar, as a fraction of the width of a week."""
_BROAD: Final = 80
_LEAST: Final = 4
"""Minimum height of a bar."""
_OUTLINE: Final = 4
"""Thickness of the outline of the current week's bar, which is less solid than the others."""
_FAINT: Final = 96
"""Coverage of the inside of that bar, of 255."""
_ROUND: Final = 7
_DAY: Final = 36
_MONTH: Final = 66
_FOOT: Final = 86
"""Distance from the bottom of the lower chart to the baselines of days and months, and to the end of the panel."""


def draw_activity(weeks: Sequence[Week], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw a bar chart of the matches of each week, and below it one of the players. The last week is not over yet."""
    weeks = weeks_since_the_first_match(weeks)
    foot = _FIRST + _CHART + _ABOVE + _PLOT
    canvas = Canvas(WIDTH, foot + _FOOT + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, foot + _FOOT))
    canvas.text(_INSET, _TITLE_LINE, phrases.last_weeks(len(weeks)), _TITLE, ground=RECESS)
    canvas.text(WIDTH - _INSET, _TITLE_LINE, phrases.FROM_MONDAY, CAP, ink=MIST, ground=RECESS, align="right")
    matches, players = [week.matches for week in weeks], [week.players for week in weeks]
    total, most = phrases.in_all(sum(matches)), phrases.at_most(max(players))
    cap = _fitting(matches + players, _pitch(len(weeks)) - _APART)
    _draw_chart(canvas, _FIRST, phrases.MATCHES_A_WEEK, total, matches, GOLD, cap)
    _draw_chart(canvas, _FIRST + _CHART, phrases.PLAYERS_A_WEEK, most, players, SEAT_COLOURS[0], cap)
    _draw_weeks(canvas, foot, weeks)
    return canvas.picture(alt_text.activity(weeks))


def _draw_chart(
    canvas: Canvas, top: int, name: str, summed: str, numbers: Sequence[int], colour: Colour, cap: int
) -> None:
    """Draw the name and colour of a chart, a summary, and a bar with its number for each week.

    The highest bar is as high as the plot. `cap` is the cap height of the numbers.
    """
    canvas.fill((_INSET, top + _NAME - _SQUARE, _INSET + _SQUARE, top + _NAME), colour)
    canvas.text(_INSET + _SQUARE + 12, top + _NAME, name, CAP + 1, ground=RECESS)
    canvas.text(WIDTH - _INSET, top + _NAME, summed, CAP, ink=MIST, ground=RECESS, align="right")
    foot, pitch, most = top + _ABOVE + _PLOT, _pitch(len(numbers)), max(1, *numbers)
    wide = min(_BROAD, round(pitch * _WIDEST))
    for place, number in enumerate(numbers):
        middle = round(_INSET + (place + 0.5) * pitch)
        left = middle - wide // 2
        high = max(_LEAST, round(_PLOT * number / most)) if number else 0
        if high:
            canvas.put(_bar((wide, high), colour, under_way=place == len(numbers) - 1), left, foot - high)
        ink, text = TEXT if number else MIST, phrases.shortest_number(number)
        canvas.text(middle, foot - high - _BESIDE, text, cap, ink=ink, ground=RECESS, align="centre")
    canvas.fill((_INSET, foot, WIDTH - _INSET, foot + 2), SEAM)


def _draw_weeks(canvas: Canvas, foot: int, weeks: Sequence[Week]) -> None:
    """Draw the first day of each week, each month's name below its first week, and `so far` below the last week."""
    pitch = _pitch(len(weeks))
    before = [None, *(week.begins.month for week in weeks)]
    for place, week in enumerate(weeks):
        x = round(_INSET + (place + 0.5) * pitch)
        canvas.text(x, foot + _DAY, str(week.begins.day), CAP, ink=MIST, ground=RECESS, align="centre")
        below = [phrases.month(week.begins)] * (week.begins.month != before[place])
        below += [phrases.SO_FAR] * (place == len(weeks) - 1)
        text = ", ".join(below)
        middle = min(x, WIDTH - _INSET - text_mask(text, CAP).width // 2)
        canvas.text(middle, foot + _MONTH, text, CAP, ink=MIST, ground=RECESS, align="centre")


def _fitting(numbers: Sequence[int], room: float) -> int:
    """Return the largest cap height at which every number fits into the room."""
    widest = max(map(phrases.shortest_number, numbers), key=len)
    return next((cap for cap in _NUMBERS if text_mask(widest, cap).width <= room), _NUMBERS[-1])


def _pitch(weeks: int) -> float:
    """Return the width of a week in a chart with this number of weeks."""
    return (WIDTH - 2 * _INSET) / weeks


@lru_cache(512)
def _bar(size: tuple[int, int], colour: Colour, *, under_way: bool = False) -> Sprite:
    """Return a bar with rounded top corners, for a panel. A bar that is `under_way` has a lighter inside."""
    wide, high = size
    round_shoulders = rounded_mask((wide, high + 2 * _ROUND), min(_ROUND, high)).crop((0, 0, wide, high))
    painting = Painting(size, RECESS).lay(colour, round_shoulders)
    if under_way and min(size) > 2 * _OUTLINE:
        inside = rounded_mask((wide - 2 * _OUTLINE, high - 2 * _OUTLINE), _ROUND - _OUTLINE)
        painting.lay(RECESS, inside, (_OUTLINE, _OUTLINE))
        painting.lay(colour, Image.new("L", inside.size, _FAINT), (_OUTLINE, _OUTLINE))
    return Sprite(painting.image)
