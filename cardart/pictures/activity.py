"""A server's recent activity: totals, and charts of matches and players by day or week. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Sequence
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
_FACT_LABEL_BASELINE: Final = 34
_FACT_VALUE_BASELINE: Final = 78
_FACT_CAP: Final = 30
_FACTS_BOTTOM: Final = _FACTS_TOP + 112
"""Bottom of the panel if there are only totals."""
_FIRST_CHART_TOP: Final = _FACTS_TOP + 102
"""Top of the first chart."""
_NAME_BASELINE: Final = 30
"""Distance from the top of a chart to the baseline of its name."""
_PLOT_TOP: Final = 92
"""Distance from the top of a chart to the top of its plot, with room for its name and the number on the highest bar."""
_PLOT_HEIGHT: Final = 126
_LOW_PLOT_HEIGHT: Final = 90
"""Heights of a plot, and of one with room for days or weeks to come (`_LOW_PLOT_HEIGHT`)."""
_CHART_GAP: Final = 26
"""Distance from the plot of the upper chart to the lower chart."""
_MIN_SCALE: Final = 5
"""Minimum number that a bar as high as the plot stands for, so that one or two matches do not look like many."""
_SAMPLE_SIZE: Final = 20
_SAMPLE_GAP: Final = 12
"""Size of the colour sample next to a chart's name, and the space between them."""
_NUMBER_CAPS: Final = range(22, 17, -1)
"""Cap heights for the numbers on bars. The first at which all of them fit is used."""
_MIN_NUMBER_GAP: Final = 8
"""Minimum space between the numbers on two neighbouring bars."""
_BAR_NUMBER_GAP: Final = 9
"""Space between a bar and its number."""
_MIN_COLUMNS: Final = 7
"""Minimum number of columns in a chart. If there are fewer days or weeks, room is left for those to come."""
_MAX_LABEL_WIDTH: Final = 92
"""Maximum width of a date or a number. The middles of the first and the last bar are at least half of it inside."""
_BAR_WIDTH_RATIO: Final = 0.68
"""Width of a bar, as a fraction of the width of its column."""
_MIN_BAR_HEIGHT: Final = 4
"""Minimum height of a bar."""
_OUTLINE_WIDTH: Final = 4
"""Thickness of the outline of the last bar, which is less solid than the others."""
_INSIDE_COVERAGE: Final = 96
"""Coverage of the inside of the last bar, from 0 to 255."""
_BAR_RADIUS: Final = 7
_AXIS_BASELINE: Final = 36
"""Distance from the bottom of the lower chart to the baseline of the dates."""
_AXIS_LINE_HEIGHT: Final = 30
"""Distance between the two lines of a day's date."""
_MIN_DATE_GAP: Final = 12
"""Minimum space between two dates. If the dates of all columns do not fit, every second one is omitted."""
_FOOT_HEIGHT: Final = 56
"""Distance from the bottom of the lower chart to the end of the panel, with room for dates in one line."""


