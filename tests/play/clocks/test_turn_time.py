"""The time of one turn: the remaining time, reminders, nudges and the deadline."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.model.clocks import Clock
from bot.model.people import DEFAULT_PREFERENCES, Preferences, QuietHours, Reminders
from bot.play.clocks.turn_time import FLAG_GRACE, TimeEvent, TurnTime

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = QuietHours("UTC", 22 * 60, 8 * 60)


def turn_time(clock: str, **values: Any) -> TurnTime:
    parsed_clock = Clock.parse(clock)
    return TurnTime(
        parsed_clock, NOON, parsed_clock.full_time, (), is_stopped=False, preferences=DEFAULT_PREFERENCES, **values
    )


def preferences_with(reminders: Reminders = Reminders.USUAL, quiet: QuietHours | None = None) -> Preferences:
    return replace(DEFAULT_PREFERENCES, reminders=reminders, quiet=quiet or QuietHours())


def reminder_times(time: TurnTime) -> list[timedelta]:
    """Return the times of all reminders of a turn, as durations since noon."""
    times = list[timedelta]()
    while (
        at := next((at for event, at in time.pending_events(NOON) if event is TimeEvent.REMINDER), None)
    ) is not None:
        times.append(at - NOON)
        time = replace(time, reminders=time.reminders + 1, reminded_at=at)
    return times


@pytest.mark.parametrize(
    ("clock", "hours"),
    [("12h", [9]), ("1d", [18]), ("2d", [36]), ("3d", [54]), ("7d", [144]), ("14d", [312]), ("10m+20s", [])],
)
def test_one_reminder_when_a_quarter_is_left(clock: str, hours: list[int]) -> None:
    """The time left at the only reminder is a quarter of the total, but 2 to 24 hours. A live clock has no reminder."""
    assert reminder_times(turn_time(clock)) == [hour * HOUR for hour in hours]


def test_reminders_without_a_clock() -> None:
    """Without a clock, a turn has four reminders: after two days, then weekly. Players can choose daily or none."""
    time = turn_time("none")
    assert reminder_times(time) == [2 * DAY, 9 * DAY, 16 * DAY, 23 * DAY]
    assert reminder_times(replace(time, preferences=preferences_with(Reminders.DAILY))) == [
        DAY,
        2 * DAY,
        3 * DAY,
        4 * DAY,
    ]
    assert reminder_times(replace(time, preferences=preferences_with(Reminders.OFF))) == []


def test_daily_reminders_with_a_clock() -> None:
    """With a clock, a player who prefers daily reminders gets one each day and one before the end of the time."""
    daily = preferences_with(Reminders.DAILY)
    assert reminder_times(replace(turn_time("3d"), preferences=daily)) == [DAY, 2 * DAY, 54 * HOUR]
    assert reminder_times(replace(turn_time("1d"), preferences=daily)) == [18 * HOUR]
    assert reminder_times(replace(turn_time("2d"), preferences=preferences_with(Reminders.OFF))) == []


def test_a_reminder_comes_before_quiet_hours() -> None:
    """A reminder due in quiet hours comes at their start, or at their end if the turn began during quiet hours."""
    time = replace(turn_time("1d"), preferences=preferences_with(quiet=NIGHT))
    assert reminder_times(time) == [10 * HOUR]
    late = replace(time, since=NOON + 11 * HOUR)
    assert reminder_times(late) == [29 * HOUR]
    in_the_night = replace(late, clock=Clock.parse("12h"), allowance=12 * HOUR)
    assert reminder_times(in_the_night) == [20 * HOUR]
    too_short = replace(in_the_night, allowance=8 * HOUR)
    assert reminder_times(too_short) == []


def test_standstills_delay_reminders_and_the_end() -> None:
    """Standstills delay the reminder and the end of the turn's time."""
    time = replace(turn_time("2d"), standstills=((NOON + HOUR, NOON + 3 * HOUR), (NOON + 40 * HOUR, NOON + 50 * HOUR)))
    assert reminder_times(time) == [38 * HOUR]
    assert time.next_due(NOON) == NOON + 38 * HOUR
    assert replace(time, reminders=1).next_due(NOON) == NOON + 60 * HOUR
    assert time.left(NOON + 45 * HOUR) == 48 * HOUR - 38 * HOUR
    left = time.time_left(NOON + 45 * HOUR, None)
    assert (left.left, left.ends_at) == (10 * HOUR, None)
    away = time.time_left(NOON + 45 * HOUR, NOON + 50 * HOUR)
    assert (away.ends_at, away.away_until) == (NOON + 60 * HOUR, NOON + 50 * HOUR)


