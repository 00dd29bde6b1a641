"""The texts of daily standings say which days they are about, and what breaks ties."""

from __future__ import annotations

from datetime import date

import pytest

from bot.model.daily import DailyTotal
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import PersonId
from bot.model.statistics import Player
from cardart.text import phrases
from cardart.text.daily_standings import broken_ties, finished, period_name
from tests.gallery.sample_profiles import daily_board, daily_standings


@pytest.mark.parametrize(
    ("period", "text"),
    [
        (DailyPeriod.TODAY, "Today, Wed 25 Nov 2026"),
        (DailyPeriod.WEEK, "This week, 23–29 Nov 2026"),
        (DailyPeriod.MONTH, "November 2026"),
        (DailyPeriod.ALL, "All time"),
    ],
)
def test_the_days_are_named(period: DailyPeriod, text: str) -> None:
    """Each period is named with its day, its week or its month."""
    assert period_name(period, date(2026, 11, 25)) == text


@pytest.mark.parametrize(
    ("done", "unfinished", "text"),
    [(24, 0, "24 finished"), (23, 1, "23 of 24 finished"), (2_345, 1_024, "2,345 of 3,369 finished")],
)
def test_finished_tries_come_first(done: int, unfinished: int, text: str) -> None:
    """The number of finished tries comes first. That of unfinished ones follows only if there are any."""
    total = DailyTotal(Player(PersonId(1), "North"), 0, 0, done, unfinished)
    assert finished(total, DailyPeriod.ALL) == text


@pytest.mark.parametrize(("unfinished", "is_noted"), [(0, False), (1, True)])
def test_a_single_day_needs_no_numbers(unfinished: int, *, is_noted: bool) -> None:
    """Today's standings only mark a try that is not finished."""
    total = DailyTotal(Player(PersonId(1), "North"), 0, 0, 1 - unfinished, unfinished)
    assert bool(finished(total, DailyPeriod.TODAY)) == is_noted


@pytest.mark.parametrize(
    ("other", "by_turns", "by_unfinished"),
    [
        ("South 30 9 2 0 0", False, False),
        ("South 32 9 2 0 0", False, False),
        ("South 32 10 2 0 0", True, False),
        ("South 32 9 1 1 0", True, True),
    ],
)
def test_broken_ties_are_explained(other: str, *, by_turns: bool, by_unfinished: bool) -> None:
    """Only if people with equal points have different places, a note explains them by turns or unfinished tries."""
    rows = daily_standings("North 32 9 2 0 17", other)
    boards = daily_board(rows), daily_board(rows[:1], own=rows[1])
    for note in (broken_ties(boards[0], None), broken_ties(boards[1], rows[1].total.player.id)):
        assert (phrases.FEWER_TURNS_FIRST in note, phrases.THEN_FEWER_UNFINISHED in note) == (by_turns, by_unfinished)
    assert broken_ties(boards[1], None) == ""
