"""The title of daily standings says which days they are about."""

from __future__ import annotations

from datetime import date

import pytest

from bot.model.daily import DailyTotal
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import PersonId
from bot.model.statistics import Player
from cardart.text.daily_standings import days_played, title


@pytest.mark.parametrize(
    ("period", "text"),
    [
        (DailyPeriod.TODAY, "Today · Wed 25 Nov 2026"),
        (DailyPeriod.WEEK, "This week · 23–29 Nov 2026"),
        (DailyPeriod.MONTH, "November 2026"),
        (DailyPeriod.ALL, "All time"),
    ],
)
def test_the_title_has_the_days(period: DailyPeriod, text: str) -> None:
    """Each period is named with its day, its week or its month."""
    assert title(period, date(2026, 11, 25)) == text


@pytest.mark.parametrize(
    ("finished", "unfinished", "text"),
    [(24, 0, "24 played"), (1_204, 0, "1,204 played"), (23, 1, "23 of 24 finished"), (987, 37, "987/1,024 finished")],
)
def test_unfinished_tries_are_counted(finished: int, unfinished: int, text: str) -> None:
    """Only a person with an unfinished try has two numbers."""
    total = DailyTotal(Player(PersonId(1), "North"), 0, 0, finished, unfinished)
    assert days_played(total, DailyPeriod.ALL) == text


@pytest.mark.parametrize(("unfinished", "is_noted"), [(0, False), (1, True)])
def test_a_single_day_needs_no_numbers(unfinished: int, *, is_noted: bool) -> None:
    """Today's standings only mark a try that is not finished."""
    total = DailyTotal(Player(PersonId(1), "North"), 0, 0, 1 - unfinished, unfinished)
    assert bool(days_played(total, DailyPeriod.TODAY)) == is_noted
