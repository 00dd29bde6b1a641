"""The periods of the standings in the deals of the day."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.model.daily_standings import DailyPeriod


@given(st.dates())
def test_periods_contain_today(today: date) -> None:
    """Today's standings have only today, those of a month begin with its first day, and the longest have every day."""
    first = {period: period.first_day(today) for period in DailyPeriod}
    assert first[DailyPeriod.TODAY] == today
    assert first[DailyPeriod.ALL] == date.min
    assert first[DailyPeriod.MONTH] == date(today.year, today.month, 1)


@given(st.dates(min_value=date(2, 1, 1)))
def test_a_week_begins_on_monday(today: date) -> None:
    """The week has the days since the last Monday, seven at most."""
    first = DailyPeriod.WEEK.first_day(today)
    assert first.isoweekday() == 1
    assert timedelta() <= today - first < timedelta(days=7)
