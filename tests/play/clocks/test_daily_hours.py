"""The hour of a reminder of the deal of the day comes once a day, in the person's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.model.daily_reminders import ReminderTime
from bot.model.people import QuietHours
from bot.play.clocks.daily_hours import has_come, is_quiet

MINUTE = timedelta(minutes=1)


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def minutes_of(time: ReminderTime, begins: datetime, ends: datetime) -> list[datetime]:
    """Return the minutes of a period in which a reminder can come."""
    moments = [begins + number * MINUTE for number in range((ends - begins) // MINUTE)]
    return [moment for moment in moments if has_come(time, moment)]


def hour_from(begins: datetime, minutes: int = 60) -> list[datetime]:
    """Return the minutes of an hour, or its first minutes."""
    return [begins + number * MINUTE for number in range(minutes)]


@pytest.mark.parametrize(
    ("hour", "zone", "begins"),
    [
        (18, "Europe/Paris", utc(11, 21, 17)),
        (18, None, utc(11, 21, 18)),
        (18, "Atlantis/Nowhere", utc(11, 21, 18)),
        (0, "America/New_York", utc(11, 21, 5)),
        (23, "Pacific/Auckland", utc(11, 21, 10)),
        (18, "Asia/Kolkata", utc(11, 21, 12, 30)),
    ],
)
def test_the_hour_comes_once_a_day(hour: int, zone: str | None, begins: datetime) -> None:
    """A reminder can come in each minute of its hour in the person's time zone, in UTC without one."""
    time = ReminderTime(hour, QuietHours(zone))
    assert minutes_of(time, utc(11, 21, 0), utc(11, 22, 0)) == hour_from(begins)


@pytest.mark.parametrize(("hour", "zone"), [(2, "Europe/Paris"), (23, "America/Nuuk")])
def test_a_skipped_hour_comes_later(hour: int, zone: str) -> None:
    """If daylight saving time skips the hour, the reminder comes in the next one, even if that is on the next day."""
    time = ReminderTime(hour, QuietHours(zone))
    assert minutes_of(time, utc(3, 28, 12), utc(3, 29, 12)) == hour_from(utc(3, 29, 1))


def test_a_doubled_hour_comes_once() -> None:
    """If the hour comes twice when daylight saving time ends, the reminder comes in the first one."""
    time = ReminderTime(2, QuietHours("Europe/Paris"))
    assert minutes_of(time, utc(10, 24, 12), utc(10, 25, 12)) == hour_from(utc(10, 25, 0))


def test_a_reminder_waits_for_a_new_deal() -> None:
    """If a new deal begins during the hour, the reminder comes only after that."""
    time = ReminderTime(5, QuietHours("Asia/Kolkata"))
    assert minutes_of(time, utc(11, 20, 12), utc(11, 21, 12)) == hour_from(utc(11, 21, 0), 30)


def test_the_last_hour_of_a_deal_counts() -> None:
    """A reminder can come in the last hour before the next deal."""
    time = ReminderTime(23, QuietHours())
    assert minutes_of(time, utc(11, 21, 12), utc(11, 22, 12)) == hour_from(utc(11, 21, 23))


def test_quiet_hours_exclude_reminders() -> None:
    """No reminder comes in quiet hours, even if they cover only a part of its hour."""
    time = ReminderTime(21, QuietHours("Europe/Paris", 21 * 60 + 30, 8 * 60))
    assert minutes_of(time, utc(11, 21, 0), utc(11, 22, 0)) == hour_from(utc(11, 21, 20), 30)


@pytest.mark.parametrize(
    ("hour", "begins", "ends", "quiet"),
    [
        (23, 22 * 60, 8 * 60, True),
        (7, 22 * 60, 8 * 60, True),
        (8, 22 * 60, 8 * 60, False),
        (22, 22 * 60 + 30, 8 * 60, False),
        (12, 12 * 60, 13 * 60, True),
        (12, 12 * 60, 12 * 60 + 59, False),
        (12, 12 * 60, 12 * 60, False),
        (12, None, None, False),
    ],
)
def test_an_hour_is_quiet_as_a_whole(hour: int, begins: int | None, ends: int | None, quiet: bool) -> None:
    """An hour counts as quiet if quiet hours cover all of it."""
    assert is_quiet(hour, QuietHours("Europe/Paris", begins, ends)) is quiet
