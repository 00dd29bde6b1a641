"""The clock of a turn: the time left, and when to send reminders or end the turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from bot.play.clocks.quiet_hours import quiet_at
from bot.play.clocks.reckoning import Span, elapsed, moment_after, standing_until
from bot.values.clocks import Clock, TimeLeft
from bot.values.people import Preferences, Reminders

LEAST_NOTICE: Final = timedelta(hours=2)
MOST_NOTICE: Final = timedelta(days=1)
"""A reminder is sent when a quarter of the time is left, but within these limits."""

FIRST_WITHOUT_CLOCK: Final = timedelta(days=2)
WITHOUT_CLOCK_EVERY: Final = timedelta(days=7)
MOST_WITHOUT_CLOCK: Final = 4

NUDGED_AFTER: Final = timedelta(days=1)
"""Minimum wait before a nudge, and between two nudges."""

LEAST_BACK: Final = timedelta(hours=6)
LEAST_LIVE: Final = timedelta(minutes=1)
"""Minimum time for a returning player: with a clock per turn, enough for a reminder; with a live clock, for a move."""

MAX_STOPPED_FOR: Final = timedelta(days=7)
"""Maximum wait for a player who cannot reach the table. After that, the others may call the match off."""

BEGINS_WITHIN: Final = timedelta(minutes=10)
"""Time after the start of quiet hours in which a reminder may still be sent."""

GRACE: Final = timedelta(seconds=5)
"""Delay before a clock ends a match. By then, every process has handled the clicks that came in time."""

_DAY: Final = timedelta(days=1)


class TimeEvent(Enum):
    """A timed event during a seat's turn."""

    REMINDER = auto()
    NUDGE = auto()
    USED_UP = auto()
    CALL_OFF = auto()
    """The clock has been stopped for so long that the others may call the match off."""


