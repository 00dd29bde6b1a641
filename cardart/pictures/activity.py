"""A server's recent activity: totals, and charts of matches and players by day or week. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import Activity
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_mask
from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text import alt_text, phrases

_INSET: Final = MARGIN + 26
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 56
"""Baseline of the title."""
_FACTS_TOP: Final = MARGIN + 72
"""Top of the totals below the title."""
_FACT_LEFTS: Final = (0, 165, 300, 452)
"""Distances from the left edge of the first fact to each fact. The last one, a date, is the widest."""
_FACT_LABEL_BASELINE: Final = 34
_FACT_VALUE_BASELINE: Final = 78
_FACT_CAP: Final = 30
_FIRST_CHART_TOP: Final = _FACTS_TOP + 102
"""Top of the first chart."""
_NAME_BASELINE: Final = 34
"""Distance from the top of a chart to the baseline of its name."""
_PLOT_TOP: Final = 84
"""Distance from the top of a chart to the top of its plot, with room for its name and the number on the highest bar."""
_PLOT_HEIGHT: Final = 132
_CHART_STEP: Final = _PLOT_TOP + _PLOT_HEIGHT + 22
"""Distance between the tops of the two charts."""
_SAMPLE_SIZE: Final = 20
"""Size of the colour sample next to a chart's name."""
_NUMBER_CAPS: Final = range(22, 14, -1)
"""Cap heights for the numbers on bars. The first at which all of them fit is used."""
_MIN_NUMBER_GAP: Final = 8
"""Minimum space between the numbers on two neighbouring bars."""
_BAR_NUMBER_GAP: Final = 9
"""Space between a bar and its number."""
_BAR_WIDTH_RATIO: Final = 0.68
"""Width of a bar, as a fraction of the width of its column."""
_MAX_BAR_WIDTH: Final = 120
_MIN_BAR_HEIGHT: Final = 4
"""Minimum height of a bar."""
_OUTLINE_WIDTH: Final = 4
"""Thickness of the outline of the last bar, which is less solid than the others."""
_INSIDE_COVERAGE: Final = 96
"""Coverage of the inside of the last bar, from 0 to 255."""
_BAR_RADIUS: Final = 7
_FIRST_AXIS_BASELINE: Final = 36
_SECOND_AXIS_BASELINE: Final = 66
_MIN_WEEKDAY_WIDTH: Final = 60
"""Minimum width of a column whose weekday has three letters. In a narrower one, it has two."""
_FOOT_HEIGHT: Final = 86
"""Distance from the bottom of the lower chart to the end of the panel, with room for dates."""


