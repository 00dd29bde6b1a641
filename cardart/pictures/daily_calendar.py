"""A person's calendar of deals of the day: a tile for each day, in weeks from Monday. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily import CalendarDay, DailyCalendar, DailyScore
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Align, Canvas, PanelStyle, Picture
from cardart.drawing.lettering import fitted_text, text_width, writable_name
from cardart.drawing.painting import Painting, Sprite, cut_out, inked
from cardart.drawing.palette import (
    DAY_DARK_INK,
    DAY_LIGHT_INK,
    DAY_LOST,
    DAY_OUTLINE,
    DAY_PANEL,
    DAYS,
    GOLD,
    MIST,
    RECESS,
    SEAM,
    TEXT,
    Colour,
)
from cardart.drawing.shapes import rounded_mask
from cardart.drawing.themes import calendar_palette_of
from cardart.parts.celebration import crown_mask
from cardart.text import alt_text, phrases
from cardart.text import daily as texts

_INSET: Final = MARGIN + 20
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 54
_TITLE_GAP: Final = 24
"""Minimum space between the title and the days that it is about."""
_STREAK_BASELINE: Final = MARGIN + 140
_STREAK_CAP: Final = 50
_UNIT_GAP: Final = 10
_UNIT_LEADING: Final = 31
"""Space between the streak and its unit (`_UNIT_GAP`), and between the baselines of the two lines of the unit."""
_FACT_BASELINES: Final = (_STREAK_BASELINE - 37, _STREAK_BASELINE)
"""Baselines of the names of numbers, and of the numbers."""
_FACT_NAME_CAP: Final = 17
_FACT_CAP: Final = 24
_MIN_FACT_CAP: Final = 18
_WITHOUT_FACTS: Final = 40
"""Height that a calendar without numbers saves."""
_WEEKDAYS_BASELINE: Final = MARGIN + 191
_GRID_TOP: Final = MARGIN + 208

_TILE_WIDTH: Final = 96
_TILE_HEIGHT: Final = 76
_TILE_GAP: Final = 8
_ROW_GAP: Final = 14
_TILE_RADIUS: Final = 10
_OUTLINE: Final = 2
"""Thickness of the outline of losses and of days without a result."""
_GRID_LEFT: Final = _INSET
_GRID_RIGHT: Final = _GRID_LEFT + 7 * _TILE_WIDTH + 6 * _TILE_GAP
_TEXT_LEFT: Final = 11
"""Distance from the left edge of a tile to its texts."""
_DATE_CAP: Final = 17
_MIN_DATE_CAP: Final = 13
_DATE_BASELINE: Final = 27
_POINTS_CAP: Final = 25
_MIN_POINTS_CAP: Final = 18
_POINTS_BASELINE: Final = 61
_CROWN_WIDTH: Final = 23
_CROWN_INSET: Final = 8
_CROWN_GAP: Final = 3
"""Distance of the crown from the corner of a tile, and its minimum distance from the date (`_CROWN_GAP`)."""
_RING_GAP: Final = 2
_RING_WIDTH: Final = 3
"""Thickness of the ring around today, and its distance from the tile in it (`_RING_GAP`)."""
_DASH_SIZE: Final = (20, 4)
_SMALL_DASH_SIZE: Final = (14, 3)
"""Size of the dash of an unfinished try, and of its sample in the legend (`_SMALL_DASH_SIZE`)."""
_HATCH_STEP: Final = 12
_HATCH_WIDTH: Final = 3
_OVERSAMPLING: Final = 4
_STREAK_LINE: Final = (3, 7)
_MONTH_LINE: Final = (10, 12)
"""Top and bottom of the line below the days of the streak, and of the line between months, from the tiles above."""

_LEGEND_GAP: Final = 26
"""Distance from the tiles to the legend."""
_LEGEND_LEADING: Final = 42
"""Distance from a row of the legend to the next."""
_SAMPLE_HEIGHT: Final = 30
_SAMPLE_WIDTH: Final = 32
_POINTS_SAMPLE_WIDTH: Final = 52
_SAMPLE_CAP: Final = 16
_SAMPLE_SPACE: Final = 5
_WORD_SPACE: Final = 8
_ENTRY_SPACE: Final = 22
"""Space between samples, between samples and their word, and between entries of the legend."""
_FOOT: Final = 22
"""Distance from the legend to the end of the panel."""

_HOLLOW: Final = PanelStyle(DAY_PANEL, DAY_OUTLINE, _OUTLINE, _TILE_RADIUS, DAY_PANEL)
_RING: Final = PanelStyle(RECESS, TEXT, _RING_WIDTH, _TILE_RADIUS, RECESS)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of the legend: samples, each with its width, and a word."""

    samples: tuple[tuple[Callable[[Canvas, int, int], None], int], ...]
    word: str

    @property
    def samples_width(self) -> int:
        """The width of the samples with the spaces between them."""
        return sum(width for _, width in self.samples) + (len(self.samples) - 1) * _SAMPLE_SPACE

    @property
    def width(self) -> int:
        """The width of the samples and the word."""
        return self.samples_width + _WORD_SPACE + text_width(self.word, LABEL_CAP)


