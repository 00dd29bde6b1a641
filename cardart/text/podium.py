"""Texts of a season's podium: the rating or wins of each person, and the superlatives."""

from __future__ import annotations

from typing import Final

from bot.model.seasons import Award, Awarded
from bot.model.standings import Order, Standing
from cardart.text import phrases

SUPERLATIVE_TITLES: Final = {Award.GINS: "Most gins", Award.STREAK: "Longest streak", Award.DEAL: "Largest deal"}
"""The titles of the superlatives, in display order."""

_UNITS: Final = {
    Award.GINS: ("gin", "gins"),
    Award.STREAK: (phrases.WON, phrases.WON),
    Award.DEAL: ("point", "points"),
}


def label(standing: Standing, order: Order) -> str:
    """Return the label below a person's number on the podium: `Rating`, `Match won` or `Matches won`."""
    return phrases.RATING if order is Order.RATING else "Match won" if standing.won == 1 else "Matches won"


def number(standing: Standing, order: Order) -> str:
    """Return a person's number on the podium: the rating or the matches won."""
    return str(standing.rating) if order is Order.RATING else f"{standing.won:,}"


def number_with_label(standing: Standing, order: Order) -> str:
    """Return the number with its label: `rating 1509`, `15 matches won`."""
    if order is Order.RATING:
        return f"rating {standing.rating}"
    return f"{number(standing, order)} {label(standing, order).lower()}"


def superlative_value(awarded: Awarded) -> str:
    """Return the value of a superlative with its unit: `12 gins`."""
    return f"{awarded.value:,} {_UNITS[awarded.award][awarded.value != 1]}"
