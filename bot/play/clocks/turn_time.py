"""The clock of a turn: the time left, and when to send reminders or end the turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from bot.model.clocks import Clock, TimeLeft
from bot.model.people import Preferences, Reminders
from bot.play.clocks.quiet_hours import quiet_at
from bot.play.clocks.reckoning import Span, elapsed, moment_after, standstill_end

MIN_NOTICE: Final = timedelta(hours=2)
MAX_NOTICE: Final = timedelta(days=1)
"""Maximum time left at the last reminder. The usual value is a quarter of the turn's time, and the minimum is
`MIN_NOTICE`."""

FIRST_UNTIMED_REMINDER: Final = timedelta(days=2)
UNTIMED_REMINDER_INTERVAL: Final = timedelta(days=7)
MAX_UNTIMED_REMINDERS: Final = 4

NUDGE_INTERVAL: Final = timedelta(days=1)
"""Minimum time from the start of a turn to the first nudge, and between two nudges."""

MIN_RETURN_TIME: Final = timedelta(hours=6)
MIN_LIVE_RETURN_TIME: Final = timedelta(minutes=1)
"""Minimum time left for a returning player with a live clock: enough for a move. With a clock per turn, the minimum is
`MIN_RETURN_TIME`: enough for a reminder."""

MAX_STOPPED_TIME: Final = timedelta(days=7)
"""Maximum wait for a player who cannot reach the table. After that, the others may call the match off."""

QUIET_HOURS_GRACE: Final = timedelta(minutes=10)
"""Time after the start of quiet hours in which a reminder can still be sent."""

FLAG_GRACE: Final = timedelta(seconds=5)
"""Delay before a clock ends a match. By then, every process has handled the clicks that came in time."""

_DAY: Final = timedelta(days=1)


class TimeEvent(Enum):
    """A timed event during a seat's turn."""

    REMINDER = auto()
    NUDGE = auto()
    USED_UP = auto()
    CALL_OFF = auto()
    """The clock has been stopped for so long that the others may call the match off."""


