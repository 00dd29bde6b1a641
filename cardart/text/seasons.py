"""The names of seasons, and the titles of their champions."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Sequence
from typing import Final

from bot.values.statistics import Category, Title

MOST_TITLES: Final = 3
"""The most titles of a person that are told one by one."""

_QUARTERS: Final = ("1st", "2nd", "3rd", "4th")
_COMPARED: Final = {Category.POINTS: "points", Category.TEAMS: "teams", Category.PENALTY: "penalty points"}


def season_name(key: str) -> str:
    """Return the name of a season: its month, or its quarter."""
    year, _, number = key.partition("-")
    if number.startswith("Q"):
        return f"{_QUARTERS[int(number[1:]) - 1]} quarter of {year}"
    return f"{month_name[int(number)]} {year}"


def in_words(key: str) -> str:
    """Return the name of a season as a sentence has it."""
    return f"the {season_name(key)}" if "Q" in key else season_name(key)


def champion(titles: Sequence[Title], most: int = MOST_TITLES) -> str:
    """Return of which seasons somebody is champion, the first `most` of them by name."""
    named = [f"{in_words(title.season)} ({_COMPARED[title.category]})" for title in titles[:most]]
    more = [f"{len(titles) - most} more"] if len(titles) > most else []
    *before, last = [*named, *more]
    return f"Champion of {', '.join(before)} and {last}" if before else f"Champion of {last}"
