"""Seasons: months or quarters by the calendar of a server's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.values.ids import PersonId
from bot.values.statistics import Category


class Seasons(StrEnum):
    """How long the seasons of a server are."""

    NONE = "none"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"


@dataclass(frozen=True, slots=True)
class Season:
    """A season by its key, such as `2026-11` or `2026-Q4`, and when it ends."""

    key: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class SeasonsShown:
    """The seasons that a leaderboard can show, by their keys: the running one, and the last one that is over."""

    running: str | None = None
    last: str | None = None


class Award(StrEnum):
    """What a season that is over says of people: who leads in a category, and who did most of something."""

    PODIUM = "podium"
    GINS = "gins"
    STREAK = "streak"
    DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Awarded:
    """What somebody got in a season, with their place, and how much they did of it. Only podiums have a category."""

    award: Award
    category: Category | None
    place: int
    person_id: PersonId
    name: str
    value: int


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of all time zones."""
    return tuple(sorted(available_timezones()))


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC if there is none, as where a system has fewer than that of before."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def season_at(moment: datetime, seasons: Seasons, zone: ZoneInfo) -> Season | None:
    """Return the season at a moment; None where there are none. It ends with the last day of its last month there."""
    if seasons is Seasons.NONE:
        return None
    local = moment.astimezone(zone)
    months = 1 if seasons is Seasons.MONTHLY else 3
    number = (local.month - 1) // months
    year, month = divmod(local.year * 12 + (number + 1) * months, 12)
    key = f"{local.year}-{number + 1:02}" if months == 1 else f"{local.year}-Q{number + 1}"
    return Season(key, datetime(year, month + 1, 1, tzinfo=zone).astimezone(UTC))
