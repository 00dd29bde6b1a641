"""A person's calendar of deals of the day: a tile for each day, in weeks from Monday. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily import CalendarDay, DailyCalendar, DailyScore
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Align, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import fitted_text
from cardart.drawing.painting import Sprite, cut_out, inked
from cardart.drawing.palette import DAY_DARK_INK, DAY_LIGHT_INK, DAYS, GOLD, MIST, RECESS, SEAM, TEXT, Colour
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import calendar_palette_of
from cardart.parts.celebration import crown_mask
from cardart.text import alt_text, phrases
from cardart.text import daily as texts

_INSET: Final = MARGIN + 18
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 52
_FACT_BASELINES: Final = (MARGIN + 102, MARGIN + 146)
"""Baselines of the names of numbers, and of the numbers."""
_FACT_CAP: Final = 30
_WEEKDAYS_BASELINE: Final = MARGIN + 200
_GRID_TOP: Final = MARGIN + 217

_TILE_WIDTH: Final = 88
_TILE_HEIGHT: Final = 76
_TILE_GAP: Final = 8
_TILE_RADIUS: Final = 10
_GRID_RIGHT: Final = WIDTH - _INSET
_GRID_LEFT: Final = _GRID_RIGHT - 7 * _TILE_WIDTH - 6 * _TILE_GAP
"""Left edge of the tiles, with room for the names of months on their left."""
_DATE_CAP: Final = 17
_DATE_LEFT: Final = 10
_DATE_BASELINE: Final = 28
_POINTS_CAP: Final = 26
_MIN_POINTS_CAP: Final = 18
_POINTS_BASELINE: Final = 65
_CROWN_WIDTH: Final = 30
_CROWN_INSET: Final = 8
_RING_GAP: Final = 2
_RING_WIDTH: Final = 3
"""Thickness of the ring around today, and its distance from the tile (`_RING_GAP`)."""
_DASH_WIDTH: Final = 20
_DASH_HEIGHT: Final = 4
"""Size of the dash of an unfinished try."""
_HATCH_STEP: Final = 12
_HATCH_WIDTH: Final = 3
_OVERSAMPLING: Final = 4
_MONTH_LINE_WIDTH: Final = 2

_LEGEND_GAP: Final = 24
"""Distance from the tiles to the legend."""
_SAMPLE_HEIGHT: Final = 30
_SAMPLE_WIDTH: Final = 32
_POINTS_SAMPLE_WIDTH: Final = 52
_SAMPLE_CAP: Final = 16
_SAMPLE_SPACE: Final = 5
_WORD_SPACE: Final = 8
_ENTRY_SPACE: Final = 13
"""Space between samples, between samples and their word, and between entries of the legend."""
_FOOT: Final = 20
"""Distance from the legend to the end of the panel."""

_HOLLOW: Final = PanelStyle(radius=_TILE_RADIUS, ground=RECESS)
_RING: Final = PanelStyle(
    outline=TEXT, thickness=_RING_WIDTH, radius=_TILE_RADIUS + _RING_GAP + _RING_WIDTH, ground=RECESS
)


def draw_daily_calendar(calendar: DailyCalendar, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Draw the days of a calendar, with numbers about all days above them and a legend below.

    Wins have the brighter tiles the more points they have, and a crown for gin. Losses are dark, days without a result
    hollow, and days without a deal hatched. Today has a ring.
    """
    monday = calendar.days[0].day - timedelta(days=calendar.days[0].day.weekday())
    places = {day.day: divmod((day.day - monday).days, 7) for day in calendar.days}
    last_row, _ = places[calendar.days[-1].day]
    legend_top = _tile_top(last_row) + _TILE_HEIGHT + _LEGEND_GAP
    panel_bottom = legend_top + _SAMPLE_HEIGHT + _FOOT
    canvas = Canvas(WIDTH, panel_bottom + MARGIN, appearance, calendar_palette_of)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, panel_bottom))
    _write(canvas, _INSET, _TITLE_BASELINE, texts.period(calendar), _TITLE_CAP, TEXT)
    _write(canvas, _GRID_RIGHT, _TITLE_BASELINE, phrases.DAILY_DEALS, align="right")
    _draw_facts(canvas, calendar)
    for column in range(7):
        name, middle = phrases.weekday(monday + timedelta(days=column)), _tile_left(column) + _TILE_WIDTH // 2
        _write(canvas, middle, _WEEKDAYS_BASELINE, name, align="centre")
    _draw_months(canvas, places)
    for day in calendar.days:
        row, column = places[day.day]
        _draw_day(canvas, day, _tile_left(column), _tile_top(row), is_today=day.day == calendar.today)
    _draw_legend(canvas, calendar, legend_top)
    return canvas.picture(alt_text.daily_calendar(calendar))


