"""Rewards: the value of a deal's outcome for one of its players."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import Outcome
from bot.engine.matches.scoring import charges
from bot.engine.rules import Rules


def reward(rules: Rules, seats: Sequence[Seat], outcome: Outcome, seat: Seat) -> float:
    """Return the reward of a player for a deal, negative for a loss.

    The winner gets the points and the line bonus, and the loser loses as much. With penalty points, the reward is the
    average charge of the other players, less the player's own.
    """
    if rules.format == "penalty":
        charged = charges(seats, outcome)
        own_charge = charged.pop(seat, 0)
        return sum(charged.values()) / (len(seats) - 1) - own_charge
    if outcome.winner is None:
        return 0
    points = outcome.points + rules.line_bonus * outcome.boxes
    return points if outcome.winner == seat else -points
