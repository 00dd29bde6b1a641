"""Texts of a season's podium: the wins of each person, and the superlatives."""

from __future__ import annotations

from typing import Final

from bot.model.seasons import Award, Awarded
from bot.model.standings import Standing
from cardart.text import phrases

SUPERLATIVE_TITLES: Final = {Award.GINS: "Most gins", Award.STREAK: "Longest streak", Award.DEAL: "Largest deal"}
"""The titles of the superlatives, in display order."""

_UNITS: Final = {
    Award.GINS: ("gin", "gins"),
    Award.STREAK: (phrases.WON, phrases.WON),
    Award.DEAL: ("point", "points"),
}


def label(standing: Standing) -> str:
    """Return the label below a person's number of wins on the podium."""
    return "Match won" if standing.won == 1 else "Matches won"


def number_with_label(standing: Standing) -> str:
    """Return a person's number of wins with its label: `15 matches won`."""
    return f"{standing.won:,} {label(standing).lower()}"


def superlative_value(awarded: Awarded) -> str:
    """Return the value of a superlative with its unit: `12 gins`."""
    return f"{awarded.value:,} {_UNITS[awarded.award][awarded.value != 1]}"
