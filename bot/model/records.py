"""Server records: the best results in the matches of a server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.model.ids import GuildId, MatchId
from bot.model.matches import MatchInfo

MAX_RECORDS_PER_KIND: Final = 5
"""Number of records of each kind that are stored for a server."""


class RecordKind(StrEnum):
    """The kinds of server records. The number of turns in a deal includes the turns of all its players."""

    FASTEST_GIN = "fastest_gin"
    """Fewest turns in a deal that ended in gin."""
    LARGEST_DEAL = "largest_deal"
    """Most points for a deal. Deals with penalty points are not eligible."""
    LONGEST_DEAL = "longest_deal"
    """Most turns in a deal that ended with hands laid down."""
    COMEBACK = "comeback"
    """Largest deficit, in points, of a player who then won the match."""
    STREAK = "streak"
    """Most matches that one player won in a row."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate for a record: a value that a seat of a match reached, and when.

    `number` is the deal's index, from 1, in the order in which the match's deals ended; 0 for kinds that are not about
    a single deal. A streak is identified by its first match.
    """

    kind: RecordKind
    match_id: MatchId
    number: int
    seat: int
    value: int
    at: datetime

    @property
    def key(self) -> tuple[RecordKind, MatchId, int, int]:
        """A key that identifies the achievement. Of two entries with the same key, the better one counts."""
        return self.kind, self.match_id, self.number, self.seat

    @property
    def sort_key(self) -> tuple[int, datetime, MatchId, int, int]:
        """A sort key, best first. Ties go to the earlier entry."""
        value = self.value if self.kind is RecordKind.FASTEST_GIN else -self.value
        return value, self.at, self.match_id, self.number, self.seat


@dataclass(frozen=True, slots=True)
class Streak:
    """The number of matches that a player has won in a row on a server, and the match and seat of the first win.

    Without a streak, `match_id` and `seat` are None.
    """

    length: int
    match_id: MatchId | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A current record, and the match in which it was set. For a streak, this is its first match."""

    entry: Entry
    match: MatchInfo


@dataclass(frozen=True, slots=True)
class OwnStreak:
    """A person's current streak on a server."""

    guild_id: GuildId
    streak: Streak


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """A record that a person holds on a server."""

    guild_id: GuildId
    entry: Entry
