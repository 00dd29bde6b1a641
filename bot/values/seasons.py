"""Seasons: months or quarters by the calendar of a server's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from bot.values.appearance import Appearance
from bot.values.ids import ChannelId, GuildId, MatchId, PersonId
from bot.values.standings import Order, Ranked
from bot.values.statistics import Category, Player

_QUARTERS: Final = 90
"""What is added to a quarter in the number of a season, to tell it from a month."""


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


def number_of(key: str) -> int:
    """Return the number of a season: 202611 of the month `2026-11`, 202694 of the quarter `2026-Q4`."""
    return int(key.replace("-Q", "9").replace("-", ""))


def key_of(number: int) -> str:
    """Return the key of the season with a number."""
    year, rest = divmod(number, 100)
    return f"{year}-Q{rest - _QUARTERS}" if rest > _QUARTERS else f"{year}-{rest:02}"


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
    """What somebody got in a season, with their place, and how much they did of it.

    Only podiums have a category, and only deals a match, with its channel unless that is gone. There are several deals,
    the largest first, of the same person too.
    """

    award: Award
    category: Category | None
    place: int
    person_id: PersonId
    name: str
    value: int
    match_id: MatchId | None = None
    channel_id: ChannelId | None = None
    username: str | None = None
    ambiguous: bool = False

    @property
    def player(self) -> Player:
        """Who got it."""
        return Player(self.person_id, self.name, username=self.username, ambiguous=self.ambiguous)


@dataclass(frozen=True, slots=True)
class Podium:
    """The first three places in a category when a season ended, and how many people were on its board.

    `rows` are in the order that led. Those who are as good share a place, so they may be more than three.
    """

    category: Category
    order: Order
    rows: tuple[Ranked, ...]
    people: int


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The result of a season that is over: podiums, that of the category with most people first, and who did most.

    `superlatives` has the largest deals as `Awarded` says. `appearance` is that of the server.
    """

    guild_id: GuildId
    season: str
    appearance: Appearance
    podiums: tuple[Podium, ...]
    superlatives: tuple[Awarded, ...]


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
