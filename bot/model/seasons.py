"""Seasons: calendar months or quarters in a server's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from bot.model.appearance import Appearance
from bot.model.ids import ChannelId, GuildId, MatchId, PersonId
from bot.model.standings import Ranked
from bot.model.statistics import Category, Player

_QUARTER_OFFSET: Final = 90
"""Number added to the quarter (1 to 4) in a season's number, so that a quarter cannot be mistaken for a month."""


class Seasons(StrEnum):
    """The length of a server's seasons."""

    NONE = "none"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"


@dataclass(frozen=True, slots=True)
class Season:
    """A season by its key, such as `2026-11` or `2026-Q4`, with its beginning and end.

    `begins_at` is None for a stored season that is older than version 0025 of the database.
    """

    key: str
    begins_at: datetime | None
    ends_at: datetime


def season_number(key: str) -> int:
    """Return the number of a season: 202611 for the month `2026-11`, 202694 for the quarter `2026-Q4`."""
    return int(key.replace("-Q", "9").replace("-", ""))


def season_key(number: int) -> str:
    """Return the key of the season with this number."""
    year, rest = divmod(number, 100)
    return f"{year}-Q{rest - _QUARTER_OFFSET}" if rest > _QUARTER_OFFSET else f"{year}-{rest:02}"


@dataclass(frozen=True, slots=True)
class ShownSeasons:
    """The keys of the seasons that a leaderboard can show: the current one and the last finished one."""

    current: str | None = None
    last: str | None = None


class Award(StrEnum):
    """The awards of a finished season: a place among the first three of a category, or a superlative."""

    PODIUM = "podium"
    GINS = "gins"
    STREAK = "streak"
    DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Awarded:
    """A person's award in a season, with their place and the value they reached.

    People with equal values share an award. Only a podium award has a category. Only an award for a high-scoring deal
    has a match and a channel; the channel is None if it was deleted. A season may have several awards for high-scoring
    deals, even for the same person.
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
    avatar: str | None = None
    ambiguous: bool = False

    @property
    def player(self) -> Player:
        """The person as a `Player`, with the names to show."""
        return Player(self.person_id, self.name, username=self.username, ambiguous=self.ambiguous, avatar=self.avatar)


@dataclass(frozen=True, slots=True)
class Podium:
    """The first three places in a category at the end of a season, and the number of people on its leaderboard.

    People with equal results share a place, so there may be more than three rows.
    """

    category: Category
    rows: tuple[Ranked, ...]
    people: int


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The result of a finished season: podiums, the category with the most people first, and superlatives.

    `superlatives` can have several awards for high-scoring deals, highest score first. `appearance` is the look that
    the server has chosen. `began_late_at` is as in `Leaderboard`.
    """

    guild_id: GuildId
    season: str
    appearance: Appearance
    podiums: tuple[Podium, ...]
    superlatives: tuple[Awarded, ...]
    began_late_at: datetime | None = None


def season_at(moment: datetime, seasons: Seasons, zone: ZoneInfo) -> Season | None:
    """Return the season that a time belongs to in a time zone, or None if the server has no seasons."""
    if seasons is Seasons.NONE:
        return None
    local = moment.astimezone(zone)
    months = 1 if seasons is Seasons.MONTHLY else 3
    number = (local.month - 1) // months
    key = f"{local.year}-{number + 1:02}" if months == 1 else f"{local.year}-Q{number + 1}"
    begins, ends = (_first_of_month(local.year, index * months, zone) for index in (number, number + 1))
    return Season(key, begins, ends)


def first_moment(key: str, zone: ZoneInfo) -> datetime:
    """Return the first moment of the month or quarter of a season in a time zone."""
    year, _, number = key.partition("-")
    month = 3 * int(number[1:]) - 3 if number.startswith("Q") else int(number) - 1
    return _first_of_month(int(year), month, zone)


def _first_of_month(year: int, month: int, zone: ZoneInfo) -> datetime:
    """Return the first moment of a month, which is counted from 0 and may be 12."""
    return datetime(year + month // 12, month % 12 + 1, 1, tzinfo=zone).astimezone(UTC)
