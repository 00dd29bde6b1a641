"""Clocks: time limits for turns, and the consequences of exceeding them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

TURN_TIMES: Final = ("12h", "1d", "2d", "3d", "7d", "14d")
"""The possible times for each turn, in the text form of clocks."""

LIVE_CLOCKS: Final = ("5m+10s", "10m+20s", "20m+30s")
"""The usual live clocks: a time bank, and the increment for each turn. Players can also type other ones."""

MAX_BANK: Final = timedelta(hours=3)
MAX_INCREMENT: Final = timedelta(minutes=5)

MAX_GIFT: Final = timedelta(days=1)
MAX_LIVE_GIFT: Final = timedelta(minutes=5)

CLAIM_TIME_WITHOUT_CLOCK: Final = timedelta(days=7)
"""In a match without a clock, the length of a turn after which the waiting players may claim the match."""

FLAG_WORD: Final = "flag"
"""The word in a clock's text form that makes a player lose automatically when their time runs out."""

_NO_CLOCK_WORD: Final = "none"
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1)}
_LIVE_PATTERN: Final = re.compile("([1-9][0-9]{0,2})m(?:[+]([0-9]{1,3})s)?")


class UnknownClockError(ValueError):
    """A text is not the text form of a clock."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time limit of a seat. Its text form is, for example, `2d`, `2d flag`, `10m+20s` or `none`.

    `time` is the time for each turn or, with an `increment`, a time bank to which each turn adds the increment. `time`
    is None without a clock. With `flags`, a seat loses as soon as its time runs out; otherwise the waiting players may
    then claim the match.
    """

    time: timedelta | None = None
    increment: timedelta | None = None
    flags: bool = False

    @staticmethod
    def parse(text: str) -> Clock:
        """Parse the text form of a clock. Raise `UnknownClockError` for any other text."""
        words = text.lower().split()
        flags = words[1:] == [FLAG_WORD]
        if not words or (len(words) > 1 and not flags) or words == [_NO_CLOCK_WORD, FLAG_WORD]:
            raise UnknownClockError(text)
        if words[0] == _NO_CLOCK_WORD:
            return NO_CLOCK
        if words[0] in TURN_TIMES:
            return Clock(int(words[0][:-1]) * _UNITS[words[0][-1]], None, flags)
        if (live := _LIVE_PATTERN.fullmatch(words[0])) is not None:
            bank, increment = timedelta(minutes=int(live[1])), timedelta(seconds=int(live[2] or 0))
            if bank <= MAX_BANK and increment <= MAX_INCREMENT:
                return Clock(bank, increment, flags)
        raise UnknownClockError(text)

    def __str__(self) -> str:
        if self.time is None:
            return _NO_CLOCK_WORD
        flag = f" {FLAG_WORD}" if self.flags else ""
        if self.increment is not None:
            return f"{self.time // timedelta(minutes=1)}m+{self.increment // timedelta(seconds=1)}s{flag}"
        hours = self.time // timedelta(hours=1)
        return (f"{hours}h" if hours % 24 else f"{hours // 24}d") + flag

    @property
    def is_live(self) -> bool:
        """True if the clock is for players who are present at the same time."""
        return self.increment is not None

    @property
    def full_time(self) -> timedelta:
        """The remaining time of a seat that has not used any."""
        return CLAIM_TIME_WITHOUT_CLOCK if self.time is None else self.time

    @property
    def gift(self) -> timedelta:
        """The time that a waiting player can add to an opponent's clock with one click.

        This is a day, or 5 minutes with a live clock, but at most `full_time`.
        """
        return min(MAX_LIVE_GIFT if self.is_live else MAX_GIFT, self.full_time)


NO_CLOCK: Final = Clock()


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The remaining time of a seat: `left`, which is zero once the time has run out, and `ends_at`, when it runs out.

    `ends_at` is None while the clock does not run. But if the player's holiday is the only reason, `ends_at` is the
    time at which the clock will run out after the holiday. `away_until` is the end of the holiday. `is_cut_off` is True
    if the clock is stopped because nobody can reach the table. If this player alone cannot reach the table, the others
    may call the match off from `call_off_at` on. `has_left_server` is True if the player is known to have left the
    server.
    """

    left: timedelta
    ends_at: datetime | None
    away_until: datetime | None = None
    is_cut_off: bool = False
    call_off_at: datetime | None = None
    has_left_server: bool = False

    @property
    def is_used_up(self) -> bool:
        """True if the time has run out."""
        return self.left <= timedelta()


class Standstill(StrEnum):
    """The reason why the clocks of many matches were stopped."""

    SHARD = "shard"
    """The gateway shard of the matches' server was disconnected."""
    GUILD = "guild"
    """The server of the matches removed the bot, or was unavailable because of a Discord outage."""


class TimeChange(StrEnum):
    """The cause of a change to a player's remaining time, other than a turn."""

    GIFT = "gift"
    """An opponent gave time."""
    PAUSE = "pause"
    """All players agreed to pause: time stops."""
    CONTINUE = "continue"
    """All players agreed to continue: time runs again."""
    UNSEEN = "unseen"
    """The table's channel was hidden from the player or deleted, so their clock was stopped."""
    SEEN = "seen"
    """The clock stopped by `UNSEEN` runs again, for example because the player can see the table again."""
