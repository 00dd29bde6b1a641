"""A person's calendar of deals of the day: a tile for each day, in weeks from Monday. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily import CalendarDay, DailyCalendar
from bot.model.words import signed
from cardart.drawing.canvas import LABEL_CAP, MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import fitted_text, text_width, writable_name
from cardart.drawing.palette import DAY_DIM, DAY_PANEL, DAY_RING, GOLD, MIST, RECESS, TEXT, Colour
from cardart.drawing.themes import calendar_palette_of
from cardart.parts.badges import streak_flame
from cardart.parts.day_tiles import (
    LINE_END,
    RESULT_KINDS,
    TILE_GAPS,
    TILE_SIZE,
    DayKind,
    DayTile,
    day_outlines,
    day_tile,
    gin_badge,
)
from cardart.text import alt_text, phrases
from cardart.text import daily as texts

_LEFT: Final = MARGIN + 21
_RIGHT: Final = _LEFT + 7 * TILE_SIZE[0] + 6 * TILE_GAPS[0]
"""Left and right edge of the tiles."""
_SMALL_CAP: Final = 16
"""Cap height of the names of numbers, of weekdays and of the legend."""
_TITLE_CAP: Final = 26
_TITLE_BASELINE: Final = MARGIN + 54
_STREAK_BASELINE: Final = MARGIN + 142
_STREAK_CAP: Final = 50
_MIN_STREAK_CAP: Final = 34
_FLAME_HEIGHT: Final = 58
_FLAME_GAP: Final = 12
_UNIT_GAP: Final = 10
_UNIT_LEADING: Final = 31
"""Space between the flame and the streak, and between the streak and its unit (`_UNIT_GAP`), and between the baselines
of the two lines of the unit."""
_NO_STREAK_CAP: Final = 22
_FACTS_GAP: Final = 20
"""Minimum space between the streak with its unit and the other numbers."""
_FIRST_FACT: Final = 3
"""The column of days that has the first number above it."""
_FACT_BASELINES: Final = (_STREAK_BASELINE - 37, _STREAK_BASELINE)
"""Baselines of the names of numbers, and of the numbers."""
_FACT_CAP: Final = 24
_MIN_FACT_CAP: Final = 18
_PERIOD_BASELINE: Final = MARGIN + 196
_WEEKDAYS_BASELINE: Final = MARGIN + 229
_GRID_TOP: Final = MARGIN + 243

_TEXT_LEFT: Final = 8
"""Distance from the left edge of a tile to the texts in its column."""
_DATE_CAP: Final = 15
"""Cap height of dates: two digits and a month leave room for the badge of gin."""
_DATE_BASELINE: Final = 29
_POINTS_CAP: Final = 25
_MIN_POINTS_CAP: Final = 18
_POINTS_BASELINE: Final = 63

_LEGEND_GAP: Final = 26
"""Distance from the tiles to the legend."""
_LEGEND_LEADING: Final = 42
"""Distance from a row of the legend to the next."""
_SAMPLE_SIZE: Final = (32, 30)
_WIN_SAMPLE_SIZE: Final = (52, 30)
_STREAK_SAMPLE_SIZE: Final = (18, 20)
"""Sizes of samples in the legend. Two of the last one make a streak."""
_SAMPLE_LOSS: Final = -9
_SAMPLE_SPACE: Final = 5
_WORD_SPACE: Final = 8
_ENTRY_SPACE: Final = 22
"""Space between samples, between samples and their word, and between entries of the legend."""
_FOOT: Final = 22
"""Distance from the legend to the end of the panel."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample of a tile in the legend, with a text in its middle."""

    tile: DayTile
    size: tuple[int, int] = _SAMPLE_SIZE
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of the legend: samples, and a word. The samples may have the outline of a streak."""

    samples: tuple[_Sample, ...]
    word: str
    is_streak: bool = False

    @property
    def space(self) -> int:
        """The space between two samples. A streak has the space between tiles."""
        return TILE_GAPS[0] if self.is_streak else _SAMPLE_SPACE

    @property
    def line(self) -> int:
        """The space for an outline around the samples."""
        return LINE_END if self.is_streak else 0

    @property
    def samples_width(self) -> int:
        """The width of the samples with the spaces between them, and the outline around them."""
        return sum(sample.size[0] + self.space for sample in self.samples) - self.space + 2 * self.line

    @property
    def width(self) -> int:
        """The width of the samples and the word."""
        return self.samples_width + _WORD_SPACE + text_width(self.word, _SMALL_CAP)


def draw_daily_calendar(
    calendar: DailyCalendar, appearance: Appearance = DEFAULT_APPEARANCE, name: str | None = None
) -> Picture:
    """Draw the days of a person's calendar, with their streak and other numbers above and a legend below.

    Wins have the brighter tiles the more points they have, and a star for gin. Losses have the colour of rust, and
    unfinished tries are partly filled with it. Missed days are hollow, and days without a deal hatched. Today has a
    ring, and a golden outline is around the days of the current streak. The rest of the last week only has dates.
    """
    monday = calendar.days[0].day - timedelta(days=calendar.days[0].day.weekday())
    rows = (calendar.days[-1].day - monday).days // 7 + 1
    legend = _legend_rows(calendar)
    legend_top = _tile_top(rows - 1) + TILE_SIZE[1] + _LEGEND_GAP
    last_legend_top = legend_top + (len(legend) - 1) * _LEGEND_LEADING
    panel_bottom = (last_legend_top + _SAMPLE_SIZE[1] if legend else legend_top - _LEGEND_GAP) + _FOOT
    canvas = Canvas(WIDTH, panel_bottom + MARGIN, appearance, calendar_palette_of)
    canvas.panel((MARGIN, MARGIN, WIDTH - MARGIN, panel_bottom))
    _draw_title(canvas, name)
    _draw_streak(canvas, calendar)
    if calendar.played:
        _draw_facts(canvas, texts.calendar_facts(calendar)[1:])
    _write(canvas, _LEFT, _PERIOD_BASELINE, texts.period(calendar), ink=TEXT)
    for column in range(7):
        weekday = phrases.weekday(monday + timedelta(days=column))
        _write(canvas, _text_left(column), _WEEKDAYS_BASELINE, weekday, _SMALL_CAP)
    _draw_days(canvas, calendar, monday, rows)
    for row, entries in enumerate(legend):
        _draw_legend_row(canvas, entries, legend_top + row * _LEGEND_LEADING)
    return canvas.picture(alt_text.daily_calendar(calendar, name))


def _tile_left(column: int) -> int:
    return _LEFT + column * (TILE_SIZE[0] + TILE_GAPS[0])


def _tile_top(row: int) -> int:
    return _GRID_TOP + row * (TILE_SIZE[1] + TILE_GAPS[1])


def _text_left(column: int) -> int:
    return _tile_left(column) + _TEXT_LEFT


def _draw_title(canvas: Canvas, name: str | None) -> None:
    """Write whose calendar it is. A long name is cut off."""
    writable = writable_name(name or "")
    if writable:
        room = _RIGHT - _LEFT - text_width(texts.calendar_title(""), _TITLE_CAP)
        writable, _ = fitted_text(writable, _TITLE_CAP, _TITLE_CAP, room)
    _write(canvas, _LEFT, _TITLE_BASELINE, texts.calendar_title(writable or None), _TITLE_CAP, TEXT)


def _draw_streak(canvas: Canvas, calendar: DailyCalendar) -> None:
    """Draw the streak, large, next to a flame. If there is none, invite the person to start one.

    Today's deal can always start one then, because a finished try of today would already count.
    """
    ink, background = (GOLD, RECESS) if calendar.streak else (DAY_DIM, DAY_PANEL)
    flame = streak_flame(_FLAME_HEIGHT, ink, background, has_core=True)
    canvas.put(flame, _LEFT, _STREAK_BASELINE - (_STREAK_CAP + flame.height) // 2 - 1)
    x = _LEFT + flame.width + _FLAME_GAP
    above, below = texts.streak_words(calendar)
    if not calendar.streak:
        _write(canvas, x, _STREAK_BASELINE - _UNIT_LEADING, above, _NO_STREAK_CAP, TEXT)
        _write(canvas, x, _STREAK_BASELINE, below)
        return
    unit_width = max(text_width(word, LABEL_CAP) for word in (above, below))
    room = _text_left(_FIRST_FACT) - _FACTS_GAP - unit_width - _UNIT_GAP - x
    number, cap = fitted_text(f"{calendar.streak:,}", _STREAK_CAP, _MIN_STREAK_CAP, room)
    x += _write(canvas, x, _STREAK_BASELINE - (_STREAK_CAP - cap) // 2, number, cap, GOLD) + _UNIT_GAP
    _write(canvas, x, _STREAK_BASELINE - _UNIT_LEADING, above, ink=GOLD)
    _write(canvas, x, _STREAK_BASELINE, below, ink=GOLD)


def _draw_facts(canvas: Canvas, facts: Sequence[tuple[str, str]]) -> None:
    """Draw numbers about all days, with their names, above columns of days."""
    for column, (name, value) in enumerate(facts, _FIRST_FACT):
        _write(canvas, _text_left(column), _FACT_BASELINES[0], name, _SMALL_CAP)
        value, cap = fitted_text(value, _FACT_CAP, _MIN_FACT_CAP, TILE_SIZE[0])
        _write(canvas, _text_left(column), _FACT_BASELINES[1], value, cap, TEXT)


def _tiles(calendar: DailyCalendar) -> list[DayTile]:
    """Return the tile of each day."""
    tiles: list[DayTile] = []
    for day in calendar.days:
        score, is_today = None if day.own is None else day.own.score, day.day == calendar.today
        is_gin = score is not None and texts.is_gin(score)
        tiles.append(DayTile(_kind(day, is_today=is_today), is_gin, is_today))
    return tiles


def _streak(calendar: DailyCalendar) -> range:
    """Return the places of the days of the current streak. Pages of the past show no streak."""
    finished = [place for place, day in enumerate(calendar.days) if day.own is not None and day.own.score is not None]
    if not calendar.streak or calendar.days[-1].day != calendar.today or not finished:
        return range(0)
    # The first days of a long streak are on an earlier page.
    first = finished[-calendar.streak] if calendar.streak <= len(finished) else 0
    return range(first, finished[-1] + 1)


def _kind(day: CalendarDay, *, is_today: bool) -> DayKind:
    if day.own is not None and day.own.score is not None:
        return RESULT_KINDS[texts.size_of_win(day.own.score)]
    if day.was_down:
        return "no deal"
    if is_today:
        return "open"
    return "missed" if day.own is None else "unfinished"


def _draw_days(canvas: Canvas, calendar: DailyCalendar, monday: date, rows: int) -> None:
    """Draw the tiles of all days, the outlines around some, and the dates of the rest of the last week."""
    first, tiles = calendar.days[0].day, _tiles(calendar)
    offset = (first - monday).days
    if outlines := list(_outlines(calendar, tiles, offset)):
        canvas.put(day_outlines(outlines), _LEFT - LINE_END, _GRID_TOP - LINE_END)
    for number in range(offset, 7 * rows):
        (row, column), day = divmod(number, 7), monday + timedelta(days=number)
        label = phrases.short_date(day, year=False) if day == first or day.day == 1 else str(day.day)
        if (place := number - offset) < len(tiles):
            _draw_day(canvas, calendar.days[place], tiles[place], label, row, column)
        else:
            _write_date(canvas, label, row, column, DAY_DIM, DAY_PANEL)


def _outlines(calendar: DailyCalendar, tiles: Sequence[DayTile], offset: int) -> Iterator[tuple[Colour, range]]:
    """Yield the outlines around the streak and around the result of today. The first day has the number `offset`."""
    streak, last = _streak(calendar), len(tiles) - 1
    if streak and streak[0] < last:
        yield GOLD, range(offset + streak[0], offset + streak[-1] + 1)
    if tiles[last].is_today and tiles[last].kind in RESULT_KINDS:
        yield DAY_RING, range(offset + last, offset + last + 1)


def _draw_day(canvas: Canvas, day: CalendarDay, tile: DayTile, label: str, row: int, column: int) -> None:
    """Draw a day with its date, and with the points if there is a result."""
    left, top = _tile_left(column), _tile_top(row)
    canvas.put(day_tile(tile), left, top)
    x, (ink, background) = _text_left(column), tile.text_colours
    _write_date(canvas, label, row, column, ink, background)
    if tile.is_gin:
        canvas.put(gin_badge(tile), left, top)
    if day.own is not None and day.own.score is not None:
        room = TILE_SIZE[0] - 2 * _TEXT_LEFT
        points, cap = fitted_text(signed(day.own.score.points), _POINTS_CAP, _MIN_POINTS_CAP, room)
        canvas.text(x, top + _POINTS_BASELINE, points, cap, ink=ink, background=background)
    elif tile.kind == "open":
        _write(canvas, x, top + _POINTS_BASELINE - 2, phrases.TODAY, ink=TEXT)


def _write_date(canvas: Canvas, label: str, row: int, column: int, ink: Colour, background: Colour) -> None:
    canvas.text(_text_left(column), _tile_top(row) + _DATE_BASELINE, label, _DATE_CAP, ink=ink, background=background)


def _legend_rows(calendar: DailyCalendar) -> list[list[_Entry]]:
    """Return the rows of the legend, which has the marks that occur: results, and other marks of days.

    If they do not fit in one row, each group has its own.
    """
    tiles = _tiles(calendar)
    first, second = list(_result_entries(tiles)), list(_day_entries(calendar, tiles))
    width = sum(entry.width + _ENTRY_SPACE for entry in (*first, *second)) - _ENTRY_SPACE
    rows = [[*first, *second]] if width <= _RIGHT - _LEFT else [first, second]
    return [row for row in rows if row]


def _result_entries(tiles: Sequence[DayTile]) -> Iterator[_Entry]:
    """Yield the entries of results: wins of all sizes, losses, and gin."""
    loss, *wins = RESULT_KINDS
    if any(tile.kind in wins for tile in tiles):
        sizes = zip(wins, texts.LEAST_POINTS, strict=True)
        samples = (_Sample(DayTile(kind), _WIN_SAMPLE_SIZE, f"{least}+") for kind, least in sizes)
        yield _Entry(tuple(samples), phrases.POINTS_WON)
    if any(tile.kind == loss for tile in tiles):
        yield _Entry((_Sample(DayTile(loss), text=signed(_SAMPLE_LOSS)),), phrases.LOST)
    if any(tile.is_gin for tile in tiles):
        yield _Entry((_Sample(DayTile("large", is_gin=True)),), phrases.GIN)


def _day_entries(calendar: DailyCalendar, tiles: Sequence[DayTile]) -> Iterator[_Entry]:
    """Yield the entries of the streak, and of days without a result."""
    if any(not tiles[place].is_today for place in _streak(calendar)):
        half = _Sample(DayTile("middle"), _STREAK_SAMPLE_SIZE)
        yield _Entry((half, half), phrases.STREAK_DAYS, is_streak=True)
    words: dict[DayKind, str] = {
        "missed": phrases.MISSED,
        "unfinished": phrases.NOT_FINISHED,
        "no deal": phrases.NO_DEAL,
    }
    kinds = {tile.kind for tile in tiles}
    yield from (_Entry((_Sample(DayTile(kind)),), word) for kind, word in words.items() if kind in kinds)


def _draw_legend_row(canvas: Canvas, entries: Sequence[_Entry], top: int) -> None:
    x, baseline = _LEFT, top + (_SAMPLE_SIZE[1] + _SMALL_CAP) // 2
    for entry in entries:
        left = x + entry.line
        if entry.is_streak:
            outline = day_outlines([(GOLD, range(len(entry.samples)))], _STREAK_SAMPLE_SIZE)
            canvas.put(outline, x, top + (_SAMPLE_SIZE[1] - outline.height) // 2)
        for sample in entry.samples:
            width, height = sample.size
            canvas.put(day_tile(sample.tile, sample.size), left, top + (_SAMPLE_SIZE[1] - height) // 2)
            if sample.text:
                middle, (ink, background) = left + width // 2, sample.tile.text_colours
                canvas.text(middle, baseline, sample.text, _SMALL_CAP, ink=ink, background=background, align="centre")
            left += width + entry.space
        _write(canvas, x + entry.samples_width + _WORD_SPACE, baseline, entry.word, _SMALL_CAP)
        x += entry.width + _ENTRY_SPACE


def _write(canvas: Canvas, x: int, y: int, text: str, cap: int = LABEL_CAP, ink: Colour = MIST) -> int:
    """Write on the panel. Return the width of the text."""
    return canvas.text(x, y, text, cap, ink=ink, background=RECESS)
