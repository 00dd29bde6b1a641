"""The categories of leaderboards in words."""

from __future__ import annotations

from typing import Final

from bot.values.statistics import Category

CATEGORIES: Final = {
    Category.POINTS: "matches for points",
    Category.TEAMS: "team matches",
    Category.PENALTY: "matches for penalty points",
}
"""Any other filter of a leaderboard is the name of a ruleset."""