def draw_activity(activity: Activity, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw totals, and two bar charts: matches by day or week, and players below. The last day or week is not over.

    A single day or week has only totals, which charts would repeat.
    """
    columns = len(activity.spans)
    plot_height = _PLOT_HEIGHT if columns >= _MIN_COLUMNS else _LOW_PLOT_HEIGHT
    second_top = _FIRST_CHART_TOP + _PLOT_TOP + plot_height + _CHART_GAP
    bottom = second_top + _PLOT_TOP + plot_height
    panel_bottom = bottom + _FOOT_HEIGHT + (_AXIS_LINE_HEIGHT if activity.is_daily else 0)
    if columns == 1:
        panel_bottom = _FACTS_BOTTOM
    canvas = Canvas(WIDTH, panel_bottom + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, panel_bottom))
    canvas.text(_INSET, _TITLE_BASELINE, phrases.spans_title(activity), _TITLE_CAP, background=RECESS)
    _write_note(canvas, _TITLE_BASELINE, phrases.spans_note(activity))
    _draw_facts(canvas, activity)
    if columns > 1:
        _draw_charts(canvas, activity, second_top, plot_height)
        _draw_dates(canvas, bottom, activity)
    return canvas.picture(alt_text.activity(activity))


def _draw_charts(canvas: Canvas, activity: Activity, second_top: int, plot_height: int) -> None:
    """Draw both charts with their names, and a note on the last bar."""
    matches, players = [span.matches for span in activity.spans], [span.players for span in activity.spans]
    cap = _fitting_cap((*matches, *players), _column_width(len(matches)) - _MIN_NUMBER_GAP)
    for top, name, numbers, colour in (
        (_FIRST_CHART_TOP, phrases.MATCHES, matches, GOLD),
        (second_top, phrases.PLAYERS, players, MIST),
    ):
        _draw_chart_name(canvas, top, phrases.by_span(name, activity), colour)
        _draw_chart(canvas, top + _PLOT_TOP, plot_height, numbers, colour, cap)
    # Zero has no bar.
    if matches[-1]:
        _explain_last_bar(canvas, phrases.current_span(activity))


def _draw_facts(canvas: Canvas, activity: Activity) -> None:
    """Draw the totals, and the busiest day or week."""
    facts = [
        (phrases.MATCHES, phrases.total(activity.matches)),
        (phrases.DEALS, phrases.total(activity.deals)),
        (phrases.PLAYERS, phrases.total(activity.players)),
    ]
    if activity.busiest is not None:
        facts.append(phrases.busiest_text(activity, short=True))
    for column, (name, value) in enumerate(facts):
        left = _INSET + (WIDTH - 2 * _INSET) * column // len(facts)
        canvas.text(left, _FACTS_TOP + _FACT_LABEL_BASELINE, name, LABEL_CAP, ink=MIST, background=RECESS)
        canvas.text(left, _FACTS_TOP + _FACT_VALUE_BASELINE, value, _FACT_CAP, background=RECESS)


def _draw_chart_name(canvas: Canvas, top: int, name: str, colour: Colour) -> None:
    """Write the name of a chart next to a square in its colour."""
    baseline = top + _NAME_BASELINE
    canvas.fill((_INSET, baseline - _SAMPLE_SIZE, _INSET + _SAMPLE_SIZE, baseline), colour)
    canvas.text(_INSET + _SAMPLE_SIZE + _SAMPLE_GAP, baseline, name, LABEL_CAP + 1, background=RECESS)


def _explain_last_bar(canvas: Canvas, explanation: str) -> None:
    """Explain the last bar, with a sample of its look, to the right of the upper chart's name."""
    baseline = _FIRST_CHART_TOP + _NAME_BASELINE
    width = _write_note(canvas, baseline, explanation)
    sample = _bar((_SAMPLE_SIZE, _SAMPLE_SIZE), GOLD, is_current=True)
    canvas.put(sample, WIDTH - _INSET - width - _SAMPLE_GAP - _SAMPLE_SIZE, baseline - _SAMPLE_SIZE)


def _write_note(canvas: Canvas, baseline: int, note: str) -> int:
    """Write a note at the right end of a line. Return its width."""
    return canvas.text(WIDTH - _INSET, baseline, note, LABEL_CAP, ink=MIST, background=RECESS, align="right")


def _draw_chart(canvas: Canvas, top: int, height: int, numbers: Sequence[int], colour: Colour, cap: int | None) -> None:
    """Draw a bar with its number for each day or week. Above days or weeks to come, only the line below bars is drawn.

    The highest bars are as high as the plot, unless their number is below the minimum of the scale. They have brighter
    numbers. `cap` is the cap height of the numbers. If it is None, they do not fit next to each other: only some bars
    have one.
    """
    bottom, bar_width = top + height, round(_column_width(len(numbers)) * _BAR_WIDTH_RATIO)
    highest, last = max(numbers), len(numbers) - 1
    numbered = _numbered_bars(numbers) if cap is None else range(len(numbers))
    for index, number in enumerate(numbers):
        middle = _column_middle(index, len(numbers))
        bar_height = max(_MIN_BAR_HEIGHT, round(height * number / max(_MIN_SCALE, highest))) if number else 0
        if bar_height:
            sprite = _bar((bar_width, bar_height), colour, is_current=index == last)
            canvas.put(sprite, middle - bar_width // 2, bottom - bar_height)
        if index in numbered:
            y = bottom - bar_height - _BAR_NUMBER_GAP
            ink = TEXT if number == highest else MIST
            _write_at_column(canvas, middle, y, phrases.shortest_number(number), cap or _NUMBER_CAPS[0], ink)
    canvas.fill((_INSET, bottom, WIDTH - _INSET, bottom + 2), SEAM)


def _numbered_bars(numbers: Sequence[int]) -> set[int]:
    """Return which bars have numbers if not all fit: the highest and the last, but no neighbours.

    The first of the highest bars is preferred, then the last bar.
    """
    peaks = [index for index, number in enumerate(numbers) if number == max(numbers)]
    numbered: set[int] = set()
    for index in (peaks[0], len(numbers) - 1, *peaks[1:]):
        if numbered.isdisjoint((index - 1, index + 1)):
            numbered.add(index)
    return numbered


def _draw_dates(canvas: Canvas, bottom: int, activity: Activity) -> None:
    """Write below the bars the weekdays and days in two lines, or the first days of weeks in one."""
    days = [span.begins for span in activity.spans]
    dates = [
        (phrases.weekday(day), str(day.day)) if activity.is_daily else (phrases.short_date(day, year=False),)
        for day in days
    ]
    widest = max(text_width(lines[0], LABEL_CAP) for lines in dates)
    stride = 1 if widest + _MIN_DATE_GAP <= _column_width(len(days)) else 2
    for index, lines in enumerate(dates):
        # The last date is always written.
        if (len(dates) - 1 - index) % stride:
            continue
        for line, text in enumerate(lines):
            baseline = bottom + _AXIS_BASELINE + line * _AXIS_LINE_HEIGHT
            _write_at_column(canvas, _column_middle(index, len(days)), baseline, text, LABEL_CAP, MIST)


def _write_at_column(canvas: Canvas, middle: int, baseline: int, text: str, cap: int, ink: Colour) -> None:
    """Write a text above or below a bar, around its middle."""
    canvas.text(middle, baseline, text, cap, ink=ink, background=RECESS, align="centre")


def _fitting_cap(numbers: Sequence[int], max_width: int) -> int | None:
    """Return the largest cap height at which every number fits into `max_width` pixels, or None if there is none."""
    texts = set(map(phrases.shortest_number, numbers))
    return next((cap for cap in _NUMBER_CAPS if max(text_width(text, cap) for text in texts) <= max_width), None)


def _column_width(columns: int) -> int:
    """Return the width of a column in a chart of this number of days or weeks. It is whole, so that gaps are equal.

    It is so small that texts around the middles of the first and the last column stay between the ends of the plot.
    """
    columns, plot_width = max(_MIN_COLUMNS, columns), WIDTH - 2 * _INSET
    return min(plot_width // columns, (plot_width - _MAX_LABEL_WIDTH) // (columns - 1))


def _column_middle(index: int, columns: int) -> int:
    """Return the middle of a column. The columns together are in the middle of the plot."""
    width = _column_width(columns)
    return (WIDTH - width * max(_MIN_COLUMNS, columns)) // 2 + index * width + width // 2


@lru_cache(512)
def _bar(size: tuple[int, int], colour: Colour, *, is_current: bool = False) -> Sprite:
    """Return a bar with rounded top corners, for a panel. The last bar (`is_current`) is lighter inside."""
    width, height = size
    radius = min(_BAR_RADIUS, width // 4, height)
    shape = rounded_mask((width, height + 2 * _BAR_RADIUS), radius).crop((0, 0, width, height))
    painting = Painting(size, RECESS).paint_layer(colour, shape)
    if is_current and min(size) > 2 * _OUTLINE_WIDTH:
        inside_size = (width - 2 * _OUTLINE_WIDTH, height - 2 * _OUTLINE_WIDTH)
        inside_mask = rounded_mask(inside_size, max(1, radius - _OUTLINE_WIDTH))
        painting.paint_layer(RECESS, inside_mask, (_OUTLINE_WIDTH, _OUTLINE_WIDTH))
        painting.paint_layer(colour, Image.new("L", inside_size, _INSIDE_COVERAGE), (_OUTLINE_WIDTH, _OUTLINE_WIDTH))
    return Sprite(painting.image)
