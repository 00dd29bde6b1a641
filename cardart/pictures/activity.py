"""A server's recent activity: totals, and charts of matches and players by day or week. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageChops

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.statistics import Activity
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import text_width
from cardart.drawing.painting import Painting, Sprite, cut_out, inked, translated
from cardart.drawing.palette import GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.parts.meters import meter
from cardart.text import alt_text, phrases

_INSET: Final = MARGIN + 26
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 56
"""Baseline of the title."""
_FACTS_TOP: Final = MARGIN + 72
"""Top of the totals below the title."""
_FACT_COLUMNS: Final = 4
"""Number of equal columns for the totals."""
_FACT_LABEL_BASELINE: Final = 34
_FACT_VALUE_BASELINE: Final = 78
_FACT_CAP: Final = 30
_FIRST_CHART_TOP: Final = _FACTS_TOP + 102
"""Top of the first chart."""
_NAME_BASELINE: Final = 30
"""Distance from the top of a chart to the baseline of its name."""
_PLOT_TOP: Final = 76
"""Distance from the top of a chart to the top of its plot, with room for its name and the number on the highest bar."""
_PLOT_HEIGHT: Final = 132
_LOW_PLOT_HEIGHT: Final = 92
"""Heights of a plot, and of one with slots for days or weeks to come (`_LOW_PLOT_HEIGHT`)."""
_CHART_GAP: Final = 10
"""Distance from the plot of the upper chart to the lower chart."""
_MIN_SCALE: Final = 5
"""Minimum number that a bar as high as the plot stands for, so that one or two matches do not look like many."""
_SAMPLE_SIZE: Final = 20
"""Size of the colour sample next to a chart's name."""
_NUMBER_CAPS: Final = range(22, 17, -1)
"""Cap heights for the numbers on bars. The first at which all of them fit is used."""
_MIN_NUMBER_GAP: Final = 8
"""Minimum space between the numbers on two neighbouring bars."""
_BAR_NUMBER_GAP: Final = 9
"""Space between a bar and its number."""
_MIN_COLUMNS: Final = 7
"""Minimum number of columns in a chart. If there are fewer days or weeks, those to come have faint slots."""
_BAR_WIDTH_RATIO: Final = 0.68
"""Width of a bar, as a fraction of the width of its column."""
_MIN_BAR_HEIGHT: Final = 4
"""Minimum height of a bar."""
_OUTLINE_WIDTH: Final = 4
"""Thickness of the outline of the last bar, which is less solid than the others."""
_INSIDE_COVERAGE: Final = 96
"""Coverage of the inside of the last bar, from 0 to 255."""
_SLOT_OUTLINE_WIDTH: Final = 2
_SLOT_TABLE: Final = bytes(coverage // 2 for coverage in range(256))
"""Thickness of the outlines of the slots for days or weeks to come, and for each coverage, the fainter one drawn."""
_BAR_RADIUS: Final = 7
_FIRST_AXIS_BASELINE: Final = 36
_SECOND_AXIS_BASELINE: Final = 66
_MIN_DATE_GAP: Final = 12
"""Minimum space between two dates. If the dates of all columns do not fit, every second one is omitted."""
_TEXT_MARGIN: Final = MARGIN + 10
"""Minimum distance of the texts of a chart from both sides of the picture."""
_FOOT_HEIGHT: Final = 86
"""Distance from the bottom of the lower chart to the end of the panel, with room for dates."""


def draw_activity(activity: Activity, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw totals, and two bar charts: matches by day or week, and players below. The last day or week is not over."""
    spans = activity.spans
    plot_height = _PLOT_HEIGHT if len(spans) >= _MIN_COLUMNS else _LOW_PLOT_HEIGHT
    second_top = _FIRST_CHART_TOP + _PLOT_TOP + plot_height + _CHART_GAP
    bottom = second_top + _PLOT_TOP + plot_height
    canvas = Canvas(WIDTH, bottom + _FOOT_HEIGHT + MARGIN, appearance)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, bottom + _FOOT_HEIGHT))
    canvas.text(_INSET, _TITLE_BASELINE, phrases.spans_title(activity), _TITLE_CAP, background=RECESS)
    note = phrases.spans_note(activity)
    canvas.text(WIDTH - _INSET, _TITLE_BASELINE, note, LABEL_CAP, ink=MIST, background=RECESS, align="right")
    _draw_facts(canvas, activity)
    matches, players = [span.matches for span in spans], [span.players for span in spans]
    max_width = _column_width(len(spans)) - _MIN_NUMBER_GAP
    cap = _fitting_cap((*matches, *players), max_width)
    labelled = range(len(spans)) if cap is not None else _notable_columns(matches, players)
    for top, name, numbers, colour in (
        (_FIRST_CHART_TOP, phrases.MATCHES, matches, GOLD),
        (second_top, phrases.PLAYERS, players, MIST),
    ):
        _draw_chart_name(canvas, top, phrases.by_span(name, activity), colour)
        _draw_chart(canvas, top + _PLOT_TOP, plot_height, numbers, colour, cap or _NUMBER_CAPS[-1], labelled)
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
        facts.append(phrases.busiest_text(activity, short=True))
    for column, (name, value) in enumerate(facts):
        left = _INSET + (WIDTH - 2 * _INSET) * column // _FACT_COLUMNS
        canvas.text(left, _FACTS_TOP + _FACT_LABEL_BASELINE, name, LABEL_CAP, ink=MIST, background=RECESS)
        canvas.text(left, _FACTS_TOP + _FACT_VALUE_BASELINE, value, _FACT_CAP, background=RECESS)


def _notable_columns(matches: Sequence[int], players: Sequence[int]) -> set[int]:
    """Return columns of which no two are neighbours: those with the highest bars, then the last one."""
    peaks = [index for numbers in (matches, players) for index, number in enumerate(numbers) if number == max(numbers)]
    notable = set[int]()
    for index in (*peaks, len(matches) - 1):
        if notable.isdisjoint((index - 1, index + 1)):
            notable.add(index)
    return notable


def _draw_chart_name(canvas: Canvas, top: int, name: str, colour: Colour) -> None:
    """Write the name of a chart next to a square in its colour."""
    baseline = top + _NAME_BASELINE
    canvas.fill((_INSET, baseline - _SAMPLE_SIZE, _INSET + _SAMPLE_SIZE, baseline), colour)
    canvas.text(_INSET + _SAMPLE_SIZE + 12, baseline, name, LABEL_CAP + 1, background=RECESS)


def _draw_chart(
    canvas: Canvas,
    top: int,
    height: int,
    numbers: Sequence[int],
    colour: Colour,
    cap: int,
    labelled: Collection[int],
) -> None:
    """Draw a bar for each day or week, faint slots for those to come, and lines at half and at full height.

    The highest bars are as high as the plot, unless their number is below the minimum of the scale. The bars `labelled`
    have numbers of cap height `cap`, which are gold on the highest of several bars.
    """
    bottom, column_width, peak = top + height, _column_width(len(numbers)), max(numbers)
    bar_width, last, scale = round(column_width * _BAR_WIDTH_RATIO), len(numbers) - 1, max(_MIN_SCALE, peak)
    for y in (top, top + height // 2):
        canvas.put(meter(WIDTH - 2 * _INSET, 2, ()), _INSET, y)
    for index in range(len(numbers), _MIN_COLUMNS):
        canvas.put(_slot((bar_width, height)), _column_middle(index, len(numbers)) - bar_width // 2, top)
    for index, number in enumerate(numbers):
        middle = _column_middle(index, len(numbers))
        bar_height = max(_MIN_BAR_HEIGHT, round(height * number / scale)) if number else 0
        if bar_height:
            sprite = _bar((bar_width, bar_height), colour, is_current=index == last)
            canvas.put(sprite, middle - bar_width // 2, bottom - bar_height)
        if index in labelled:
            ink = MIST if not number else GOLD if number == peak and last else TEXT
            y = bottom - bar_height - _BAR_NUMBER_GAP
            _write_at_column(canvas, middle, y, phrases.shortest_number(number), cap, ink)
    canvas.fill((_INSET, bottom, WIDTH - _INSET, bottom + 2), SEAM)


def _draw_dates(canvas: Canvas, bottom: int, activity: Activity) -> None:
    """Draw two lines below the bars: weekdays and days, or the first days of weeks, of which the last is `so far`."""
    last = len(activity.spans) - 1
    days = [span.begins for span in activity.spans]
    dates = [
        (phrases.weekday(day), str(day.day))
        if activity.is_daily
        else (phrases.short_date(day, year=False), phrases.SO_FAR if index == last else "")
        for index, day in enumerate(days)
    ]
    widest = max(text_width(first, LABEL_CAP) for first, _ in dates)
    stride = 1 if widest + _MIN_DATE_GAP <= _column_width(len(days)) else 2
    for index, lines in enumerate(dates):
        if (last - index) % stride:
            continue
        middle = _column_middle(index, len(days))
        for text, baseline in zip(lines, (_FIRST_AXIS_BASELINE, _SECOND_AXIS_BASELINE), strict=True):
            _write_at_column(canvas, middle, bottom + baseline, text, LABEL_CAP, MIST)


def _write_at_column(canvas: Canvas, middle: int, baseline: int, text: str, cap: int, ink: Colour) -> None:
    """Write a text as close to `middle` as the sides of the panel allow."""
    half = text_width(text, cap) // 2
    x = max(_TEXT_MARGIN + half, min(middle, WIDTH - _TEXT_MARGIN - half))
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


@cache
def _slot(size: tuple[int, int]) -> Sprite:
    """Return the faint outline of a slot for a day or week to come."""
    outline = ImageChops.subtract(rounded_mask(size, _BAR_RADIUS), rounded_mask(size, _BAR_RADIUS, _SLOT_OUTLINE_WIDTH))
    faint = translated(outline, "L", _SLOT_TABLE)
    return cut_out(inked(faint, SEAM, RECESS), rounded_mask(size, _BAR_RADIUS))
