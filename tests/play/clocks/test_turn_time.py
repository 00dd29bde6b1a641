"""The time of one turn: the remaining time, reminders, nudges and the deadline."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.play.clocks.turn_time import GRACE, TimeEvent, TurnTime
from bot.values.clocks import Clock
from bot.values.people import DEFAULT_PREFERENCES, Preferences, QuietHours, Reminders

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = QuietHours("UTC", 22 * 60, 8 * 60)


def turn(clock: str, **values: Any) -> TurnTime:
    read = Clock.parse(clock)
    return TurnTime(read, NOON, read.full, (), stopped=False, preferences=DEFAULT_PREFERENCES, **values)


def preferring(reminders: Reminders = Reminders.USUAL, quiet: QuietHours | None = None) -> Preferences:
    return replace(DEFAULT_PREFERENCES, reminders=reminders, quiet=quiet or QuietHours())


def reminded(time: TurnTime) -> list[timedelta]:
    """Return the times of all reminders since the start of the turn."""
    found = list[timedelta]()
    while (at := next((at for event, at in time.agenda(NOON) if event is TimeEvent.REMINDER), None)) is not None:
        found.append(at - NOON)
        time = replace(time, reminders=time.reminders + 1, reminded_at=at)
    return found


@pytest.mark.parametrize(
    ("clock", "hours"),
    [("12h", [9]), ("1d", [18]), ("2d", [36]), ("3d", [54]), ("7d", [144]), ("14d", [312]), ("10m+20s", [])],
)
def test_one_reminder_when_a_quarter_is_left(clock: str, hours: list[int]) -> None:
    """A reminder comes when a quarter is left, two hours to a day before the end; live clocks have none."""
    assert reminded(turn(clock)) == [hour * HOUR for hour in hours]


def test_reminders_without_a_clock() -> None:
    """Without a clock, the four reminders come after two days and then weekly, or daily, or never, as preferred."""
    time = turn("none")
    assert reminded(time) == [2 * DAY, 9 * DAY, 16 * DAY, 23 * DAY]
    assert reminded(replace(time, preferences=preferring(Reminders.DAILY))) == [DAY, 2 * DAY, 3 * DAY, 4 * DAY]
    assert reminded(replace(time, preferences=preferring(Reminders.OFF))) == []


def test_daily_reminders_with_a_clock() -> None:
    """Daily reminders come each day and once before the end."""
    daily = preferring(Reminders.DAILY)
    assert reminded(replace(turn("3d"), preferences=daily)) == [DAY, 2 * DAY, 54 * HOUR]
    assert reminded(replace(turn("1d"), preferences=daily)) == [18 * HOUR]
    assert reminded(replace(turn("2d"), preferences=preferring(Reminders.OFF))) == []


def test_a_reminder_comes_before_quiet_hours() -> None:
    """A reminder due in quiet hours comes before them, or after them if the turn began in them."""
    time = replace(turn("1d"), preferences=preferring(quiet=NIGHT))
    assert reminded(time) == [10 * HOUR]
    late = replace(time, since=NOON + 11 * HOUR)
    assert reminded(late) == [29 * HOUR]
    in_the_night = replace(late, clock=Clock.parse("12h"), allowance=12 * HOUR)
    assert reminded(in_the_night) == [20 * HOUR]
    too_short = replace(in_the_night, allowance=8 * HOUR)
    assert reminded(too_short) == []


def test_standstills_put_everything_off() -> None:
    """Standstills delay the reminder and the end."""
    time = replace(turn("2d"), still=((NOON + HOUR, NOON + 3 * HOUR), (NOON + 40 * HOUR, NOON + 50 * HOUR)))
    assert reminded(time) == [38 * HOUR]
    assert time.next_due(NOON) == NOON + 38 * HOUR
    assert replace(time, reminders=1).next_due(NOON) == NOON + 60 * HOUR
    assert time.left(NOON + 45 * HOUR) == 48 * HOUR - 38 * HOUR
    left = time.time_left(NOON + 45 * HOUR, None)
    assert (left.left, left.ends_at) == (10 * HOUR, None)
    away = time.time_left(NOON + 45 * HOUR, NOON + 50 * HOUR)
    assert (away.ends_at, away.away_until) == (NOON + 60 * HOUR, NOON + 50 * HOUR)


def test_a_clock_that_flags_waits_a_little() -> None:
    """With a flag, time is used up only after `GRACE`, for moves made in time; without a flag, immediately."""
    for clock, grace in (("2d", timedelta()), ("2d flag", GRACE), ("10m+20s flag", GRACE)):
        time = replace(turn(clock), reminders=1)
        end = NOON + Clock.parse(clock).full
        assert time.next_due(NOON) == end + grace
        assert TimeEvent.USED_UP not in time.due(end + grace - timedelta(milliseconds=1))
        assert time.due(end + grace) == (TimeEvent.USED_UP,)
        assert replace(time, used_up_at=end).next_due(NOON) is None


def test_a_time_that_is_stopped_waits_for_nothing() -> None:
    """A stopped clock has no due events."""
    time = replace(turn("2d"), stopped=True)
    assert time.next_due(NOON) is None
    assert time.left(NOON + 9 * DAY) == 2 * DAY
    assert time.time_left(NOON + 9 * DAY, None).ends_at is None


def test_a_nudge_is_due_once() -> None:
    """A nudge is delivered immediately or after quiet hours, and allowed again after another day."""
    time = turn("7d")
    assert not time.may_be_nudged(NOON + DAY - timedelta(seconds=1))
    assert time.may_be_nudged(NOON + DAY)
    nudged = replace(time, nudged_at=NOON + DAY)
    assert nudged.due(NOON + DAY) == (TimeEvent.NUDGE,)
    told = replace(nudged, reminded_at=NOON + DAY)
    assert told.due(NOON + DAY) == ()
    assert not told.may_be_nudged(NOON + 2 * DAY - timedelta(seconds=1))
    assert told.may_be_nudged(NOON + 2 * DAY)
    at_night = replace(nudged, nudged_at=NOON + 36 * HOUR, preferences=preferring(quiet=NIGHT))
    assert at_night.due(NOON + 43 * HOUR) == ()
    assert at_night.due(NOON + 44 * HOUR) == (TimeEvent.NUDGE,)
    assert not replace(time, preferences=replace(DEFAULT_PREFERENCES, nudges=False)).may_be_nudged(NOON + 3 * DAY)


def test_nobody_is_nudged_or_reminded_in_a_holiday() -> None:
    """A nudge waits until a holiday and quiet hours are over. A reminder is not moved into a holiday."""
    away = (NOON + 30 * HOUR, NOON + 36 * HOUR)
    time = replace(turn("7d"), still=(away,))
    assert time.may_be_nudged(NOON + 29 * HOUR)
    assert not time.may_be_nudged(NOON + 31 * HOUR)
    assert time.may_be_nudged(NOON + 36 * HOUR)
    nudged = replace(time, nudged_at=NOON + 31 * HOUR)
    assert nudged.next_due(NOON) == NOON + 36 * HOUR
    assert replace(nudged, preferences=preferring(quiet=NIGHT)).next_due(NOON) == NOON + 44 * HOUR
    asleep = replace(turn("1d"), still=((NOON + 9 * HOUR, NOON + 11 * HOUR),), preferences=preferring(quiet=NIGHT))
    assert reminded(asleep) == [20 * HOUR]