def left_to_go_on(clock: Clock, left: timedelta) -> timedelta | None:
    """Return the time for a player who resumes a turn after a pause or comes back: the rest, but enough to move.

    Return None without a clock: the time starts from zero.
    """
    if clock.time is None:
        return None
    return max(left, LEAST_LIVE if clock.live else LEAST_BACK)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The clock of the seat whose turn it is.

    The seat had `allowance` when its turn began (`since`). `still` are the past and planned standstills. With
    `stopped`, the clock stands still until further notice and `allowance` is the remaining time; `stopped_at` is the
    time since when the player cannot reach the table, if that is the cause. With `cut_off`, nobody can reach the table
    now, and no event is due until that ends. The other fields record events of this turn, as in `tables.seat`.
    """

    clock: Clock
    since: datetime
    allowance: timedelta
    still: tuple[Span, ...]
    stopped: bool
    preferences: Preferences
    cut_off: bool = False
    reminders: int = 0
    reminded_at: datetime | None = None
    nudged_at: datetime | None = None
    used_up_at: datetime | None = None
    stopped_at: datetime | None = None
    gone: bool = False

    @property
    def call_off_at(self) -> datetime | None:
        """Time from which the others may call the match off; None if the player can reach the table."""
        return None if self.stopped_at is None else self.stopped_at + min(self.allowance, MAX_STOPPED_FOR)

    def may_call_off(self, now: datetime) -> bool:
        """Return True if the others may call the match off, because only this player cannot reach the table."""
        return not self.cut_off and self.call_off_at is not None and self.call_off_at <= now

    def stands_still(self, now: datetime) -> bool:
        """Return True if the clock stands still."""
        return self.cut_off or self.stopped or standing_until(now, self.still) is not None

    def ran(self, now: datetime) -> timedelta:
        """Return the time that the clock has run in this turn."""
        return timedelta() if self.stopped else elapsed(self.since, now, self.still)

    def left(self, now: datetime) -> timedelta:
        """Return the remaining time; negative if it was exceeded."""
        return self.allowance - self.ran(now)

    @property
    def ends_at(self) -> datetime:
        """Expected or actual time at which the clock runs out."""
        return self._after(self.allowance)

    def time_left(self, now: datetime, away_until: datetime | None) -> TimeLeft:
        """Return the public view of the clock. `away_until` is the end of the player's holiday."""
        left = max(self.left(now), timedelta())
        away = None if away_until is None or away_until <= now else away_until
        if self.cut_off or self.stopped or (away is None and standing_until(now, self.still) is not None):
            return TimeLeft(left, None, away, cut_off=self.cut_off, call_off_at=self.call_off_at, gone=self.gone)
        return TimeLeft(left, self.ends_at, away, gone=self.gone)

    def due(self, now: datetime) -> tuple[TimeEvent, ...]:
        """Return the events that are due."""
        return () if self.cut_off else tuple(event for event, at in self.agenda(now) if at <= now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return the expected time of the next event; None if there will not be one."""
        return min((at for _, at in self.agenda(now)), default=None)

    def reminders_due(self, now: datetime) -> int:
        """Return the number of reminders that should have been sent by now. Missed ones are not sent later."""
        return sum(self._after(offset) <= now for offset in self._reminded_after())

    def may_be_nudged(self, now: datetime) -> bool:
        """Return True if a waiting player may nudge this one."""
        if self.gone or self.stands_still(now):
            return False
        if not self.preferences.nudges or self.ran(now) < NUDGED_AFTER:
            return False
        return self.nudged_at is None or elapsed(self.nudged_at, now, self.still) >= NUDGED_AFTER

    def agenda(self, now: datetime) -> Iterator[tuple[TimeEvent, datetime]]:
        """Yield the pending events with their times: each event at most once."""
        if self.stopped:
            if self.call_off_at is not None and self.used_up_at is None:
                yield TimeEvent.CALL_OFF, self.call_off_at
            return
        if self.nudged_at is not None and (self.reminded_at is None or self.reminded_at < self.nudged_at):
            yield TimeEvent.NUDGE, self._loud(self.nudged_at)
        if (reminded := self._reminder(now)) is not None:
            yield TimeEvent.REMINDER, reminded
        if self.used_up_at is None:
            flags = timedelta() if not self.clock.flags else GRACE
            yield TimeEvent.USED_UP, self.ends_at + flags

    def _reminder(self, now: datetime) -> datetime | None:
        """Return the time of the next reminder; None if none is wanted.

        A reminder that would fall into quiet hours is sent before them, or after them if they have already begun.
        """
        offsets = self._reminded_after()
        if self.reminders >= len(offsets):
            return None
        at = self._after(offsets[self.reminders])
        quiet = quiet_at(at, self.preferences.quiet)
        quiet_now = quiet_at(now, self.preferences.quiet)
        if quiet_now is not None and now - quiet_now[0] > BEGINS_WITHIN and (quiet or (at, at))[0] < now:
            quiet, at = quiet_now, now
        elif quiet is None:
            return at
        elif quiet[0] > max(self.since, self.reminded_at or self.since):
            begins = quiet[0]
            if (quiet_now is None or now <= begins + BEGINS_WITHIN) and standing_until(begins, self.still) is None:
                return begins
        loud = self._loud(at)
        return loud if self.clock.time is None or loud < self.ends_at else None

    def _reminded_after(self) -> list[timedelta]:
        """Return the running times of the turn at which to remind, in order."""
        wanted = self.preferences.reminders
        if wanted is Reminders.OFF or self.clock.live:
            return []
        if self.clock.time is None:
            first, every = (_DAY, _DAY) if wanted is Reminders.DAILY else (FIRST_WITHOUT_CLOCK, WITHOUT_CLOCK_EVERY)
            return [first + number * every for number in range(MOST_WITHOUT_CLOCK)]
        last = self.allowance - min(max(self.allowance / 4, LEAST_NOTICE), MOST_NOTICE)
        if last <= timedelta():
            return []
        days = range(1, -(-last // _DAY)) if wanted is Reminders.DAILY else ()
        return [*(number * _DAY for number in days), last]

    def _after(self, span: timedelta) -> datetime:
        return moment_after(self.since, span, self.still)

    def _loud(self, at: datetime) -> datetime:
        """Return the first moment from `at` on that is outside quiet hours and standstills."""
        quiet = quiet_at(at, self.preferences.quiet)
        loud = at if quiet is None else quiet[1]
        still = standing_until(loud, self.still)
        return loud if still is None else self._loud(still)
