"""Time zones, by the names that IANA's database gives them."""

from __future__ import annotations

from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.values.names import folded

UTC_NAME: Final = "UTC"


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of time zones that people may choose: UTC, then those of places, sorted."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    return (UTC_NAME, *sorted(places))


def find_time_zone(typed: str) -> str | None:
    """Return the name of the time zone that somebody typed, in whatever case, perhaps by its city alone.

    Return None if there is none, or several for a city of that name.
    """
    wanted = folded(typed).replace(" ", "_")
    named = [name for name in time_zones() if name.casefold() == wanted]
    found = named or [name for name in time_zones() if name.casefold().rpartition("/")[2] == wanted]
    return found[0] if len(found) == 1 else None


def time_zones_with(typed: str) -> list[str]:
    """Return the names of time zones that have a text in them."""
    wanted = folded(typed).replace(" ", "_")
    return [name for name in time_zones() if wanted in name.casefold()]


@cache
def zone_of(name: str) -> ZoneInfo:
    """Return a time zone; UTC if it was stored under a name that no longer exists."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(UTC_NAME)