def test_a_clock_that_flags_waits_for_the_grace_time() -> None:
    """With the option `flag`, a player's time counts as used up `FLAG_GRACE` after it ran out.

    So moves made just in time count. Without the option, the time counts as used up as soon as it has run out.
    """
    for clock, grace in (("2d", timedelta()), ("2d flag", FLAG_GRACE), ("10m+20s flag", FLAG_GRACE)):
        time = replace(turn_time(clock), reminders=1)
        end = NOON + Clock.parse(clock).full_time
        assert time.next_due(NOON) == end + grace
        assert TimeEvent.USED_UP not in time.due(end + grace - timedelta(milliseconds=1))
        assert time.due(end + grace) == (TimeEvent.USED_UP,)
        assert replace(time, used_up_at=end).next_due(NOON) is None


def test_a_stopped_clock_has_no_due_events() -> None:
    """A stopped clock has no due events, and the remaining time stays the same."""
    time = replace(turn_time("2d"), is_stopped=True)
    assert time.next_due(NOON) is None
    assert time.left(NOON + 9 * DAY) == 2 * DAY
    assert time.time_left(NOON + 9 * DAY, None).ends_at is None


def test_a_nudge_is_due_once() -> None:
    """A nudge is due once, immediately or after quiet hours. Another one is allowed a day later."""
    time = turn_time("7d")
    assert not time.may_be_nudged(NOON + DAY - timedelta(seconds=1))
    assert time.may_be_nudged(NOON + DAY)
    nudged = replace(time, nudged_at=NOON + DAY)
    assert nudged.due(NOON + DAY) == (TimeEvent.NUDGE,)
    reminded_turn = replace(nudged, reminded_at=NOON + DAY)
    assert reminded_turn.due(NOON + DAY) == ()
    assert not reminded_turn.may_be_nudged(NOON + 2 * DAY - timedelta(seconds=1))
    assert reminded_turn.may_be_nudged(NOON + 2 * DAY)
    at_night = replace(nudged, nudged_at=NOON + 36 * HOUR, preferences=preferences_with(quiet=NIGHT))
    assert at_night.due(NOON + 43 * HOUR) == ()
    assert at_night.due(NOON + 44 * HOUR) == (TimeEvent.NUDGE,)


def test_nobody_is_nudged_or_reminded_in_a_holiday() -> None:
    """A nudge waits for the end of a holiday and of quiet hours. A reminder is never moved into a holiday."""
    away = (NOON + 30 * HOUR, NOON + 36 * HOUR)
    time = replace(turn_time("7d"), standstills=(away,))
    assert time.may_be_nudged(NOON + 29 * HOUR)
    assert not time.may_be_nudged(NOON + 31 * HOUR)
    assert time.may_be_nudged(NOON + 36 * HOUR)
    nudged = replace(time, nudged_at=NOON + 31 * HOUR)
    assert nudged.next_due(NOON) == NOON + 36 * HOUR
    assert replace(nudged, preferences=preferences_with(quiet=NIGHT)).next_due(NOON) == NOON + 44 * HOUR
    asleep = replace(
        turn_time("1d"), standstills=((NOON + 9 * HOUR, NOON + 11 * HOUR),), preferences=preferences_with(quiet=NIGHT)
    )
    assert reminder_times(asleep) == [20 * HOUR]
