"""Quiet hours: the hours without reminders, in a person's time zone and with its daylight saving time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.model.people import QuietHours
from bot.model.time_zones import zone_info

_HOUR: Final = 60
_DAY: Final = timedelta(days=1)


def quiet_at(moment: datetime, quiet: QuietHours) -> tuple[datetime, datetime] | None:
    """Return the start and end, in UTC, of the quiet hours at this moment; None outside quiet hours."""
    if quiet.time_zone is None or quiet.quiet_from is None or quiet.quiet_to is None:
        return None
    if quiet.quiet_from == quiet.quiet_to:
        return None
    zone = zone_info(quiet.time_zone)
    today = moment.astimezone(zone).date()
    over_midnight = quiet.quiet_from > quiet.quiet_to
    for day in (today - _DAY, today):
        begins = moment_of(day, quiet.quiet_from, zone)
        ends = moment_of(day + _DAY if over_midnight else day, quiet.quiet_to, zone)
        if begins <= moment < ends:
            return begins, ends
    return None


def moment_of(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """Return a local time, given in minutes since midnight, in UTC.

    A time that is skipped when daylight saving begins is moved forward by the gap. Of a time that comes twice when
    daylight saving ends, return the first.
    """
    return datetime.combine(day, time(*divmod(minutes, _HOUR)), zone).astimezone(UTC)
