"""Seasons are named in words."""

from __future__ import annotations

import pytest

from cardart.text.seasons import season_name, short_season_name


@pytest.mark.parametrize(
    ("key", "long", "short"),
    [("2026-11", "November 2026", "Nov 2026"), ("2026-Q4", "4th quarter of 2026", "Q4 2026")],
)
def test_seasons_have_names(key: str, long: str, short: str) -> None:
    """Months and quarters have a long name, and a short one for narrow places."""
    assert (season_name(key), short_season_name(key)) == (long, short)
