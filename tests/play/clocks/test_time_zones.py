"""Time zones by their names."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bot.values.time_zones import find_time_zone, time_zones, time_zones_with, zone_of


def test_the_zones_on_offer_exist() -> None:
    """People find their own, and UTC comes first."""
    zones = time_zones()
    assert zones[0] == "UTC"
    assert {"Europe/Paris", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} < {*zones}
    assert all(zone_of(zone).key == zone for zone in zones)


def test_a_zone_is_found_however_it_is_typed() -> None:
    """In any case, with spaces, and by its city if only one zone has that; nothing else is taken for one."""
    assert find_time_zone(" america/new york ") == "America/New_York"
    assert find_time_zone("UTC") == "UTC"
    assert [find_time_zone(typed) for typed in ("paris", "New York")] == ["Europe/Paris", "America/New_York"]
    unknown = ("Atlantis", "Louisville", "pari", "", "../etc/passwd", "Mars/Olympus")
    assert [find_time_zone(typed) for typed in unknown] == [None] * len(unknown)
    assert time_zones_with("new yo") == ["America/New_York"]


def test_a_zone_that_no_longer_exists_is_utc() -> None:
    """What was stored under its name goes on in UTC."""
    assert zone_of("Mars/Olympus") == zone_of("../../etc/passwd") == ZoneInfo("UTC")
