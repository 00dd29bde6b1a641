"""Texts about seasons: their names and their champions."""

from __future__ import annotations

from calendar import month_abbr, month_name
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.model.statistics import Category, Title

MAX_TITLES: Final = 3
"""Maximum number of a person's titles that are listed by name."""

_QUARTER_NAMES: Final = ("1st", "2nd", "3rd", "4th")
_CATEGORY_NAMES: Final = {Category.POINTS: "points", Category.TEAMS: "teams", Category.PENALTY: "penalty points"}


def season_name(key: str) -> str:
    """Return the name of a season from its key: `November 2026`, `4th quarter of 2026`."""
    year, _, number = key.partition("-")
    if number.startswith("Q"):
        return f"{_QUARTER_NAMES[int(number[1:]) - 1]} quarter of {year}"
    return f"{month_name[int(number)]} {year}"


def from_day(began_at: datetime) -> str:
    """Return the day from which a season that began late counts matches: `from 30 Nov`."""
    return f"from {began_at.day} {month_abbr[began_at.month]}"


def short_season_name(key: str) -> str:
    """Return a short name of a season from its key: `Nov 2026`, `Q4 2026`."""
    year, _, number = key.partition("-")
    return f"{number if number.startswith('Q') else month_abbr[int(number)]} {year}"


def season_in_sentence(key: str) -> str:
    """Return the name of a season for use within a sentence: `the 4th quarter of 2026`."""
    return f"the {season_name(key)}" if "Q" in key else season_name(key)


def champion_text(titles: Sequence[Title], max_named: int = MAX_TITLES) -> str:
    """Return a person's titles in one phrase: the first `max_named` by name, and the number of others."""
    named = [f"{season_in_sentence(title.season)} ({_CATEGORY_NAMES[title.category]})" for title in titles[:max_named]]
    more = [f"{len(titles) - max_named} more"] if len(titles) > max_named else []
    *first_titles, last = [*named, *more]
    return f"Champion of {', '.join(first_titles)} and {last}" if first_titles else f"Champion of {last}"
