"""What is compared with each other, in words."""

from __future__ import annotations

from typing import Final

from bot.play.values import Ladder

LADDERS: Final = {
    Ladder.POINTS: "matches for points",
    Ladder.TEAMS: "matches of teams",
    Ladder.PENALTY: "matches for penalty points",
}
"""The ladders; every other filter of a leaderboard is the name of a rule system."""
