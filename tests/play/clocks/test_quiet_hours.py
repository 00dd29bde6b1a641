"""Quiet hours start and end at local times of a person's time zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.model.people import QuietHours
from bot.play.clocks.quiet_hours import quiet_at

PARIS = QuietHours("Europe/Paris", 22 * 60, 8 * 60)


def utc(day: int, hour: int, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def test_quiet_hours_across_midnight() -> None:
    """Quiet hours can span midnight in local time; they include their start and exclude their end."""
    night = utc(21, 21), utc(22, 7)
    assert quiet_at(utc(21, 20, 59), PARIS) is None
    assert quiet_at(utc(21, 21), PARIS) == night
    assert quiet_at(utc(22, 3), PARIS) == night
    assert quiet_at(utc(22, 7), PARIS) is None


def test_quiet_hours_within_a_day() -> None:
    """Quiet hours can also start and end on the same day."""
    noon = QuietHours("Asia/Kolkata", 12 * 60 + 30, 14 * 60)
    assert quiet_at(utc(21, 7), noon) == (utc(21, 7), utc(21, 8, 30))
    assert quiet_at(utc(21, 8, 30), noon) is None


@pytest.mark.parametrize(
    ("day", "month", "hours"), [(28, 3, 9), (24, 10, 11), (21, 11, 10)], ids=["spring", "autumn", "winter"]
)
def test_summer_time_makes_a_night_shorter_or_longer(day: int, month: int, hours: int) -> None:
    """Quiet hours last an hour less in the night when daylight saving time starts, and an hour more when it ends."""
    night = quiet_at(datetime(2026, month, day, 23, tzinfo=UTC), PARIS)
    assert night is not None
    begins, ends = night
    assert (ends - begins).total_seconds() == hours * 3600
    assert begins.astimezone(UTC).hour == (21 if month == 11 or month == 3 else 20)


@pytest.mark.parametrize(
    "quiet",
    [
        QuietHours(),
        QuietHours("Europe/Paris"),
        QuietHours("Europe/Paris", 60, None),
        QuietHours("Europe/Paris", 60, 60),
    ],
)
def test_incomplete_quiet_hours_are_never_quiet(quiet: QuietHours) -> None:
    """If quiet hours are unset, incomplete or empty, no time is quiet."""
    assert quiet_at(utc(21, 0, 30), quiet) is None
