"""Time zones, by their names in the IANA database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.values.names import searchable

UTC_NAME: Final = "UTC"

WELL_KNOWN: Final = (
    *("Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome", "Europe/Warsaw"),
    *("Europe/Athens", "Europe/Kyiv", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos", "Africa/Cairo"),
    *("Africa/Johannesburg", "Africa/Nairobi", "America/New_York", "America/Chicago", "America/Denver"),
    *("America/Los_Angeles", "America/Phoenix", "America/Anchorage", "Pacific/Honolulu", "America/Toronto"),
    *("America/Vancouver", "America/Halifax", "America/St_Johns", "America/Mexico_City", "America/Bogota"),
    *("America/Lima", "America/Caracas", "America/Santiago", "America/Sao_Paulo", "America/Argentina/Buenos_Aires"),
    *("Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Jakarta", "Asia/Shanghai"),
    *("Asia/Singapore", "Asia/Manila", "Asia/Tokyo", "Asia/Seoul", "Asia/Jerusalem", "Asia/Tehran"),
    *("Australia/Perth", "Australia/Adelaide", "Australia/Brisbane", "Australia/Sydney", "Pacific/Auckland"),
    *("Atlantic/Azores", "Atlantic/Reykjavik"),
)
"""Time zones with many people, which are offered first if many match."""

_OFFSET: Final = re.compile(
    r"(?:utc|gmt|z)? *(?P<sign>[-+\u2212]) *(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?", re.IGNORECASE
)
_MAX_LIKELY: Final = 3
_MONTHS: Final = (1, 7)
"""A winter and a summer month. One of them has summer time, north or south of the equator."""


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of the time zones to choose from: UTC, then the ones named after places, sorted."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    return (UTC_NAME, *sorted(places))


def find_time_zone(typed: str) -> str | None:
    """Return the time zone for a typed name, or for its city alone.

    Case, accents, spaces, hyphens and underscores do not matter. Return None if nothing matches, or if cities in
    different time zones have that name.
    """
    wanted = searchable(typed)
    named = [name for name in time_zones() if searchable(name) == wanted]
    found = named or [name for name in time_zones() if searchable(name.rpartition("/")[2]) == wanted]
    if len({_course(name) for name in found}) != 1:
        return None
    # If a zone has several names, the newer ones have more parts.
    return max(found, key=lambda name: (name.count("/"), name))


def time_zones_with(typed: str) -> list[str]:
    """Return the names of the time zones that match an abbreviation, an offset from UTC, or a part of a name."""
    wanted = searchable(typed)
    named = [name for name in time_zones() if wanted in searchable(name)] if wanted or not typed.strip() else []
    likely = [name for name in (*_called(typed), *_apart(typed)) if name not in named]
    return [*likely, *named]


def likely_time_zones(typed: str) -> tuple[str, ...]:
    """Return the names of a few time zones that match a text."""
    return tuple(time_zones_with(typed)[:_MAX_LIKELY]) if typed.strip() else ()


def _called(typed: str) -> Sequence[str]:
    """Return the time zones with an abbreviation such as EST or CEST."""
    return _by_abbreviation().get(typed.strip().upper(), ())


def _apart(typed: str) -> Sequence[str]:
    """Return the time zones with an offset from UTC in summer or winter, such as `UTC+2`, `GMT-3:30` or `+1`."""
    found = _OFFSET.fullmatch(typed.strip())
    if found is None:
        return ()
    offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    return _by_offset().get(offset if found["sign"] == "+" else -offset, ())


@cache
def _by_abbreviation() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in _well_known_first():
        for abbreviation in dict.fromkeys(one.tzname() or "" for one in _samples(name)):
            found.setdefault(abbreviation, []).append(name)
    # The `tzname` of a zone without an abbreviation is an offset such as `-03`.
    return {abbreviation: zones for abbreviation, zones in found.items() if abbreviation.isalpha()}


@cache
def _by_offset() -> dict[timedelta, list[str]]:
    found: dict[timedelta, list[str]] = {}
    for name in _well_known_first():
        for offset in dict.fromkeys(one.utcoffset() or timedelta() for one in _samples(name)):
            found.setdefault(offset, []).append(name)
    return found


@cache
def _well_known_first() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(one for one in WELL_KNOWN if one in time_zones()), *time_zones())))


def _samples(name: str) -> list[datetime]:
    """Return this year's local times in winter and in summer."""
    year = datetime.now(UTC).year
    return [datetime(year, month, 15, tzinfo=UTC).astimezone(ZoneInfo(name)) for month in _MONTHS]


@cache
def _course(name: str) -> tuple[timedelta | None, ...]:
    """Return a fingerprint that all names of one time zone share: its offset from UTC on each day of some years."""
    first = datetime(datetime.now(UTC).year, 1, 1, tzinfo=UTC)
    zone = ZoneInfo(name)
    return tuple((first + timedelta(days=day)).astimezone(zone).utcoffset() for day in range(1000))


@cache
def zone_of(name: str) -> ZoneInfo:
    """Return a time zone, or UTC if a stored name no longer exists."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(UTC_NAME)