def draw_daily_calendar(
    calendar: DailyCalendar, appearance: Appearance = DEFAULT_APPEARANCE, name: str | None = None
) -> Picture:
    """Draw the days of a person's calendar, with their streak and other numbers above and a legend below.

    Wins have the brighter tiles the more points they have, and a crown for gin. Losses are dark, days without a result
    hollow, and days without a deal hatched. Today has a ring, and the days of the current streak a golden line below
    them. The rest of the first and of the last week is faint.
    """
    monday = calendar.days[0].day - timedelta(days=calendar.days[0].day.weekday())
    rows = (calendar.days[-1].day - monday).days // 7 + 1
    rise = 0 if calendar.played else _WITHOUT_FACTS
    grid_top = _GRID_TOP - rise
    legend = _legend_rows(calendar)
    legend_top = _tile_top(grid_top, rows - 1) + _TILE_HEIGHT + _LEGEND_GAP
    last_legend_top = legend_top + (len(legend) - 1) * _LEGEND_LEADING
    panel_bottom = (last_legend_top + _SAMPLE_HEIGHT if legend else legend_top - _LEGEND_GAP) + _FOOT
    canvas = Canvas(WIDTH, panel_bottom + MARGIN, appearance, calendar_palette_of)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, panel_bottom))
    _draw_title(canvas, calendar, name)
    _draw_facts(canvas, calendar)
    for column in range(7):
        weekday = phrases.weekday(monday + timedelta(days=column))
        _write(canvas, _tile_middle(column), _WEEKDAYS_BASELINE - rise, weekday, align="centre")
    _draw_days(canvas, calendar, monday, rows, grid_top)
    _draw_streak(canvas, calendar, monday, grid_top)
    for row, entries in enumerate(legend):
        _draw_legend_row(canvas, entries, legend_top + row * _LEGEND_LEADING)
    return canvas.picture(alt_text.daily_calendar(calendar, name))


def _tile_left(column: int) -> int:
    return _GRID_LEFT + column * (_TILE_WIDTH + _TILE_GAP)


def _tile_middle(column: int) -> int:
    return _tile_left(column) + _TILE_WIDTH // 2


def _tile_top(grid_top: int, row: int) -> int:
    return grid_top + row * (_TILE_HEIGHT + _ROW_GAP)


def _draw_title(canvas: Canvas, calendar: DailyCalendar, name: str | None) -> None:
    """Write whose calendar it is, and on its right the days. A long name is cut off."""
    days_width = _write(canvas, _GRID_RIGHT, _TITLE_BASELINE, texts.period(calendar), align="right")
    writable = writable_name(name or "")
    room = _GRID_RIGHT - _GRID_LEFT - days_width - _TITLE_GAP
    if writable:
        room -= text_width(texts.calendar_title(""), _TITLE_CAP)
        writable, _ = fitted_text(writable, _TITLE_CAP, _TITLE_CAP, room)
    _write(canvas, _GRID_LEFT, _TITLE_BASELINE, texts.calendar_title(writable or None), _TITLE_CAP, TEXT)


