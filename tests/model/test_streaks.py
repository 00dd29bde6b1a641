"""Streaks of days on which a person finished the deal of the day."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.streaks import NO_STREAKS, Streaks

DAYS = [date(2026, 11, 27) + timedelta(days=number) for number in range(12)]
SETS_OF_DAYS = st.sets(st.sampled_from(DAYS))


def days(text: str, mark: str) -> list[date]:
    """Return the days with a mark, given a text with a character for each day."""
    return [day for day, character in zip(DAYS, text, strict=False) if character in mark]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", NO_STREAKS),
        (".", NO_STREAKS),
        ("+", Streaks(1, 1)),
        ("+++", Streaks(3, 3)),
        ("+++.", Streaks(0, 3)),
        ("+++.+", Streaks(1, 3)),
        (".+..++", Streaks(2, 2)),
        ("+ + +", Streaks(3, 3)),
        ("+  *  +", Streaks(3, 3)),
        ("++ ", Streaks(2, 2)),
        ("++ .", Streaks(0, 2)),
        (" .", NO_STREAKS),
    ],
)
def test_streaks_of_some_days(text: str, expected: Streaks) -> None:
    """A finished day (+) counts, a missed one (.) ends a streak, and one that cannot be missed (space) does neither.

    A day that could not be missed counts if it was finished (*).
    """
    assert Streaks.of(days(text, "+*"), days(text, "+.")) == expected


@given(SETS_OF_DAYS, SETS_OF_DAYS)
def test_streaks_are_runs_without_a_missed_day(finished: Collection[date], missable: Collection[date]) -> None:
    """The longest streak is the most finished days without a missed one between them, the current one the last."""
    missed = [day for day in missable if day not in finished]
    runs = [
        sum(first <= day <= last for day in finished)
        for first in finished
        for last in finished
        if not any(first < day < last for day in missed)
    ]
    streaks = Streaks.of(finished, missable)
    assert streaks.longest == max(runs, default=0)
    assert streaks.current == sum(day > max(missed, default=date.min) for day in finished)


@given(SETS_OF_DAYS, SETS_OF_DAYS)
def test_the_day_in_progress_ends_no_streak(finished: Collection[date], missable: Collection[date]) -> None:
    """A day that can still be finished changes no streak; finishing it adds one day."""
    earlier, today = Streaks.of(finished, missable), DAYS[-1] + timedelta(days=1)
    current = earlier.current + 1
    assert Streaks.of({*finished, today}, missable) == Streaks(current, max(current, earlier.longest))
