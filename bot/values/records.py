"""Server records: the best of what happened in the matches of a server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.values.ids import GuildId, MatchId
from bot.values.matches import MatchInfo

KEPT: Final = 5
"""How many of each kind are kept for a server."""


class RecordKind(StrEnum):
    """What a record is about. The turns of a deal are those of all its players."""

    FASTEST_GIN = "fastest_gin"
    """The fewest turns in a deal that ended in gin."""
    LARGEST_DEAL = "largest_deal"
    """The most points for a deal. Deals that charge penalty points are not compared."""
    LONGEST_DEAL = "longest_deal"
    """The most turns in a deal in which hands were laid down."""
    COMEBACK = "comeback"
    """The most points that somebody was behind in a match and then won it."""
    STREAK = "streak"
    """The most matches that somebody won in a row."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate for a record: what was reached when, by a seat of a match.

    `number` is the deal's place in the order in which the match's deals ended, 0 for what is about more than a deal. A
    streak is known by the match that it began with.
    """

    kind: RecordKind
    match_id: MatchId
    number: int
    seat: int
    value: int
    at: datetime

    @property
    def key(self) -> tuple[RecordKind, MatchId, int, int]:
        """What it is about. Of two entries about the same, the better one counts."""
        return self.kind, self.match_id, self.number, self.seat

    @property
    def rank(self) -> tuple[int, datetime, MatchId, int, int]:
        """A key to sort by, the best first: among equals, who was first."""
        value = self.value if self.kind is RecordKind.FASTEST_GIN else -self.value
        return value, self.at, self.match_id, self.number, self.seat


@dataclass(frozen=True, slots=True)
class Streak:
    """How many matches somebody has won in a row on a server up to now, and in which seat of which match that began.

    Without any, that is None.
    """

    length: int
    match_id: MatchId | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A record that is held, with the match it is from; a streak has the one that it began with."""

    entry: Entry
    match: MatchInfo


@dataclass(frozen=True, slots=True)
class OwnStreak:
    """A person's present streak on a server."""

    guild_id: GuildId
    streak: Streak


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """A record that a person holds on a server."""

    guild_id: GuildId
    entry: Entry
