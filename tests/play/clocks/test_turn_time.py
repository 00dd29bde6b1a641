"""The time of one turn: what is left, when somebody is reminded, and when it is used up."""

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
    """Return a turn that began at noon."""
    read = Clock.parse(clock)
    return TurnTime(read, NOON, read.full, (), stopped=False, preferences=DEFAULT_PREFERENCES, **values)


def preferring(reminders: Reminders = Reminders.USUAL, quiet: QuietHours | None = None) -> Preferences:
    """Return what somebody prefers."""
    return replace(DEFAULT_PREFERENCES, reminders=reminders, quiet=quiet or QuietHours())


def reminded(time: TurnTime) -> list[timedelta]:
    """Return after how long each reminder comes, one after the other."""
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
    """At least two hours before the end and at most a day; none with a live clock."""
    assert reminded(turn(clock)) == [hour * HOUR for hour in hours]


def test_reminders_without_a_clock() -> None:
    """After two days, then weekly, four at most; daily ones are four, too, and whoever wants none gets none."""
    time = turn("none")
    assert reminded(time) == [2 * DAY, 9 * DAY, 16 * DAY, 23 * DAY]
    assert reminded(replace(time, preferences=preferring(Reminders.DAILY))) == [DAY, 2 * DAY, 3 * DAY, 4 * DAY]
    assert reminded(replace(time, preferences=preferring(Reminders.OFF))) == []


def test_daily_reminders_with_a_clock() -> None:
    """Each day, and once before the end."""
    daily = preferring(Reminders.DAILY)
    assert reminded(replace(turn("3d"), preferences=daily)) == [DAY, 2 * DAY, 54 * HOUR]
    assert reminded(replace(turn("1d"), preferences=daily)) == [18 * HOUR]
    assert reminded(replace(turn("2d"), preferences=preferring(Reminders.OFF))) == []


def test_a_reminder_comes_before_quiet_hours() -> None:
    """One that is due at six in the morning comes at ten in the evening, or at eight if the turn began after that."""
    time = replace(turn("1d"), preferences=preferring(quiet=NIGHT))
    assert reminded(time) == [10 * HOUR]
    late = replace(time, since=NOON + 11 * HOUR)
    assert reminded(late) == [29 * HOUR]
    in_the_night = replace(late, clock=Clock.parse("12h"), allowance=12 * HOUR)
    assert reminded(in_the_night) == [20 * HOUR]
    too_short = replace(in_the_night, allowance=8 * HOUR)
    assert reminded(too_short) == []


def test_standstills_put_everything_off() -> None:
    """A reminder and the end come as much later as time stands still, ahead or in the past."""
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
    """Only then is nobody about to move who pressed in time. Without a flag the others are told at once."""
    for clock, grace in (("2d", timedelta()), ("2d flag", GRACE), ("10m+20s flag", GRACE)):
        time = replace(turn(clock), reminders=1)
        end = NOON + Clock.parse(clock).full
        assert time.next_due(NOON) == end + grace
        assert TimeEvent.USED_UP not in time.due(end + grace - timedelta(milliseconds=1))
        assert time.due(end + grace) == (TimeEvent.USED_UP,)
        assert replace(time, used_up_at=end).next_due(NOON) is None


def test_a_time_that_is_stopped_waits_for_nothing() -> None:
    """Nothing becomes due, and nothing is used up."""
    time = replace(turn("2d"), stopped=True)
    assert time.next_due(NOON) is None
    assert time.left(NOON + 9 * DAY) == 2 * DAY
    assert time.time_left(NOON + 9 * DAY, None).ends_at is None


def test_a_nudge_is_due_once() -> None:
    """At once, or after quiet hours; and again only after another day of waiting."""
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
    """A nudge waits for its end, and for that of quiet hours; a reminder does not come before them if that is in it."""
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
