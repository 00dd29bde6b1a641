"""The effect of a move on a match's clocks: turns end and begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.engine.deals.moves import Seat
from bot.play.clocks.turn_time import time_after_return
from bot.play.loading.loaded_match import LoadedMatch
from bot.store.rows import SeatRow

_NEW_TURN_COLUMNS: Final[Mapping[str, Any]] = {
    "stopped_at": None,
    "used_up_at": None,
    "reminders": 0,
    "reminded_at": None,
    "nudged_at": None,
    "gone_at": None,
}


def new_turn_columns(time_left: timedelta | None = None) -> dict[str, Any]:
    """Return the columns of a seat whose turn begins or restarts.

    Without `time_left`, the seat gets the full time of its clock.
    """
    return {**_NEW_TURN_COLUMNS, "time_left": time_left}


def update_clocks(
    before: LoadedMatch,
    loaded: LoadedMatch,
    acted: Collection[Seat],
    began: Collection[Seat],
    now: datetime,
    *,
    passed: Collection[Seat] = (),
    is_hidden: bool = False,
) -> tuple[LoadedMatch, Mapping[Seat, dict[str, Any]]]:
    """Return a match after a move with updated clocks, and the columns of seats to save.

    Args:
        before: the match before the move.
        loaded: the match after the move, but with the clocks from before it.
        acted: the seats that made the moves.
        began: the seats whose turn begins.
        passed: the seats whose turn begins and ends at once, because they ordered a pass.
        now: the time of the move.
        is_hidden: True if only the player who moved sees the move, a draw from the stock.
    """
    has_boards, restarted = loaded.state.format.boards > 1, set[Seat]()
    changes: dict[Seat, dict[str, Any]] = {}
    for seat in (Seat(row.seat) for row in before.row.seats if row.person is not None):
        row, to_act = before.row.seats[seat], loaded.state.to_act
        values: dict[str, Any] = {}
        if seat in before.to_act and (seat in began or seat not in to_act):
            values = new_turn_columns(_time_for_next_turn(before, seat, now))
        elif seat in passed and (increment := before.info.clock.increment) is not None:
            left = before.info.clock.full_time if row.time_left is None else row.time_left
            values = {"time_left": left + increment}
        elif seat in acted and before.info.clock.time is None and not is_hidden:
            # Without a clock, the time that others have waited for a player counts from that player's last move.
            restarted.add(seat)
            values = new_turn_columns()
        elif seat in acted and row.stopped_at is not None:
            restarted.add(seat)
            values = new_turn_columns(_time_left(before, seat, now))
        elif seat in acted:
            # A player who moves is no longer absent.
            values = {"gone_at": None}
        if has_boards and (seat in began or seat in restarted):
            values["turn_at"] = now
        if changed := {name: value for name, value in values.items() if getattr(row, name) != value}:
            changes[seat] = changed
    seats = tuple(_changed_seat(row, changes) for row in loaded.row.seats)
    is_new_turn = not has_boards and bool(began or restarted)
    info = replace(loaded.info, turn_at=now) if is_new_turn else loaded.info
    loaded = replace(loaded, row=replace(loaded.row, info=info, seats=seats))
    due_at = loaded.next_due(now) if not loaded.state.score.is_over else None
    return replace(loaded, row=replace(loaded.row, time_due_at=due_at)), changes


def _time_for_next_turn(before: LoadedMatch, seat: Seat, now: datetime) -> timedelta | None:
    """Return a seat's time for its next turn: the time left plus the increment, or None for the full time."""
    increment, left = before.info.clock.increment, _time_left(before, seat, now)
    return None if increment is None or left is None else left + increment


def _time_left(before: LoadedMatch, seat: Seat, now: datetime) -> timedelta | None:
    """Return the time left to the player who moves. If their clock was stopped, they have returned by moving.

    Return None if the match has no clock.
    """
    time = before.turn_time(seat, now)
    if time is None:
        return None
    if before.row.seats[seat].stopped_at is not None:
        return time_after_return(before.info.clock, time.allowance)
    return max(time.left(now), timedelta())


def _changed_seat(row: SeatRow, changes: Mapping[Seat, dict[str, Any]]) -> SeatRow:
    values = changes.get(Seat(row.seat))
    return row if values is None else replace(row, **values)
