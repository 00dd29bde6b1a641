"""Clocks: time limits for turns, and the consequences of exceeding them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

PER_TURN: Final = ("12h", "1d", "2d", "3d", "7d", "14d")
"""The times per turn, in their text form."""

LIVE: Final = ("5m+10s", "10m+20s", "20m+30s")
"""The usual live clocks: a time bank, and the increment for each turn. Players can type others."""

LONGEST_BANK: Final = timedelta(hours=3)
LONGEST_INCREMENT: Final = timedelta(minutes=5)

MAX_GIFT: Final = timedelta(days=1)
MAX_LIVE_GIFT: Final = timedelta(minutes=5)

NO_CLOCK_FOR: Final = timedelta(days=7)
"""Turn length after which the waiting players may claim a match without a clock. Nobody loses it automatically."""

FLAG: Final = "flag"
"""The word that makes a clock end the match automatically."""

_NONE: Final = "none"
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1)}
_LIVE: Final = re.compile("([1-9][0-9]{0,2})m(?:[+]([0-9]{1,3})s)?")


class UnknownClockError(ValueError):
    """The text does not name a clock."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time limit of a seat: `time` for each turn or, with an `increment`, one bank to which each turn adds it.

    `time` is None without a clock. With `flags`, a seat loses as soon as its time runs out; otherwise the waiting
    players may then claim the match. The text form is for example `2d`, `2d flag`, `10m+20s` or `none`.
    """

    time: timedelta | None = None
    increment: timedelta | None = None
    flags: bool = False

    @staticmethod
    def parse(text: str) -> Clock:
        """Parse the text form of a clock. Raise `UnknownClockError`."""
        words = text.lower().split()
        flags = words[1:] == [FLAG]
        if not words or (len(words) > 1 and not flags) or words == [_NONE, FLAG]:
            raise UnknownClockError(text)
        if words[0] == _NONE:
            return NO_CLOCK
        if words[0] in PER_TURN:
            return Clock(int(words[0][:-1]) * _UNITS[words[0][-1]], None, flags)
        if (found := _LIVE.fullmatch(words[0])) is not None:
            bank, increment = timedelta(minutes=int(found[1])), timedelta(seconds=int(found[2] or 0))
            if bank <= LONGEST_BANK and increment <= LONGEST_INCREMENT:
                return Clock(bank, increment, flags)
        raise UnknownClockError(text)

    def __str__(self) -> str:
        if self.time is None:
            return _NONE
        flag = f" {FLAG}" if self.flags else ""
        if self.increment is not None:
            return f"{self.time // timedelta(minutes=1)}m+{self.increment // timedelta(seconds=1)}s{flag}"
        hours = self.time // timedelta(hours=1)
        return (f"{hours}h" if hours % 24 else f"{hours // 24}d") + flag

    @property
    def live(self) -> bool:
        """True if the clock is for players who are present at the same time."""
        return self.increment is not None

    @property
    def full(self) -> timedelta:
        """The time of a seat that has used none of it."""
        return NO_CLOCK_FOR if self.time is None else self.time

    @property
    def gift(self) -> timedelta:
        """The time of one gift from a waiting player: a day, or 5 minutes with a live clock, but at most `full`."""
        return min(MAX_LIVE_GIFT if self.live else MAX_GIFT, self.full)


NO_CLOCK: Final = Clock()


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The remaining time of a seat whose turn it is: `left`, none if it has run out, and its end `ends_at`.

    While the time is stopped, `ends_at` is None, unless the stop has a known end: `away_until` is the end of the
    player's holiday, and `ends_at` then comes after it. `cut_off` is True if the time is stopped because nobody can
    reach the table. If only the player cannot reach it, the others may call the match off at `call_off_at`. `gone` is
    True if the player is known to have left the server.
    """

    left: timedelta
    ends_at: datetime | None
    away_until: datetime | None = None
    cut_off: bool = False
    call_off_at: datetime | None = None
    gone: bool = False

    @property
    def used_up(self) -> bool:
        """True if the time has run out."""
        return self.left <= timedelta()


class Standstill(StrEnum):
    """Why the clocks of many matches were stopped."""

    SHARD = "shard"
    """The matches' gateway shard was disconnected."""
    GUILD = "guild"
    """Their server had removed the bot, or was unavailable because of a Discord outage."""


class TimeChange(StrEnum):
    """Changes to the times of a match other than turns."""

    GIFT = "gift"
    """An opponent gave time."""
    PAUSE = "pause"
    """All players agreed to pause: time stops."""
    CONTINUE = "continue"
    """All players agreed to continue: time runs again."""
    UNSEEN = "unseen"
    """The player cannot reach the table: their time stops."""
    SEEN = "seen"
    """The player can reach the table again: their time runs."""