def draw_activity(activity: Activity, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw totals, and two bar charts: matches by day or week, and players below. The last day or week is not over."""
    spans, bottom = activity.spans, _FIRST_CHART_TOP + _CHART_STEP + _PLOT_TOP + _PLOT_HEIGHT
    canvas = Canvas(WIDTH, bottom + _FOOT_HEIGHT + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, bottom + _FOOT_HEIGHT))
    canvas.text(_INSET, _TITLE_BASELINE, phrases.spans_title(activity), _TITLE_CAP, background=RECESS)
    note = phrases.spans_note(activity)
    canvas.text(WIDTH - _INSET, _TITLE_BASELINE, note, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    _draw_facts(canvas, activity)
    matches, players = [span.matches for span in spans], [span.players for span in spans]
    cap = _fitting_cap(matches + players, _column_width(len(spans)) - _MIN_NUMBER_GAP)
    matches_name, players_name = (phrases.by_span(name, activity) for name in (phrases.MATCHES, phrases.PLAYERS))
    _draw_chart(canvas, _FIRST_CHART_TOP, matches_name, matches, GOLD, cap)
    _draw_chart(canvas, _FIRST_CHART_TOP + _CHART_STEP, players_name, players, SEAT_COLOURS[0], cap)
    _draw_dates(canvas, bottom, activity)
    return canvas.picture(alt_text.activity(activity))


def _draw_facts(canvas: Canvas, activity: Activity) -> None:
    """Draw the totals, and the busiest day or week."""
    facts = [
        (phrases.MATCHES, phrases.short_number(activity.matches)),
        (phrases.DEALS, phrases.short_number(activity.deals)),
        (phrases.PLAYERS, phrases.short_number(activity.players)),
    ]
    if activity.busiest is not None:
        facts.append(phrases.busiest_text(activity))
    for (name, value), left in zip(facts, _FACT_LEFTS, strict=False):
        canvas.text(_INSET + left, _FACTS_TOP + _FACT_LABEL_BASELINE, name, LABEL_CAP, ink=MIST, background=RECESS)
        canvas.text(_INSET + left, _FACTS_TOP + _FACT_VALUE_BASELINE, value, _FACT_CAP, background=RECESS)


def _draw_chart(canvas: Canvas, top: int, name: str, numbers: Sequence[int], colour: Colour, cap: int) -> None:
    """Draw a chart: its name next to a square in its colour, and a bar with a number for each day or week.

    The highest bar is as high as the plot, and its number is gold. `cap` is the cap height of the numbers.
    """
    canvas.fill((_INSET, top + _NAME_BASELINE - _SAMPLE_SIZE, _INSET + _SAMPLE_SIZE, top + _NAME_BASELINE), colour)
    canvas.text(_INSET + _SAMPLE_SIZE + 12, top + _NAME_BASELINE, name, LABEL_CAP + 1, background=RECESS)
    bottom, column_width, highest = top + _PLOT_TOP + _PLOT_HEIGHT, _column_width(len(numbers)), max(1, *numbers)
    bar_width = min(_MAX_BAR_WIDTH, round(column_width * _BAR_WIDTH_RATIO))
    for index, number in enumerate(numbers):
        middle = round(_INSET + (index + 0.5) * column_width)
        left = middle - bar_width // 2
        bar_height = max(_MIN_BAR_HEIGHT, round(_PLOT_HEIGHT * number / highest)) if number else 0
        if bar_height:
            canvas.put(
                _bar((bar_width, bar_height), colour, is_current=index == len(numbers) - 1), left, bottom - bar_height
            )
        ink, text = GOLD if number == highest else TEXT if number else MIST, phrases.shortest_number(number)
        canvas.text(
            middle, bottom - bar_height - _BAR_NUMBER_GAP, text, cap, ink=ink, background=RECESS, align="centre"
        )
    canvas.fill((_INSET, bottom, WIDTH - _INSET, bottom + 2), SEAM)


def _draw_dates(canvas: Canvas, bottom: int, activity: Activity) -> None:
    """Draw two lines below the bars: weekdays and days, or the first days of weeks and months.

    A month's name appears only once, and the last week is marked `so far`. The title has the months of days.
    """
    column_width = _column_width(len(activity.spans))
    previous_months = [None, *(span.begins.month for span in activity.spans)]
    for index, span in enumerate(activity.spans):
        day, month = str(span.begins.day), phrases.month(span.begins)
        is_new_month = span.begins.month != previous_months[index]
        if activity.is_daily:
            weekday = phrases.weekday(span.begins)
            lines = weekday if column_width >= _MIN_WEEKDAY_WIDTH else weekday[:2], day
        else:
            notes = [month] * is_new_month + [phrases.SO_FAR] * (index == len(activity.spans) - 1)
            lines = day, ", ".join(notes)
        middle = round(_INSET + (index + 0.5) * column_width)
        for text, baseline in zip(lines, (_FIRST_AXIS_BASELINE, _SECOND_AXIS_BASELINE), strict=True):
            half = text_mask(text, LABEL_CAP).width // 2
            x = max(_INSET + half, min(middle, WIDTH - _INSET - half))
            canvas.text(x, bottom + baseline, text, LABEL_CAP, ink=MIST, background=RECESS, align="centre")


def _fitting_cap(numbers: Sequence[int], max_width: float) -> int:
    """Return the largest cap height at which every number fits into a width of `max_width` pixels."""
    widest = max(map(phrases.shortest_number, numbers), key=len)
    return next((cap for cap in _NUMBER_CAPS if text_mask(widest, cap).width <= max_width), _NUMBER_CAPS[-1])


def _column_width(columns: int) -> float:
    """Return the width of a column in a chart with this number of columns."""
    return (WIDTH - 2 * _INSET) / columns


@lru_cache(512)
def _bar(size: tuple[int, int], colour: Colour, *, is_current: bool = False) -> Sprite:
    """Return a bar with rounded top corners, for a panel. The last bar (`is_current`) is lighter inside."""
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
