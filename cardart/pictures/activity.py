"""A server's activity in recent weeks: charts of matches and players by week. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import Week
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text import alt_text, phrases
from cardart.text.queries import weeks_since_first_match

_INSET: Final = MARGIN + 26
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 56
"""Baseline of the title."""
_FIRST_CHART_TOP: Final = MARGIN + 74
"""Top of the first chart."""
_NAME_BASELINE: Final = 34
"""Distance from the top of a chart to the baseline of its name."""
_PLOT_TOP: Final = 86
"""Distance from the top of a chart to the top of its plot, with room for its name and the number on the highest bar."""
_PLOT_HEIGHT: Final = 148
_CHART_STEP: Final = _PLOT_TOP + _PLOT_HEIGHT + 26
"""Distance between the tops of the two charts."""
_SAMPLE_SIZE: Final = 20
"""Size of the colour sample next to a chart's name."""
_NUMBER_CAPS: Final = range(22, 15, -1)
"""Cap heights for the numbers on bars. The first at which all of them fit is used."""
_MIN_NUMBER_GAP: Final = 8
"""Minimum space between the numbers on two neighbouring bars."""
_BAR_NUMBER_GAP: Final = 9
"""Space between a bar and its number."""
_BAR_WIDTH_RATIO: Final = 0.68
"""Width of a bar, as a fraction of the width of a week's column."""
_MAX_BAR_WIDTH: Final = 80
_MIN_BAR_HEIGHT: Final = 4
"""Minimum height of a bar."""
_OUTLINE_WIDTH: Final = 4
"""Thickness of the outline of the current week's bar, which is less solid than the others."""
_INSIDE_COVERAGE: Final = 96
"""Coverage of the inside of the current week's bar, from 0 to 255."""
_BAR_RADIUS: Final = 7
_DAY_BASELINE: Final = 36
_MONTH_BASELINE: Final = 66
_FOOT_HEIGHT: Final = 86
"""Distance from the bottom of the lower chart to the end of the panel, with room for days and months."""


