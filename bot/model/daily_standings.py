"""The standings of a server in the deals of the day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from bot.model.daily import DailyTotal, DailyTry
from bot.model.streaks import Streaks


class DailyPeriod(StrEnum):
    """The days that count in standings, all up to today."""

    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"

    def first_day(self, today: date) -> date:
        """Return the first day of the period. Weeks begin on Monday."""
        match self:
            case DailyPeriod.TODAY:
                return today
            case DailyPeriod.WEEK:
                return today - timedelta(days=today.weekday())
            case DailyPeriod.MONTH:
                return today.replace(day=1)
            case DailyPeriod.ALL:
                return date.min


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """A person's place and sums, and their current streak in days."""

    place: int
    total: DailyTotal
    streak: int


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """A page of a server's standings on a day, with the standing of the person who asked.

    `people` is the number of people with a place, and `playing` the number of people whose tries at today's deal are
    running. `own` is None if the person has no place. `own_try` is their try at today's deal, or None. `is_open` is
    True if today's deal can be played. `streaks` are the person's own.
    """

    period: DailyPeriod
    today: date
    people: int
    playing: int
    page: int
    pages: int
    rows: tuple[DailyStanding, ...]
    own: DailyStanding | None
    own_try: DailyTry | None
    is_open: bool
    streaks: Streaks