def _tile_left(column: int) -> int:
    return _GRID_LEFT + column * (_TILE_WIDTH + _TILE_GAP)


def _tile_top(row: int) -> int:
    return _GRID_TOP + row * (_TILE_HEIGHT + _TILE_GAP)


def _draw_facts(canvas: Canvas, calendar: DailyCalendar) -> None:
    """Draw numbers about all days. The current streak, if there is one, is golden."""
    facts = texts.calendar_facts(calendar)
    for column, (name, value) in enumerate(facts):
        left = _INSET + (WIDTH - 2 * _INSET) * column // len(facts)
        _write(canvas, left, _FACT_BASELINES[0], name)
        _write(canvas, left, _FACT_BASELINES[1], value, _FACT_CAP, GOLD if calendar.streak and not column else TEXT)


def _draw_months(canvas: Canvas, places: Mapping[date, tuple[int, int]]) -> None:
    """Write the name of each month beside its first week, and draw lines between months.

    A week belongs to the month of its Thursday, in which most of its days are.
    """
    months = dict[int, date]()
    for day, (row, _) in places.items():
        if row not in months or day.weekday() <= 3:
            months[row] = day
    for row, day in months.items():
        if row == 0 or day.month != months[row - 1].month:
            _write(canvas, _INSET, _tile_top(row) + _DATE_BASELINE, phrases.month(day))
    for day, (row, column) in places.items():
        before = places.get(day - timedelta(days=1))
        if day.day == 1 and before is not None:
            _draw_month_line(canvas, row, column)


def _draw_month_line(canvas: Canvas, row: int, column: int) -> None:
    """Draw the line before the first day of a month, whose place is given."""
    half_gap, half = _TILE_GAP // 2, _MONTH_LINE_WIDTH // 2
    x, top, bottom = _tile_left(column) - half_gap, _tile_top(row) - half_gap, _tile_top(row + 1) - half_gap
    if row:
        canvas.fill((x - half if column else _GRID_LEFT, top - half, _GRID_RIGHT, top + half), MIST)
    if column:
        canvas.fill((x - half, (top if row else _GRID_TOP) - half, x + half, bottom + half), MIST)
        canvas.fill((_GRID_LEFT, bottom - half, x + half, bottom + half), MIST)


