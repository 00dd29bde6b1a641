"""Invented results of deals of the day, for samples of podiums and calendars."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import (
    CalendarDay,
    DailyCalendar,
    DailyEndings,
    DailyPlace,
    DailyPodium,
    DailyScore,
    DailyTry,
)
from bot.model.ids import MatchId, PersonId
from bot.model.statistics import Player
from tests.gallery.sample_profiles import USERNAMES

DAY: Final = date(2026, 11, 23)
"""The current day."""


def daily_podium(
    *rows: str, endings: tuple[int, int, int, int, int], places: tuple[int, ...] = (1, 2, 3)
) -> DailyPodium:
    """Return a podium from rows of the form `name points turns kind`.

    `endings` are the numbers of knocks, gins, undercuts, losses and unfinished tries.
    """
    people: list[DailyPlace] = []
    for number, (place, row) in enumerate(zip(places, rows, strict=False), 1):
        name, points, turns, kind = row.split()
        player = Player(PersonId(number), name, username=USERNAMES.get(name))
        people.append(DailyPlace(place, player, DailyScore(int(points), int(turns), OutcomeKind(kind))))
    return DailyPodium(DAY, tuple(people), DailyEndings(*endings))


def calendar(
    days: str, today: date = DAY, streaks: tuple[int, int] = (4, 31), played: int = 87, average: float | None = 13.7
) -> DailyCalendar:
    """Return a calendar that ends today, with a day for each word of `days`.

    A word is the points of the day, with `g` for gin; `.` for a missed day, `o` for an unfinished try, and `x` for a
    day without a deal.
    """
    told = days.split()
    first = today - timedelta(days=len(told) - 1)
    shown = tuple(_calendar_day(first + timedelta(days=place), word) for place, word in enumerate(told))
    finished = [day.own for day in shown if day.own is not None and day.own.score is not None]
    best = max(finished, key=lambda own: own.score.points if own.score else 0, default=None)
    return DailyCalendar(shown, today, *streaks, played, average, best)


def _calendar_day(day: date, word: str) -> CalendarDay:
    if word in (".", "x"):
        return CalendarDay(day, was_down=word == "x")
    kind = OutcomeKind.GIN if word.endswith("g") else OutcomeKind.KNOCK
    score = None if word == "o" else DailyScore(int(word.removesuffix("g")), 9, kind)
    return CalendarDay(day, DailyTry(day, MatchId(1), score))
