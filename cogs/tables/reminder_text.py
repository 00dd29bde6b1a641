"""Reminders as text."""

from __future__ import annotations

from bot.model.matches import RemindedTurn
from bot.model.words import count
from cogs.words.clocks import duration
from cogs.words.names import opponents, place
from cogs.words.table import relative_time


def title(turns: int) -> str:
    """Return the title of a reminder. `turns` is the number of matches that wait for the person."""
    return "It's your turn" if turns == 1 else f"It's your turn in {count(turns, 'match', 'matches')}"


def line(turn: RemindedTurn) -> str:
    """Return a line about a turn: the channel, the opponents and the remaining time."""
    against = f"{place(turn.match)} against {opponents(turn.match, turn.seat)}"
    nudged = " You were nudged." if turn.is_nudge else ""
    return f"{against}: {_left(turn)}.{nudged}"


def call(turn: RemindedTurn) -> str:
    """Return the part of a ping, after the mention, that reminds the player of their turn."""
    return f"{'you were nudged: ' if turn.is_nudge else ''}it's still your turn ({_left(turn)})"


def _left(turn: RemindedTurn) -> str:
    if turn.time is None:
        return f"your turn started {relative_time(turn.turn_at)}"
    if turn.time.is_used_up:
        return "your time is up"
    if turn.time.ends_at is None:
        return f"you have {duration(turn.time.left)} left"
    return f"your time runs out {relative_time(turn.time.ends_at)}"