def draw_activity(weeks: Sequence[Week], appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw two bar charts: matches by week, and players by week below. The last week is not over yet."""
    weeks = weeks_since_first_match(weeks)
    bottom = _FIRST_CHART_TOP + _CHART_STEP + _PLOT_TOP + _PLOT_HEIGHT
    canvas = Canvas(WIDTH, bottom + _FOOT_HEIGHT + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, bottom + _FOOT_HEIGHT))
    canvas.text(_INSET, _TITLE_BASELINE, phrases.weeks_title(len(weeks)), _TITLE_CAP, background=RECESS)
    canvas.text(
        WIDTH - _INSET, _TITLE_BASELINE, phrases.FROM_MONDAY, LABEL_CAP, ink=MIST, background=RECESS, align="right"
    )
    matches, players = [week.matches for week in weeks], [week.players for week in weeks]
    total_note, maximum_note = phrases.total_text(sum(matches)), phrases.maximum_text(max(players))
    cap = _fitting_cap(matches + players, _week_width(len(weeks)) - _MIN_NUMBER_GAP)
    _draw_chart(canvas, _FIRST_CHART_TOP, phrases.MATCHES_A_WEEK, total_note, matches, GOLD, cap)
    _draw_chart(
        canvas, _FIRST_CHART_TOP + _CHART_STEP, phrases.PLAYERS_A_WEEK, maximum_note, players, SEAT_COLOURS[0], cap
    )
    _draw_weeks(canvas, bottom, weeks)
    return canvas.picture(alt_text.activity(weeks))


def _draw_chart(
    canvas: Canvas, top: int, name: str, summary: str, numbers: Sequence[int], colour: Colour, cap: int
) -> None:
    """Draw a chart: its name next to a square in its colour, a summary, and a bar with a number for each week.

    The highest bar is as high as the plot. `cap` is the cap height of the numbers.
    """
    canvas.fill((_INSET, top + _NAME_BASELINE - _SAMPLE_SIZE, _INSET + _SAMPLE_SIZE, top + _NAME_BASELINE), colour)
    canvas.text(_INSET + _SAMPLE_SIZE + 12, top + _NAME_BASELINE, name, LABEL_CAP + 1, background=RECESS)
    canvas.text(WIDTH - _INSET, top + _NAME_BASELINE, summary, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    bottom, week_width, highest = top + _PLOT_TOP + _PLOT_HEIGHT, _week_width(len(numbers)), max(1, *numbers)
    bar_width = min(_MAX_BAR_WIDTH, round(week_width * _BAR_WIDTH_RATIO))
    for index, number in enumerate(numbers):
        middle = round(_INSET + (index + 0.5) * week_width)
        left = middle - bar_width // 2
        bar_height = max(_MIN_BAR_HEIGHT, round(_PLOT_HEIGHT * number / highest)) if number else 0
        if bar_height:
            canvas.put(
                _bar((bar_width, bar_height), colour, is_current=index == len(numbers) - 1), left, bottom - bar_height
            )
        ink, text = TEXT if number else MIST, phrases.shortest_number(number)
        canvas.text(
            middle, bottom - bar_height - _BAR_NUMBER_GAP, text, cap, ink=ink, background=RECESS, align="centre"
        )
    canvas.fill((_INSET, bottom, WIDTH - _INSET, bottom + 2), SEAM)


def _draw_weeks(canvas: Canvas, bottom: int, weeks: Sequence[Week]) -> None:
    """Draw the first day of each week, each month's name below its first week, and `so far` below the last week."""
    week_width = _week_width(len(weeks))
    previous_months = [None, *(week.begins.month for week in weeks)]
    for index, week in enumerate(weeks):
        x = round(_INSET + (index + 0.5) * week_width)
        canvas.text(
            x, bottom + _DAY_BASELINE, str(week.begins.day), LABEL_CAP, ink=MIST, background=RECESS, align="centre"
        )
        notes = [phrases.month(week.begins)] * (week.begins.month != previous_months[index])
        notes += [phrases.SO_FAR] * (index == len(weeks) - 1)
        text = ", ".join(notes)
        middle = min(x, WIDTH - _INSET - text_mask(text, LABEL_CAP).width // 2)
        canvas.text(middle, bottom + _MONTH_BASELINE, text, LABEL_CAP, ink=MIST, background=RECESS, align="centre")


def _fitting_cap(numbers: Sequence[int], max_width: float) -> int:
    """Return the largest cap height at which every number fits into a width of `max_width` pixels."""
    widest = max(map(phrases.shortest_number, numbers), key=len)
    return next((cap for cap in _NUMBER_CAPS if text_mask(widest, cap).width <= max_width), _NUMBER_CAPS[-1])


def _week_width(weeks: int) -> float:
    """Return the width of the column of one week in a chart that shows this number of weeks."""
    return (WIDTH - 2 * _INSET) / weeks


@lru_cache(512)
def _bar(size: tuple[int, int], colour: Colour, *, is_current: bool = False) -> Sprite:
    """Return a bar with rounded top corners, for a panel. The current week's bar (`is_current`) is lighter inside."""
    width, height = size
    shape = rounded_mask((width, height + 2 * _BAR_RADIUS), min(_BAR_RADIUS, height)).crop((0, 0, width, height))
    painting = Painting(size, RECESS).paint_layer(colour, shape)
    if is_current and min(size) > 2 * _OUTLINE_WIDTH:
        inside_mask = rounded_mask(
            (width - 2 * _OUTLINE_WIDTH, height - 2 * _OUTLINE_WIDTH), _BAR_RADIUS - _OUTLINE_WIDTH
        )
        painting.paint_layer(RECESS, inside_mask, (_OUTLINE_WIDTH, _OUTLINE_WIDTH))
        painting.paint_layer(
            colour, Image.new("L", inside_mask.size, _INSIDE_COVERAGE), (_OUTLINE_WIDTH, _OUTLINE_WIDTH)
        )
    return Sprite(painting.image)
