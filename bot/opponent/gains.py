"""Gains: what the outcome of a deal is worth to one of its players."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.scoring import charges
from bot.engine.showdown import Outcome


def gain(rules: Rules, seats: Sequence[Seat], outcome: Outcome, seat: Seat) -> float:
    """Return the points that a deal brings one of its players, negative for those of others.

    A player who won gets the points and the line bonus, and whoever lost loses as much. Penalty points are worth what
    the others are charged on average, less what the player is.
    """
    if rules.format == "penalty":
        charged = charges(seats, outcome)
        own = charged.pop(seat, 0)
        return sum(charged.values()) / (len(seats) - 1) - own
    if outcome.winner is None:
        return 0
    points = outcome.points + rules.line_bonus * outcome.boxes
    return points if outcome.winner == seat else -points
