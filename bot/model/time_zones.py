"""Time zones, by their names in the IANA database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.model.names import search_key

UTC_NAME: Final = "UTC"

POPULAR_TIME_ZONES: Final = (
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
"""Time zones with many people, which are offered first if many time zones match."""

_OFFSET_PATTERN: Final = re.compile(
    r"(?:utc|gmt|z)? *(?P<sign>[-+\u2212]) *(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?", re.IGNORECASE
)
_MAX_SUGGESTIONS: Final = 3
_SAMPLE_MONTHS: Final = (1, 7)
"""January and July. A place with summer time has it in one of the two months."""


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of the time zones to choose from: UTC, then the ones named after places, sorted."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    return (UTC_NAME, *sorted(places))


def find_time_zone(typed: str) -> str | None:
    """Return the name of the time zone for a typed name, or for its city alone.

    Case, accents, spaces, hyphens and underscores do not matter. Return None if nothing matches, or if cities in
    different time zones have that name.
    """
    key = search_key(typed)
    full_matches = [name for name in time_zones() if search_key(name) == key]
    matches = full_matches or [name for name in time_zones() if search_key(name.rpartition("/")[2]) == key]
    if len({_offsets_by_day(name) for name in matches}) != 1:
        return None
    # If a zone has several names, prefer the newer ones, which have more parts.
    return max(matches, key=lambda name: (name.count("/"), name))


def matching_time_zones(typed: str) -> list[str]:
    """Return the names of the time zones that match an abbreviation, an offset from UTC, or a part of a name."""
    key = search_key(typed)
    by_name = [name for name in time_zones() if key in search_key(name)] if key or not typed.strip() else []
    by_offset = [name for name in (*_with_abbreviation(typed), *_with_offset(typed)) if name not in by_name]
    return [*by_offset, *by_name]


def suggested_time_zones(typed: str) -> tuple[str, ...]:
    """Return the names of a few time zones that match a text."""
    return tuple(matching_time_zones(typed)[:_MAX_SUGGESTIONS]) if typed.strip() else ()


def _with_abbreviation(typed: str) -> Sequence[str]:
    """Return the time zones with an abbreviation such as EST or CEST."""
    return _by_abbreviation().get(typed.strip().upper(), ())


def _with_offset(typed: str) -> Sequence[str]:
    """Return the time zones with an offset from UTC in summer or winter, such as `UTC+2`, `GMT-3:30` or `+1`."""
    match = _OFFSET_PATTERN.fullmatch(typed.strip())
    if match is None:
        return ()
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    return _by_offset().get(offset if match["sign"] == "+" else -offset, ())


@cache
def _by_abbreviation() -> dict[str, list[str]]:
    zones_by_abbreviation: dict[str, list[str]] = {}
    for name in _popular_first():
        for abbreviation in dict.fromkeys(sample.tzname() or "" for sample in _samples(name)):
            zones_by_abbreviation.setdefault(abbreviation, []).append(name)
    # The `tzname` of a zone without an abbreviation is an offset such as `-03`.
    return {abbreviation: zones for abbreviation, zones in zones_by_abbreviation.items() if abbreviation.isalpha()}


@cache
def _by_offset() -> dict[timedelta, list[str]]:
    zones_by_offset: dict[timedelta, list[str]] = {}
    for name in _popular_first():
        for offset in dict.fromkeys(sample.utcoffset() or timedelta() for sample in _samples(name)):
            zones_by_offset.setdefault(offset, []).append(name)
    return zones_by_offset


@cache
def _popular_first() -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            (
                *(popular_time_zone for popular_time_zone in POPULAR_TIME_ZONES if popular_time_zone in time_zones()),
                *time_zones(),
            )
        )
    )


def _samples(name: str) -> list[datetime]:
    """Return a local time in winter and one in summer of this year, in a time zone."""
    year = datetime.now(UTC).year
    return [datetime(year, month, 15, tzinfo=UTC).astimezone(ZoneInfo(name)) for month in _SAMPLE_MONTHS]


@cache
def _offsets_by_day(name: str) -> tuple[timedelta | None, ...]:
    """Return a fingerprint that all names of one time zone share: its offset from UTC on each day of some years."""
    first = datetime(datetime.now(UTC).year, 1, 1, tzinfo=UTC)
    zone = ZoneInfo(name)
    return tuple((first + timedelta(days=day)).astimezone(zone).utcoffset() for day in range(1000))


@cache
def zone_info(name: str) -> ZoneInfo:
    """Return the time zone with this name, or UTC if there is none. A stored name may no longer exist."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(UTC_NAME)