def _draw_day(canvas: Canvas, day: CalendarDay, left: int, top: int, *, is_today: bool) -> None:
    """Draw a day with its date, and with the points if there is a result."""
    right, bottom = left + _TILE_WIDTH, top + _TILE_HEIGHT
    score = None if day.own is None else day.own.score
    if is_today:
        reach = _RING_GAP + _RING_WIDTH
        canvas.panel((left - reach, top - reach, right + reach, bottom + reach), _RING)
    if score is not None:
        _draw_score(canvas, day, score, left, top)
        return
    if day.was_down:
        canvas.put(_hatched(_TILE_WIDTH, _TILE_HEIGHT), left, top)
    elif not is_today:
        canvas.panel((left, top, right, bottom), _HOLLOW)
    _write(canvas, left + _DATE_LEFT, top + _DATE_BASELINE, str(day.day.day), _DATE_CAP)
    if is_today:
        middle, baseline = (left + right) // 2, top + _POINTS_BASELINE - (_POINTS_CAP - LABEL_CAP) // 2
        _write(canvas, middle, baseline, phrases.TODAY, ink=TEXT, align="centre")
    elif day.own is not None:
        x, y = (left + right - _DASH_WIDTH) // 2, top + _POINTS_BASELINE - _POINTS_CAP // 2
        canvas.fill((x, y - _DASH_HEIGHT // 2, x + _DASH_WIDTH, y + _DASH_HEIGHT // 2), MIST)


def _draw_score(canvas: Canvas, day: CalendarDay, score: DailyScore, left: int, top: int) -> None:
    """Draw the tile of a day with a result."""
    fill, ink = _colours(texts.size_of_win(score))
    canvas.put(_tile(_TILE_WIDTH, _TILE_HEIGHT, fill), left, top)
    canvas.text(left + _DATE_LEFT, top + _DATE_BASELINE, str(day.day.day), _DATE_CAP, ink=ink, background=fill)
    points, cap = fitted_text(words.signed(score.points), _POINTS_CAP, _MIN_POINTS_CAP, _TILE_WIDTH - _DATE_LEFT)
    middle = left + _TILE_WIDTH // 2
    canvas.text(middle, top + _POINTS_BASELINE, points, cap, ink=ink, background=fill, align="centre")
    if texts.is_gin(score):
        canvas.put(_crown(ink, fill), left + _TILE_WIDTH - _CROWN_WIDTH - _CROWN_INSET, top + _CROWN_INSET)


def _draw_legend(canvas: Canvas, calendar: DailyCalendar, top: int) -> None:
    """Draw a legend of the tiles that every calendar can have, and of days without a deal if it has some."""
    x = _draw_tile_sample(canvas, 0, "", _INSET, top)
    x = _draw_word(canvas, phrases.LOST, x, top)
    for size, least in enumerate(texts.LEAST_POINTS, 1):
        x = _draw_tile_sample(canvas, size, f"{least}+", x + (_SAMPLE_SPACE if size > 1 else 0), top)
    x = _draw_word(canvas, phrases.WON, x, top)
    sign = _crown(MIST, RECESS)
    canvas.put(sign, x, top + (_SAMPLE_HEIGHT - sign.height) // 2)
    x = _draw_word(canvas, phrases.GIN, x + sign.width, top)
    canvas.panel((x, top, x + _SAMPLE_WIDTH, top + _SAMPLE_HEIGHT), _HOLLOW)
    x = _draw_word(canvas, phrases.MISSED, x + _SAMPLE_WIDTH, top)
    if any(day.was_down for day in calendar.days):
        canvas.put(_hatched(_SAMPLE_WIDTH, _SAMPLE_HEIGHT), x, top)
        _draw_word(canvas, phrases.BOT_DOWN, x + _SAMPLE_WIDTH, top)


def _draw_tile_sample(canvas: Canvas, size: int, text: str, x: int, top: int) -> int:
    """Draw a tile for the legend at `x`. Return its right edge."""
    fill, ink = _colours(size)
    width = _POINTS_SAMPLE_WIDTH if text else _SAMPLE_WIDTH
    canvas.put(_tile(width, _SAMPLE_HEIGHT, fill), x, top)
    if text:
        baseline = top + (_SAMPLE_HEIGHT + _SAMPLE_CAP) // 2
        canvas.text(x + width // 2, baseline, text, _SAMPLE_CAP, ink=ink, background=fill, align="centre")
    return x + width


def _draw_word(canvas: Canvas, word: str, x: int, top: int) -> int:
    """Write a word of the legend after a sample that ends at `x`. Return the left edge of the next entry."""
    x += _WORD_SPACE
    return x + _write(canvas, x, top + (_SAMPLE_HEIGHT + LABEL_CAP) // 2, word) + _ENTRY_SPACE


def _write(
    canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST, align: Align = "left"
) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS, align=align)


def _colours(size: int) -> tuple[Colour, Colour]:
    """Return the colours of a tile and of the text on it. `size` is 0 for a loss, and 1 to 3 for a win."""
    return DAYS[size], DAY_LIGHT_INK if size <= 1 else DAY_DARK_INK


@cache
def _tile(width: int, height: int, fill: Colour) -> Sprite:
    """Return a tile in one colour, for a panel."""
    shape = rounded_mask((width, height), _TILE_RADIUS)
    return cut_out(inked(shape, fill, DAY_DARK_INK), shape)


@cache
def _crown(ink: Colour, fill: Colour) -> Sprite:
    """Return the crown of a gin in one colour, on a background of another one."""
    return Sprite(inked(crown_mask(_CROWN_WIDTH), ink, fill))


@cache
def _hatched(width: int, height: int) -> Sprite:
    """Return a tile of diagonal lines, for a panel."""
    large = Image.new("L", (width * _OVERSAMPLING, height * _OVERSAMPLING))
    pen = ImageDraw.Draw(large)
    for left in range(-height, width, _HATCH_STEP):
        line = (left, height, left + height, 0)
        pen.line([end * _OVERSAMPLING for end in line], fill=255, width=_HATCH_WIDTH * _OVERSAMPLING)
    shape = rounded_mask((width, height), _TILE_RADIUS)
    return cut_out(inked(ImageChops.multiply(large.reduce(_OVERSAMPLING), shape), SEAM, RECESS), shape)
