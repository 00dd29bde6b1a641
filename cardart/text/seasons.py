"""Texts about seasons: their names and their champions."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Sequence
from typing import Final

from bot.values.statistics import Category, Title

MOST_TITLES: Final = 3
"""Maximum number of a person's titles that are listed by name."""

_QUARTERS: Final = ("1st", "2nd", "3rd", "4th")
_COMPARED: Final = {Category.POINTS: "points", Category.TEAMS: "teams", Category.PENALTY: "penalty points"}


def season_name(key: str) -> str:
    """Return the name of a season from its key: `November 2026`, `4th quarter of 2026`."""
    year, _, number = key.partition("-")
    if number.startswith("Q"):
        return f"{_QUARTERS[int(number[1:]) - 1]} quarter of {year}"
    return f"{month_name[int(number)]} {year}"


def in_words(key: str) -> str:
    """Return the name of a season for use within a sentence: `the 4th quarter of 2026`."""
    return f"the {season_name(key)}" if "Q" in key else season_name(key)


def champion(titles: Sequence[Title], most: int = MOST_TITLES) -> str:
    """Return a person's titles in one phrase: the first `most` by name, and the number of others."""
    named = [f"{in_words(title.season)} ({_COMPARED[title.category]})" for title in titles[:most]]
    more = [f"{len(titles) - most} more"] if len(titles) > most else []
    *before, last = [*named, *more]
    return f"Champion of {', '.join(before)} and {last}" if before else f"Champion of {last}"
