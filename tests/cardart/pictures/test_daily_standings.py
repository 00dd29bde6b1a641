"""The standings in the deals of the day show places, names, streaks and numbers."""

from __future__ import annotations

import pytest

from bot.model.appearance import Appearance
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import PersonId
from cardart import draw_daily_standings
from cardart.drawing.themes import THEMES
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_profiles import daily_standings

_TWO_ROWS = daily_standings("North 32 9 2 0 17", "South -120 40 5 1 0")


def test_the_alt_text_has_every_number() -> None:
    """The alt text has each place, name and number, and the viewer's own place. Today has no number of days."""
    assert draw_daily_standings(_TWO_ROWS, DailyPeriod.WEEK, PersonId(2)).alt == (
        "Most points. 1. North: +32, 9 turns, 2 days, streak 17. "
        "2. South: −120, 40 turns, 5 days, 1 not finished, streak 0. Your place: 2."
    )
    assert draw_daily_standings(_TWO_ROWS[:1]).alt == "Most points. 1. North: +32, 9 turns, streak 17."


def test_every_fact_is_in_the_picture() -> None:
    """Different places, names, numbers and streaks change the picture, and so does the viewer's own place."""
    lines = ("South 1 2 3 1 4", "Sauth 1 2 3 1 4", "South 2 2 3 1 4", "South 1 3 3 1 4", "South 1 2 4 1 4")
    lines += ("South 1 2 3 0 4", "South 1 2 3 1 5", "South 1 2 3 1 0")
    drawn = {draw_daily_standings(daily_standings(line), DailyPeriod.ALL).content for line in lines}
    rows = daily_standings(lines[0])
    drawn.add(draw_daily_standings(daily_standings(lines[0], first=2), DailyPeriod.ALL).content)
    drawn.add(draw_daily_standings(rows, DailyPeriod.ALL, PersonId(1)).content)
    drawn.add(draw_daily_standings(rows, DailyPeriod.ALL, avatars={PersonId(1): sample_avatar("cat")}).content)
    assert len(drawn) == len(lines) + 3


def test_long_streaks_and_numbers_of_days_do_not_overlap() -> None:
    """A streak that differs in its last digit looks different, even next to the widest number of days."""
    rows = [daily_standings(f"North 99999 99999 9999 9999 999{last}") for last in "89"]
    first, second = [draw_daily_standings(row, DailyPeriod.ALL) for row in rows]
    assert first.content != second.content


@pytest.mark.thorough
def test_ten_long_rows_fit() -> None:
    """A page of ten rows with the longest names has at most 40 KB, and its alt text fits."""
    rows = daily_standings(*[f"{'W' * 32} -999999 99999 9999 9999 9999"] * 10, first=9_990)
    picture = draw_daily_standings(rows, DailyPeriod.ALL, PersonId(1))
    assert len(picture.alt) <= 1024
    assert len(picture.content) <= 40 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    drawn = [draw_daily_standings(_TWO_ROWS, appearance=Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