def _draw_facts(canvas: Canvas, calendar: DailyCalendar) -> None:
    """Draw the streak, large, and the other numbers about all days. Without any result, invite the person instead."""
    if not calendar.played:
        _write(canvas, _GRID_LEFT, _STREAK_BASELINE - _WITHOUT_FACTS, phrases.NO_STREAK_YET, ink=TEXT)
        return
    ink = GOLD if calendar.streak else TEXT
    width = _write(canvas, _GRID_LEFT, _STREAK_BASELINE, f"{calendar.streak:,}", _STREAK_CAP, ink)
    for line, word in enumerate(reversed(texts.streak_unit(calendar.streak))):
        _write(canvas, _GRID_LEFT + width + _UNIT_GAP, _STREAK_BASELINE - line * _UNIT_LEADING, word, ink=ink)
    facts = texts.calendar_facts(calendar)[1:]
    for column, (name, value) in enumerate(facts, 7 - len(facts)):
        middle, width = _tile_middle(column), _TILE_WIDTH + _TILE_GAP // 2
        name, cap = fitted_text(name, _FACT_NAME_CAP, _MIN_DATE_CAP, width)
        _write(canvas, middle, _FACT_BASELINES[0], name, cap, align="centre")
        value, cap = fitted_text(value, _FACT_CAP, _MIN_FACT_CAP, width)
        _write(canvas, middle, _FACT_BASELINES[1], value, cap, TEXT, align="centre")


def _draw_days(canvas: Canvas, calendar: DailyCalendar, monday: date, rows: int, grid_top: int) -> None:
    """Draw all days of the weeks, and lines between months."""
    days = {day.day: day for day in calendar.days}
    for number in range(7 * rows):
        row, column = divmod(number, 7)
        date_, left, top = monday + timedelta(days=number), _tile_left(column), _tile_top(grid_top, row)
        begins_month = date_ == calendar.days[0].day or (date_.day == 1 and date_ > calendar.days[0].day)
        label = phrases.short_date(date_, year=False) if begins_month else str(date_.day)
        if begins_month and date_.day == 1 and number:
            _draw_month_line(canvas, row, column, grid_top)
        if date_ not in days:
            _write(canvas, left + _TEXT_LEFT, top + _DATE_BASELINE, label, _DATE_CAP, SEAM)
        else:
            _draw_day(canvas, days[date_], label, left, top, is_today=date_ == calendar.today)


def _draw_month_line(canvas: Canvas, row: int, column: int, grid_top: int) -> None:
    """Draw the line before the first day of a month, whose place is given."""
    thickness = _MONTH_LINE[1] - _MONTH_LINE[0]
    x = _tile_left(column) - (_TILE_GAP + thickness) // 2
    above, below = (_tile_top(grid_top, end) - _ROW_GAP + _MONTH_LINE[0] for end in (row, row + 1))
    if row:
        canvas.fill((x if column else _GRID_LEFT, above, _GRID_RIGHT, above + thickness), MIST)
    if column:
        canvas.fill((x, above if row else grid_top, x + thickness, below + thickness), MIST)
        canvas.fill((_GRID_LEFT, below, x, below + thickness), MIST)


def _streak_days(calendar: DailyCalendar) -> list[date]:
    """Return the shown days with a result that belong to the current streak. Pages of the past show no streak."""
    finished = [day.day for day in calendar.days if day.own is not None and day.own.score is not None]
    return finished[-calendar.streak :] if calendar.streak and calendar.days[-1].day == calendar.today else []


