"""Invented results of deals of the day, for samples of podiums."""

from __future__ import annotations

from datetime import date
from typing import Final

from bot.engine.deals.showdown import OutcomeKind
from bot.model.daily import DailyEndings, DailyPlace, DailyPodium, DailyScore
from bot.model.ids import PersonId
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
