"""The hours at which people are reminded of the deal of the day, in their time zones."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.model.daily import day_at
from bot.model.daily_reminders import ReminderTime
from bot.model.people import QuietHours
from bot.model.time_zones import UTC_NAME, zone_info
from bot.play.clocks.quiet_hours import moment_of, quiet_at

_MINUTES_PER_HOUR: Final = 60
_MINUTES_PER_DAY: Final = 24 * _MINUTES_PER_HOUR
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


def has_come(time: ReminderTime, now: datetime) -> bool:
    """Return True if people with this reminder can get it now: in its hour, outside their quiet hours.

    If a new deal begins during the hour, the reminder waits for it. An hour that is skipped when daylight saving begins
    comes an hour later, and of an hour that comes twice, only the first counts.
    """
    if quiet_at(now, time.quiet) is not None:
        return False
    zone = zone_info(time.quiet.time_zone or UTC_NAME)
    today = now.astimezone(zone).date()
    for day in (today - _DAY, today):
        begins = moment_of(day, time.daily_hour * _MINUTES_PER_HOUR, zone)
        if begins <= now < begins + _HOUR:
            return day_at(now) == day_at(begins + _HOUR - timedelta.resolution)
    return False


def is_quiet(hour: int, quiet: QuietHours) -> bool:
    """Return True if quiet hours cover a whole hour of the day."""
    begins, ends = quiet.quiet_from, quiet.quiet_to
    if begins is None or ends is None:
        return False
    length, first = (ends - begins) % _MINUTES_PER_DAY, hour * _MINUTES_PER_HOUR
    minutes = range(first, first + _MINUTES_PER_HOUR)
    return all((minute - begins) % _MINUTES_PER_DAY < length for minute in minutes)
