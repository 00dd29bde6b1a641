"""A server's recent activity: totals, and charts of matches and players by day or week. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import Activity
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_width
from cardart.drawing.painting import Painting, Sprite
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.text import alt_text, phrases

_INSET: Final = MARGIN + 26
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 56
"""Baseline of the title."""
_FACTS_TOP: Final = MARGIN + 72
"""Top of the totals below the title."""
_FACT_COLUMNS: Final = (0, 3, 5, 8)
"""Left edges of the totals, in twelfths of the width of a chart. The last one, a date, is the widest."""
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
_NUMBER_CAPS: Final = range(22, 17, -1)
"""Cap heights for the numbers on bars. The first at which all of them fit is used."""
_MIN_NUMBER_GAP: Final = 8
"""Minimum space between the numbers on two neighbouring bars."""
_BAR_NUMBER_GAP: Final = 9
"""Space between a bar and its number."""
_MIN_COLUMNS: Final = 7
"""Minimum number of columns in a chart. If there are fewer days or weeks, those to come have faint dates."""
_BAR_WIDTH_RATIO: Final = 0.68
"""Width of a bar, as a fraction of the width of its column."""
_MIN_BAR_HEIGHT: Final = 4
"""Minimum height of a bar."""
_OUTLINE_WIDTH: Final = 4
"""Thickness of the outline of the last bar, which is less solid than the others."""
_INSIDE_COVERAGE: Final = 96
"""Coverage of the inside of the last bar, from 0 to 255."""
_BAR_RADIUS: Final = 7
_FIRST_AXIS_BASELINE: Final = 36
_SECOND_AXIS_BASELINE: Final = 66
_MIN_DATE_GAP: Final = 12
"""Minimum space between two dates. If the dates of all columns do not fit, every second one is omitted."""
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
    max_width = _column_width(len(spans)) - _MIN_NUMBER_GAP
    caps = [_fitting_cap(numbers, max_width) for numbers in (matches, players)]
    cap = min(filter(None, caps), default=_NUMBER_CAPS[0])
    matches_name, players_name = (phrases.by_span(name, activity) for name in (phrases.MATCHES, phrases.PLAYERS))
    busiest = None if activity.busiest is None else spans.index(activity.busiest)
    _draw_chart(
        canvas, _FIRST_CHART_TOP, matches_name, matches, GOLD, cap, has_all_numbers=caps[0] is not None, busiest=busiest
    )
    _draw_chart(
        canvas, _FIRST_CHART_TOP + _CHART_STEP, players_name, players, MIST, cap, has_all_numbers=caps[1] is not None
    )
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
    for (name, value), column in zip(facts, _FACT_COLUMNS, strict=False):
        left = _INSET + (WIDTH - 2 * _INSET) * column // 12
        canvas.text(left, _FACTS_TOP + _FACT_LABEL_BASELINE, name, LABEL_CAP, ink=MIST, background=RECESS)
        canvas.text(left, _FACTS_TOP + _FACT_VALUE_BASELINE, value, _FACT_CAP, background=RECESS)


def _draw_chart(
    canvas: Canvas,
    top: int,
    name: str,
    numbers: Sequence[int],
    colour: Colour,
    cap: int,
    *,
    has_all_numbers: bool,
    busiest: int | None = None,
) -> None:
    """Draw a chart: its name next to a square in its colour, and a bar with a number for each day or week.

    The highest bar is as high as the plot, and the number of the bar `busiest` is gold. `cap` is the cap height of the
    numbers. If there is no room for all of them, only the highest and the last bar have one.
    """
    canvas.fill((_INSET, top + _NAME_BASELINE - _SAMPLE_SIZE, _INSET + _SAMPLE_SIZE, top + _NAME_BASELINE), colour)
    canvas.text(_INSET + _SAMPLE_SIZE + 12, top + _NAME_BASELINE, name, LABEL_CAP + 1, background=RECESS)
    bottom, column_width, highest = top + _PLOT_TOP + _PLOT_HEIGHT, _column_width(len(numbers)), max(1, *numbers)
    bar_width, last = round(column_width * _BAR_WIDTH_RATIO), len(numbers) - 1
    peak = numbers.index(max(numbers))
    # Next to the highest bar, the number of the last one would touch that of the highest.
    labelled = range(len(numbers)) if has_all_numbers else {peak, last} if last - peak != 1 else {peak}
    for index, number in enumerate(numbers):
        middle = _column_middle(index, len(numbers))
        bar_height = max(_MIN_BAR_HEIGHT, round(_PLOT_HEIGHT * number / highest)) if number else 0
        if bar_height:
            sprite = _bar((bar_width, bar_height), colour, is_current=index == last)
            canvas.put(sprite, middle - bar_width // 2, bottom - bar_height)
        if index in labelled:
            ink, y = GOLD if index == busiest else TEXT if number else MIST, bottom - bar_height - _BAR_NUMBER_GAP
            _write_within_chart(canvas, middle, y, phrases.shortest_number(number), cap, ink)
    canvas.fill((_INSET, bottom, WIDTH - _INSET, bottom + 2), SEAM)


def _draw_dates(canvas: Canvas, bottom: int, activity: Activity) -> None:
    """Draw two lines below the bars: weekdays and days, or the first days of weeks. The last week is marked `so far`.

    Days and weeks to come have faint dates.
    """
    last, columns = len(activity.spans) - 1, max(_MIN_COLUMNS, len(activity.spans))
    step = timedelta(days=1 if activity.is_daily else 7)
    days = [activity.spans[0].begins + step * index for index in range(columns)]
    dates = [
        (phrases.weekday(day), str(day.day))
        if activity.is_daily
        else (phrases.short_date(day, year=False), phrases.SO_FAR if index == last else "")
        for index, day in enumerate(days)
    ]
    widest = max(text_width(first, LABEL_CAP) for first, _ in dates)
    stride = 1 if widest + _MIN_DATE_GAP <= _column_width(columns) else 2
    for index, lines in enumerate(dates):
        if (last - index) % stride:
            continue
        middle, ink = _column_middle(index, columns), MIST if index <= last else SEAM
        for text, baseline in zip(lines, (_FIRST_AXIS_BASELINE, _SECOND_AXIS_BASELINE), strict=True):
            _write_within_chart(canvas, middle, bottom + baseline, text, LABEL_CAP, ink)


def _write_within_chart(canvas: Canvas, middle: int, baseline: int, text: str, cap: int, ink: Colour) -> None:
    """Write a text as close to `middle` as the sides of the chart allow."""
    half = text_width(text, cap) // 2
    x = max(_INSET + half, min(middle, WIDTH - _INSET - half))
    canvas.text(x, baseline, text, cap, ink=ink, background=RECESS, align="centre")


def _fitting_cap(numbers: Sequence[int], max_width: float) -> int | None:
    """Return the largest cap height at which every number fits into `max_width` pixels, or None if there is none."""
    texts = set(map(phrases.shortest_number, numbers))
    return next((cap for cap in _NUMBER_CAPS if max(text_width(text, cap) for text in texts) <= max_width), None)


def _column_width(columns: int) -> float:
    """Return the width of a column in a chart of this number of days or weeks."""
    return (WIDTH - 2 * _INSET) / max(_MIN_COLUMNS, columns)


def _column_middle(index: int, columns: int) -> int:
    return round(_INSET + (index + 0.5) * _column_width(columns))


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
