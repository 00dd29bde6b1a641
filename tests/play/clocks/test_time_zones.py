"""Finding time zones by name."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.values.time_zones import WELL_KNOWN, find_time_zone, likely_time_zones, time_zones, time_zones_with, zone_of


def test_the_zones_on_offer_exist() -> None:
    """All offered zones exist, and UTC is first."""
    zones = time_zones()
    assert zones[0] == "UTC"
    assert {"Europe/Paris", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} < {*zones}
    assert all(zone_of(zone).key == zone for zone in zones)


def test_a_zone_is_found_however_it_is_typed() -> None:
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
    assert [find_time_zone(one) for one in typed] == [
        *("America/Sao_Paulo", "Europe/Zurich", "America/Bogota", "America/Sao_Paulo", "America/Port-au-Prince"),
        *("America/St_Johns", "America/New_York", "Europe/Zurich"),
    ]
    unknown = ("Atlantis", "pari", "", "../etc/passwd", "Mars/Olympus")
    assert [find_time_zone(typed) for typed in unknown] == [None] * len(unknown)
    assert time_zones_with("new yo") == ["America/New_York"]
    assert time_zones_with("são p") == ["America/Sao_Paulo"]


def test_two_names_for_one_zone_are_not_ambiguous() -> None:
    """Of two names for a zone, the current one with more parts is chosen."""
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
def test_an_abbreviation_or_a_difference_to_utc_is_no_zone_but_fits_some(typed: str, expected: str) -> None:
    """Abbreviations and UTC offsets are not zones, because they do not include daylight saving; zones are suggested."""
    assert find_time_zone(typed) is None
    assert expected in time_zones_with(typed)[:25]
    assert likely_time_zones(typed)


def test_well_known_zones_exist() -> None:
    """The well-known zones exist and are distinct."""
    assert {*WELL_KNOWN} < {*time_zones()}
    assert len({*WELL_KNOWN}) == len(WELL_KNOWN)


def test_a_zone_that_no_longer_exists_is_utc() -> None:
    """An unknown zone is UTC."""
    assert zone_of("Mars/Olympus") == zone_of("../../etc/passwd") == ZoneInfo("UTC")
