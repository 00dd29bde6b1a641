"""Texts of a season's podium: the wins of each person, and the superlatives."""

from __future__ import annotations

from typing import Final

from bot.model.seasons import Award, Awarded
from bot.model.standings import Standing
from cardart.text import phrases

SUPERLATIVE_TITLES: Final = {Award.GINS: "Most gins", Award.STREAK: phrases.STREAK, Award.DEAL: "Largest deal"}
"""The titles of the superlatives, in display order."""

_UNITS: Final = {
    Award.GINS: ("gin", "gins"),
    Award.STREAK: (phrases.WON, phrases.WON),
    Award.DEAL: ("point", "points"),
}


def won(standing: Standing) -> str:
    """Return a person's number of wins: `15 matches won`."""
    return f"{standing.won:,} {'match' if standing.won == 1 else 'matches'} {phrases.WON}"


def short_won(standing: Standing) -> str:
    """Return a person's number of wins: `15 won`."""
    return f"{standing.won:,} {phrases.WON}"


def not_won(standing: Standing) -> str:
    """Return a person's number of losses, and the number of drawn matches if there are any: `9 lost, 1 drawn`."""
    drawn = f", {standing.drawn:,} drawn" if standing.drawn else ""
    return f"{standing.lost:,} {phrases.LOST}{drawn}"


def superlative_value(awarded: Awarded) -> str:
    """Return the value of a superlative with its unit: `12 gins`."""
    return f"{awarded.value:,} {_UNITS[awarded.award][awarded.value != 1]}"
