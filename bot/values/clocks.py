"""Clocks: how long people may take for their turns, and what happens once they have taken longer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

PER_TURN: Final = ("12h", "1d", "2d", "3d", "7d", "14d")
"""The times per turn, as they are written."""

LIVE: Final = ("5m+10s", "10m+20s", "20m+30s")
"""The usual banks with what each turn adds. Others can be written."""

LONGEST_BANK: Final = timedelta(hours=3)
LONGEST_INCREMENT: Final = timedelta(minutes=5)

MAX_GIFT: Final = timedelta(days=1)
MAX_LIVE_GIFT: Final = timedelta(minutes=5)

NO_CLOCK_FOR: Final = timedelta(days=7)
"""Without a clock nobody loses by themselves, but after a turn of this long the waiting players may claim the match."""

FLAG: Final = "flag"
"""The word that lets a clock end the match by itself."""

_NONE: Final = "none"
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1)}
_LIVE: Final = re.compile("([1-9][0-9]{0,2})m(?:[+]([0-9]{1,3})s)?")


class UnknownClockError(ValueError):
    """A text names no clock."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that a seat has: `time` anew for each turn, or with an `increment` for all turns, each of which adds it.

    `time` is None without a clock. With `flags` a seat loses as soon as its time is used up; without, the players who
    wait may claim the match then. A text such as `2d`, `2d flag`, `10m+20s` or `none` stands for each.
    """

    time: timedelta | None = None
    increment: timedelta | None = None
    flags: bool = False

    @staticmethod
    def parse(text: str) -> Clock:
        """Return the clock that a text stands for. Raise `UnknownClockError`."""
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
        """True if it is for players who are there at the same time."""
        return self.increment is not None

    @property
    def full(self) -> timedelta:
        """The time of a seat that has used none."""
        return NO_CLOCK_FOR if self.time is None else self.time

    @property
    def gift(self) -> timedelta:
        """The time that a player who waits may give at once: a day, or 5 minutes of a live clock, at most `full`."""
        return min(MAX_LIVE_GIFT if self.live else MAX_GIFT, self.full)


NO_CLOCK: Final = Clock()


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The time of a seat that is to act: what is `left`, none if it is used up, and `ends_at`, when it will be.

    While it stands still `ends_at` is None, unless it is known until when: `away_until` is the end of the player's
    holiday, and `ends_at` then comes after it. `cut_off` says that it stands still because nobody can reach the table.
    If the player alone cannot reach it, `call_off_at` is when the others may call the match off. `gone` is True if the
    player was found to have left the server.
    """

    left: timedelta
    ends_at: datetime | None
    away_until: datetime | None = None
    cut_off: bool = False
    call_off_at: datetime | None = None
    gone: bool = False

    @property
    def used_up(self) -> bool:
        """True if no time is left."""
        return self.left <= timedelta()


class Standstill(StrEnum):
    """Why the times of many matches stood still."""

    SHARD = "shard"
    """Their shard of the gateway was not connected."""
    GUILD = "guild"
    """Their server had removed the bot, or was unavailable because of an outage of Discord's."""


class TimeChange(StrEnum):
    """What changes the times of a match besides its turns."""

    GIFT = "gift"
    """An opponent gave time."""
    PAUSE = "pause"
    """All agreed to pause: from then on no time runs."""
    CONTINUE = "continue"
    """All agreed to go on: from then on time runs again."""
    UNSEEN = "unseen"
    """The player could not reach the table: their time stands still."""
    SEEN = "seen"
    """They came back: it runs again."""
