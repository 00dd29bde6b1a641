"""Finding time zones by name."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.model.time_zones import (
    POPULAR_TIME_ZONES,
    find_time_zone,
    matching_time_zones,
    suggested_time_zones,
    time_zones,
    zone_info,
)


def test_offered_zones_exist() -> None:
    """All offered zones exist, and UTC is first."""
    zones = time_zones()
    assert zones[0] == "UTC"
    assert {"Europe/Paris", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} < {*zones}
    assert all(zone_info(zone).key == zone for zone in zones)


def test_zones_are_found_by_name_or_city() -> None:
    """A zone is found by its full name or its city, ignoring case, accents, spaces and hyphens."""
    assert find_time_zone(" america/new york ") == "America/New_York"
    assert find_time_zone("UTC") == "UTC"
    assert [find_time_zone(typed) for typed in ("paris", "New York")] == ["Europe/Paris", "America/New_York"]
    typed = (
        "São Paulo",
        "Zürich",
        "BOGOTÁ",
        "sao-paulo",
        "port au prince",
        "St. John's",
        "America-New_York",
        "europe/ zürich",
    )
    assert [find_time_zone(text) for text in typed] == [
        *("America/Sao_Paulo", "Europe/Zurich", "America/Bogota", "America/Sao_Paulo", "America/Port-au-Prince"),
        *("America/St_Johns", "America/New_York", "Europe/Zurich"),
    ]
    unknown = ("Atlantis", "pari", "", "../etc/passwd", "Mars/Olympus")
    assert [find_time_zone(typed) for typed in unknown] == [None] * len(unknown)
    assert matching_time_zones("new yo") == ["America/New_York"]
    assert matching_time_zones("são p") == ["America/Sao_Paulo"]


def test_two_names_for_one_zone_are_not_ambiguous() -> None:
    """If two names of one zone end in the same city, the zone's current name is found."""
    assert find_time_zone("Buenos Aires") == "America/Argentina/Buenos_Aires"
    assert find_time_zone("Louisville") == "America/Kentucky/Louisville"
    assert find_time_zone("Istanbul") in ("Asia/Istanbul", "Europe/Istanbul")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("EST", "America/New_York"),
        ("est", "America/New_York"),
        ("EDT", "America/New_York"),
        ("CEST", "Europe/Berlin"),
        ("PST", "America/Los_Angeles"),
        ("IST", "Asia/Kolkata"),
        ("BST", "Europe/London"),
        ("GMT", "Europe/London"),
        ("UTC+2", "Europe/Berlin"),
        ("utc +02:00", "Europe/Berlin"),
        ("GMT+1", "Europe/London"),
        ("UTC-5", "America/New_York"),
        ("UTC−3:30", "America/St_Johns"),
        ("UTC+5:30", "Asia/Kolkata"),
        ("+9", "Asia/Tokyo"),
    ],
)
def test_zones_are_suggested_for_abbreviations_and_offsets(typed: str, expected: str) -> None:
    """Abbreviations and UTC offsets, which ignore daylight saving, are not accepted; matching zones are suggested."""
    assert find_time_zone(typed) is None
    assert expected in matching_time_zones(typed)[:25]
    assert suggested_time_zones(typed)


def test_well_known_zones_exist() -> None:
    """All `POPULAR_TIME_ZONES` exist and are distinct."""
    assert {*POPULAR_TIME_ZONES} < {*time_zones()}
    assert len({*POPULAR_TIME_ZONES}) == len(POPULAR_TIME_ZONES)


def test_an_unknown_zone_is_utc() -> None:
    """An unknown name of a zone counts as UTC."""
    assert zone_info("Mars/Olympus") == zone_info("../../etc/passwd") == ZoneInfo("UTC")
