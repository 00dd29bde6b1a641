"""Invented results of deals of the day, for samples of podiums and calendars."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import cycle, islice
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
from bot.model.streaks import Streaks
from tests.gallery.sample_profiles import USERNAMES

DAY: Final = date(2026, 11, 23)
"""The current day."""
_RESULTS: Final = ("22", "-7", "41", "15", "33g", "-18", "8", "26", "12", "54", "-3", "37", "9")


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


def results(number: int) -> str:
    """Return words for some days with a result each."""
    return " ".join(islice(cycle(_RESULTS), number))


def calendar(days: str, today: date = DAY, earlier: str = "") -> DailyCalendar:
    """Return a calendar that ends today, with a day for each word of `days`, and numbers about these and earlier days.

    A word is the points of the day, with `g` for gin; `.` for a missed day, `o` for an unfinished try, and `x` for a
    day without a deal.
    """
    told = [*earlier.split(), *days.split()]
    first = today - timedelta(days=len(told) - 1)
    every = tuple(_calendar_day(first + timedelta(days=place), word) for place, word in enumerate(told))
    finished = [day.own for day in every if day.own is not None and day.own.score is not None]
    points = [own.score.points for own in finished if own.score is not None]
    missable = [day.day for day in every if day.day < today and not day.was_down]
    streaks = Streaks.of([own.day for own in finished], missable)
    return DailyCalendar(
        every[-len(days.split()) :],
        today,
        streaks.current,
        streaks.longest,
        len(points),
        sum(points) / len(points) if points else None,
        finished[points.index(max(points))] if points else None,
    )


def _calendar_day(day: date, word: str) -> CalendarDay:
    if word in (".", "x"):
        return CalendarDay(day, was_down=word == "x")
    kind = OutcomeKind.GIN if word.endswith("g") else OutcomeKind.KNOCK
    score = None if word == "o" else DailyScore(int(word.removesuffix("g")), 9, kind)
    return CalendarDay(day, DailyTry(day, MatchId(1), score))