def _draw_streak(canvas: Canvas, calendar: DailyCalendar, monday: date, grid_top: int) -> None:
    """Draw a line below the days of the current streak."""
    streak = _streak_days(calendar)
    if not streak:
        return
    first, last = ((day - monday).days for day in (streak[0], streak[-1]))
    for row in range(first // 7, last // 7 + 1):
        begin, end = (_tile_left(min(max(day - 7 * row, 0), 6)) for day in (first, last))
        bottom = _tile_top(grid_top, row) + _TILE_HEIGHT
        canvas.fill((begin, bottom + _STREAK_LINE[0], end + _TILE_WIDTH, bottom + _STREAK_LINE[1]), GOLD)


def _draw_day(canvas: Canvas, day: CalendarDay, label: str, left: int, top: int, *, is_today: bool) -> None:
    """Draw a day with its date, and with the points if there is a result."""
    right, bottom = left + _TILE_WIDTH, top + _TILE_HEIGHT
    score = None if day.own is None else day.own.score
    if is_today:
        canvas.panel((left, top, right, bottom), _RING)
    if score is not None:
        _draw_score(canvas, score, label, left, top, is_today=is_today)
        return
    if day.was_down:
        canvas.put(_hatched(_TILE_WIDTH, _TILE_HEIGHT), left, top)
    elif not is_today:
        canvas.panel((left, top, right, bottom), _HOLLOW)
    label, cap = fitted_text(label, _DATE_CAP, _MIN_DATE_CAP, _TILE_WIDTH - 2 * _TEXT_LEFT)
    _write(canvas, left + _TEXT_LEFT, top + _DATE_BASELINE, label, cap)
    if is_today:
        _write(canvas, left + _TEXT_LEFT, top + _POINTS_BASELINE - 2, phrases.TODAY, ink=TEXT)
    elif day.own is not None:
        y = top + _POINTS_BASELINE - (_POINTS_CAP + _DASH_SIZE[1]) // 2
        _draw_dash(canvas, left + _TEXT_LEFT + 1, y, _DASH_SIZE)


def _draw_dash(canvas: Canvas, x: int, y: int, size: tuple[int, int]) -> None:
    canvas.fill((x, y, x + size[0], y + size[1]), MIST)


def _draw_score(canvas: Canvas, score: DailyScore, label: str, left: int, top: int, *, is_today: bool) -> None:
    """Draw the tile of a day with a result."""
    size, inset = texts.size_of_win(score), is_today * (_RING_WIDTH + _RING_GAP)
    fill, ink = _colours(size)
    canvas.put(_tile(_TILE_WIDTH - 2 * inset, _TILE_HEIGHT - 2 * inset, size, inset), left + inset, top + inset)
    is_gin, room = texts.is_gin(score), _TILE_WIDTH - 2 * _TEXT_LEFT
    label_room = _TILE_WIDTH - _TEXT_LEFT - _CROWN_INSET - _CROWN_WIDTH - _CROWN_GAP if is_gin else room
    if text_width(label, _MIN_DATE_CAP) > label_room:
        # Only the first day of a calendar can have two digits and a month. The title has its month, too.
        label, _, _ = label.partition(" ")
    label, cap = fitted_text(label, _DATE_CAP, _MIN_DATE_CAP, label_room)
    canvas.text(left + _TEXT_LEFT, top + _DATE_BASELINE, label, cap, ink=ink, background=fill)
    points, cap = fitted_text(words.signed(score.points), _POINTS_CAP, _MIN_POINTS_CAP, room)
    canvas.text(left + _TEXT_LEFT, top + _POINTS_BASELINE, points, cap, ink=ink, background=fill)
    if is_gin:
        canvas.put(_crown(ink, fill), left + _TILE_WIDTH - _CROWN_WIDTH - _CROWN_INSET, top + _CROWN_INSET + 2)


def _legend_rows(calendar: DailyCalendar) -> list[list[_Entry]]:
    """Return the rows of the legend, which has the marks that occur: results, and on a row of their own other days."""
    scores = [day.own.score for day in calendar.days if day.own is not None and day.own.score is not None]
    sizes = {texts.size_of_win(score) for score in scores}
    past = [day for day in calendar.days if day.day != calendar.today and (day.own is None or day.own.score is None)]
    wins = [
        (partial(_draw_tile_sample, size=size, text=f"{least}+"), _POINTS_SAMPLE_WIDTH)
        for size, least in enumerate(texts.LEAST_POINTS, 1)
        if size in sizes
    ]
    results = [
        _Entry(((partial(_draw_tile_sample, size=0), _SAMPLE_WIDTH),), phrases.LOST) if 0 in sizes else None,
        _Entry(tuple(wins), phrases.WON) if wins else None,
        _Entry(((_draw_crown_sample, _CROWN_WIDTH),), phrases.GIN) if any(map(texts.is_gin, scores)) else None,
        _Entry(((_draw_streak_sample, _SAMPLE_WIDTH),), phrases.STREAK_DAYS) if _streak_days(calendar) else None,
    ]
    others = [
        (_draw_hollow_sample, phrases.MISSED, any(day.own is None and not day.was_down for day in past)),
        (_draw_unfinished_sample, phrases.NOT_FINISHED, any(day.own is not None and not day.was_down for day in past)),
        (_draw_hatched_sample, phrases.BOT_DOWN, any(day.was_down for day in past)),
    ]
    first = [entry for entry in results if entry is not None]
    second = [_Entry(((sample, _SAMPLE_WIDTH),), word) for sample, word, occurs in others if occurs]
    width = sum(entry.width + _ENTRY_SPACE for entry in (*first, *second)) - _ENTRY_SPACE
    rows = [[*first, *second]] if width <= _GRID_RIGHT - _GRID_LEFT else [first, second]
    return [row for row in rows if row]


def _draw_legend_row(canvas: Canvas, entries: Sequence[_Entry], top: int) -> None:
    x = _GRID_LEFT
    for entry in entries:
        sample_left = x
        for draw, width in entry.samples:
            draw(canvas, sample_left, top)
            sample_left += width + _SAMPLE_SPACE
        _write(canvas, x + entry.samples_width + _WORD_SPACE, top + (_SAMPLE_HEIGHT + LABEL_CAP) // 2, entry.word)
        x += entry.width + _ENTRY_SPACE


def _draw_tile_sample(canvas: Canvas, x: int, top: int, size: int, text: str = "") -> None:
    fill, ink = _colours(size)
    width = _POINTS_SAMPLE_WIDTH if text else _SAMPLE_WIDTH
    canvas.put(_tile(width, _SAMPLE_HEIGHT, size), x, top)
    if text:
        baseline = top + (_SAMPLE_HEIGHT + _SAMPLE_CAP) // 2
        canvas.text(x + width // 2, baseline, text, _SAMPLE_CAP, ink=ink, background=fill, align="centre")


def _draw_crown_sample(canvas: Canvas, x: int, top: int) -> None:
    sign = _crown(MIST, RECESS)
    canvas.put(sign, x, top + (_SAMPLE_HEIGHT - sign.height) // 2)


def _draw_streak_sample(canvas: Canvas, x: int, top: int) -> None:
    thickness = _STREAK_LINE[1] - _STREAK_LINE[0]
    y = top + (_SAMPLE_HEIGHT - thickness) // 2
    canvas.fill((x, y, x + _SAMPLE_WIDTH, y + thickness), GOLD)


def _draw_hollow_sample(canvas: Canvas, x: int, top: int) -> None:
    canvas.panel((x, top, x + _SAMPLE_WIDTH, top + _SAMPLE_HEIGHT), _HOLLOW)


def _draw_unfinished_sample(canvas: Canvas, x: int, top: int) -> None:
    _draw_hollow_sample(canvas, x, top)
    width, height = _SMALL_DASH_SIZE
    _draw_dash(canvas, x + (_SAMPLE_WIDTH - width) // 2, top + (_SAMPLE_HEIGHT - height) // 2, _SMALL_DASH_SIZE)


def _draw_hatched_sample(canvas: Canvas, x: int, top: int) -> None:
    canvas.put(_hatched(_SAMPLE_WIDTH, _SAMPLE_HEIGHT), x, top)


def _write(
    canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST, align: Align = "left"
) -> int:
    """Write on a panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS, align=align)


def _colours(size: int) -> tuple[Colour, Colour]:
    """Return the colours of a tile and of the text on it. `size` is 0 for a loss, and 1 to 3 for a win."""
    return DAYS[size], DAY_LIGHT_INK if size <= 1 else DAY_DARK_INK


@cache
def _tile(width: int, height: int, size: int, inset: int = 0) -> Sprite:
    """Return the tile of a loss, which has an outline, or of a win, for a panel. `size` is as in `_colours`.

    A tile with an `inset` lies that far inside a ring.
    """
    shape = rounded_mask((width, height), _TILE_RADIUS - inset)
    if size:
        return cut_out(inked(shape, DAYS[size], DAY_DARK_INK), shape)
    painting = Painting((width, height), DAY_PANEL)
    if not inset:
        painting.paint_layer(DAY_OUTLINE, shape)
        shape = rounded_mask((width, height), _TILE_RADIUS, _OUTLINE)
    return Sprite(painting.paint_layer(DAY_LOST, shape).image)


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