def time_after_return(clock: Clock, left: timedelta) -> timedelta | None:
    """Return the time of a player who comes back or whose match resumes: the time left, but at least enough to move.

    Return None if the match has no clock: the time is then counted up from zero.
    """
    if clock.time is None:
        return None
    return max(left, MIN_LIVE_RETURN_TIME if clock.is_live else MIN_RETURN_TIME)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The clock of the seat whose turn it is.

    `allowance` is the seat's remaining time at the start of its turn (`since`). `standstills` are the past and planned
    periods in which the clock does not run, such as outages and holidays. If `is_stopped` is True, the clock does not
    run until further notice, and `allowance` is the remaining time. `stopped_at` is the time at which the clock was
    stopped because the player cannot reach the table; None if that is not the case. If `is_cut_off` is True, nobody
    can reach the table now, and no event is due until somebody can again. The other fields record events of this turn,
    as in `tables.seat`.
    """

    clock: Clock
    since: datetime
    allowance: timedelta
    standstills: tuple[Span, ...]
    is_stopped: bool
    preferences: Preferences
    is_cut_off: bool = False
    reminders: int = 0
    reminded_at: datetime | None = None
    nudged_at: datetime | None = None
    used_up_at: datetime | None = None
    stopped_at: datetime | None = None
    has_left_server: bool = False

    @property
    def call_off_at(self) -> datetime | None:
        """Time from which the others may call the match off; None if the player can reach the table."""
        return None if self.stopped_at is None else self.stopped_at + min(self.allowance, MAX_STOPPED_TIME)

    def may_call_off(self, now: datetime) -> bool:
        """Return True if the others may call the match off, because the player could not reach the table for too long.

        Return False while nobody can reach the table.
        """
        return not self.is_cut_off and self.call_off_at is not None and self.call_off_at <= now

    def is_standing_still(self, now: datetime) -> bool:
        """Return True if the clock stands still."""
        return self.is_cut_off or self.is_stopped or standstill_end(now, self.standstills) is not None

    def running_time(self, now: datetime) -> timedelta:
        """Return the time that the clock has run in this turn."""
        return timedelta() if self.is_stopped else elapsed(self.since, now, self.standstills)

    def left(self, now: datetime) -> timedelta:
        """Return the remaining time; negative if it was exceeded."""
        return self.allowance - self.running_time(now)

    @property
    def ends_at(self) -> datetime:
        """Expected or actual time at which the clock runs out."""
        return self._after(self.allowance)

    def time_left(self, now: datetime, away_until: datetime | None) -> TimeLeft:
        """Return the remaining time as everyone can see it. `away_until` is the end of the player's holiday."""
        left = max(self.left(now), timedelta())
        away = None if away_until is None or away_until <= now else away_until
        if self.is_cut_off or self.is_stopped or (away is None and standstill_end(now, self.standstills) is not None):
            return TimeLeft(
                left,
                None,
                away,
                is_cut_off=self.is_cut_off,
                call_off_at=self.call_off_at,
                has_left_server=self.has_left_server,
            )
        return TimeLeft(left, self.ends_at, away, has_left_server=self.has_left_server)

    def due(self, now: datetime) -> tuple[TimeEvent, ...]:
        """Return the events that are due."""
        return () if self.is_cut_off else tuple(event for event, at in self.pending_events(now) if at <= now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return the expected time of the next event; None if there will not be one."""
        return min((at for _, at in self.pending_events(now)), default=None)

    def reminders_due(self, now: datetime) -> int:
        """Return the number of reminders that should have been sent by now. Missed ones are not sent later."""
        return sum(self._after(offset) <= now for offset in self._reminder_offsets())

    def may_be_nudged(self, now: datetime) -> bool:
        """Return True if a nudge to the player whose turn it is would come neither too soon nor while they are away."""
        if self.has_left_server or self.is_standing_still(now):
            return False
        if self.running_time(now) < NUDGE_INTERVAL:
            return False
        return self.nudged_at is None or elapsed(self.nudged_at, now, self.standstills) >= NUDGE_INTERVAL

    def pending_events(self, now: datetime) -> Iterator[tuple[TimeEvent, datetime]]:
        """Yield the pending events with their times: each event at most once."""
        if self.is_stopped:
            if self.call_off_at is not None and self.used_up_at is None:
                yield TimeEvent.CALL_OFF, self.call_off_at
            return
        if self.nudged_at is not None and (self.reminded_at is None or self.reminded_at < self.nudged_at):
            yield TimeEvent.NUDGE, self._after_quiet(self.nudged_at)
        if (reminded := self._next_reminder_at(now)) is not None:
            yield TimeEvent.REMINDER, reminded
        if self.used_up_at is None:
            grace = timedelta() if not self.clock.flags else FLAG_GRACE
            yield TimeEvent.USED_UP, self.ends_at + grace

    def _next_reminder_at(self, now: datetime) -> datetime | None:
        """Return the time of the next reminder; None if there will be none.

        A reminder that would fall into quiet hours is sent before them, or after them if they have already begun.
        """
        offsets = self._reminder_offsets()
        if self.reminders >= len(offsets):
            return None
        at = self._after(offsets[self.reminders])
        quiet = quiet_at(at, self.preferences.quiet)
        quiet_now = quiet_at(now, self.preferences.quiet)
        if quiet_now is not None and now - quiet_now[0] > QUIET_HOURS_GRACE and (quiet or (at, at))[0] < now:
            quiet, at = quiet_now, now
        elif quiet is None:
            return at
        elif quiet[0] > max(self.since, self.reminded_at or self.since):
            begins = quiet[0]
            if (quiet_now is None or now <= begins + QUIET_HOURS_GRACE) and standstill_end(
                begins, self.standstills
            ) is None:
                return begins
        after_quiet = self._after_quiet(at)
        return after_quiet if self.clock.time is None or after_quiet < self.ends_at else None

    def _reminder_offsets(self) -> list[timedelta]:
        """Return the due time of each reminder, as running time of the clock in this turn, in ascending order."""
        wanted = self.preferences.reminders
        if wanted is Reminders.OFF or self.clock.is_live:
            return []
        if self.clock.time is None:
            first, every = (
                (_DAY, _DAY) if wanted is Reminders.DAILY else (FIRST_UNTIMED_REMINDER, UNTIMED_REMINDER_INTERVAL)
            )
            return [first + number * every for number in range(MAX_UNTIMED_REMINDERS)]
        last = self.allowance - min(max(self.allowance / 4, MIN_NOTICE), MAX_NOTICE)
        if last <= timedelta():
            return []
        days = range(1, -(-last // _DAY)) if wanted is Reminders.DAILY else ()
        return [*(number * _DAY for number in days), last]

    def _after(self, span: timedelta) -> datetime:
        return moment_after(self.since, span, self.standstills)

    def _after_quiet(self, at: datetime) -> datetime:
        """Return the first moment, not before `at`, that is outside quiet hours and standstills."""
        quiet = quiet_at(at, self.preferences.quiet)
        after_quiet = at if quiet is None else quiet[1]
        still = standstill_end(after_quiet, self.standstills)
        return after_quiet if still is None else self._after_quiet(still)
