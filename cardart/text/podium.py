"""What the podium of a season shows: what its places go by, and who did most of what."""

from __future__ import annotations

from typing import Final

from bot.values.seasons import Award, Awarded
from bot.values.standings import Order, Standing
from cardart.text import phrases

SUPERLATIVES: Final = {Award.GINS: "Most gins", Award.STREAK: "Longest streak", Award.DEAL: "Largest deal"}
"""Who did most of something, in the order in which they are told."""

_UNITS: Final = {
    Award.GINS: ("gin", "gins"),
    Award.STREAK: (phrases.WON, phrases.WON),
    Award.DEAL: ("point", "points"),
}


def label(standing: Standing, order: Order) -> str:
    """Return the name of the number that somebody has on the podium."""
    return phrases.RATING if order is Order.RATING else "Match won" if standing.won == 1 else "Matches won"


def number(standing: Standing, order: Order) -> str:
    """Return that number."""
    return str(standing.rating) if order is Order.RATING else f"{standing.won:,}"


def words(standing: Standing, order: Order) -> str:
    """Return the number in words."""
    if order is Order.RATING:
        return f"rating {standing.rating}"
    return f"{number(standing, order)} {label(standing, order).lower()}"


def most(awarded: Awarded) -> str:
    """Return how much somebody did of what they did most."""
    return f"{awarded.value:,} {_UNITS[awarded.award][awarded.value != 1]}"
