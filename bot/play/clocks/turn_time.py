"""The time of a turn: how much is left, and when somebody must be reminded, or the time is used up."""

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
"""People are reminded when a quarter of their time is left, within these bounds."""

FIRST_WITHOUT_CLOCK: Final = timedelta(days=2)
WITHOUT_CLOCK_EVERY: Final = timedelta(days=7)
MOST_WITHOUT_CLOCK: Final = 4

NUDGED_AFTER: Final = timedelta(days=1)
"""For so long a player must have waited to nudge another, and since the last nudge."""

LEAST_BACK: Final = timedelta(hours=6)
LEAST_LIVE: Final = timedelta(minutes=1)
"""What somebody has at least who comes back to a clock per turn, so that a reminder comes, and to a live one."""

MAX_STOPPED_FOR: Final = timedelta(days=7)
"""Maximum wait for a player who cannot reach the table. Then the others may call the match off."""

BEGINS_WITHIN: Final = timedelta(minutes=10)
"""A reminder before quiet hours may come this much after they have begun."""

GRACE: Final = timedelta(seconds=5)
"""How much later a clock ends a match by itself: by then every process has handled the clicks that came in time."""

_DAY: Final = timedelta(days=1)


class TimeEvent(Enum):
    """What becomes due while a seat is to act."""

    REMINDER = auto()
    NUDGE = auto()
    USED_UP = auto()
    CALL_OFF = auto()
    """The time stands still, and the others need not wait any longer."""


def left_to_go_on(clock: Clock, left: timedelta) -> timedelta | None:
    """Return what a player has who goes on with a turn after a pause, or comes back: what is left, and enough to move.

    Return None without a clock: the time begins anew.
    """
    if clock.time is None:
        return None
    return max(left, LEAST_LIVE if clock.live else LEAST_BACK)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The time of a seat whose turn it is.

    It had `allowance` when its turn began (`since`), and its time stood or will stand `still` in these spans. `stopped`
    says that it stands still until further notice, and `allowance` is what is left; `stopped_at` is since when, if the
    player cannot reach the table. `cut_off` says that nobody can reach the table now: nothing is due until that is
    over. The rest is what happened in this turn, as in `tables.seat`.
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
        """When the others may call the match off; None if the player can reach the table."""
        return None if self.stopped_at is None else self.stopped_at + min(self.allowance, MAX_STOPPED_FOR)

    def may_call_off(self, now: datetime) -> bool:
        """Return whether the others need not wait any longer for a player who alone cannot reach the table."""
        return not self.cut_off and self.call_off_at is not None and self.call_off_at <= now

    def stands_still(self, now: datetime) -> bool:
        """Return whether the time stands still."""
        return self.cut_off or self.stopped or standing_until(now, self.still) is not None

    def ran(self, now: datetime) -> timedelta:
        """Return how long the time of this turn ran."""
        return timedelta() if self.stopped else elapsed(self.since, now, self.still)

    def left(self, now: datetime) -> timedelta:
        """Return what is left; less than nothing for what was taken beyond that."""
        return self.allowance - self.ran(now)

    @property
    def ends_at(self) -> datetime:
        """When the time is used up, or was, as far as is known."""
        return self._after(self.allowance)

    def time_left(self, now: datetime, away_until: datetime | None) -> TimeLeft:
        """Return what people may know of it, with the end of the player's holiday if they are away."""
        left = max(self.left(now), timedelta())
        away = None if away_until is None or away_until <= now else away_until
        if self.cut_off or self.stopped or (away is None and standing_until(now, self.still) is not None):
            return TimeLeft(left, None, away, cut_off=self.cut_off, call_off_at=self.call_off_at, gone=self.gone)
        return TimeLeft(left, self.ends_at, away, gone=self.gone)

    def due(self, now: datetime) -> tuple[TimeEvent, ...]:
        """Return what is due."""
        return () if self.cut_off else tuple(event for event, at in self.agenda(now) if at <= now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return when something is due next, as far as is known; None if nothing will be."""
        return min((at for _, at in self.agenda(now)), default=None)

    def reminders_due(self, now: datetime) -> int:
        """Return how many reminders should have come by now: those that were missed are not made up for."""
        return sum(self._after(offset) <= now for offset in self._reminded_after())

    def may_be_nudged(self, now: datetime) -> bool:
        """Return whether a player who waits may nudge this one."""
        if self.gone or self.stands_still(now):
            return False
        if not self.preferences.nudges or self.ran(now) < NUDGED_AFTER:
            return False
        return self.nudged_at is None or elapsed(self.nudged_at, now, self.still) >= NUDGED_AFTER

    def agenda(self, now: datetime) -> Iterator[tuple[TimeEvent, datetime]]:
        """Yield what waits to happen, and when: at most one of each."""
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
        """Return when to remind next, before quiet hours rather than in them; None if that is not wanted.

        What should have come before quiet hours that have begun comes after them.
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
        """Return after how much of the turn to remind, in order."""
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
        """Return a moment, or when the quiet hours are over that it lies in, and time runs again."""
        quiet = quiet_at(at, self.preferences.quiet)
        loud = at if quiet is None else quiet[1]
        still = standing_until(loud, self.still)
        return loud if still is None else self._loud(still)
