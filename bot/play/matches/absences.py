"""Changes to matches whose players left the server or cannot reach the table. Each runs inside a unit of work."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.engine.deals.moves import Seat
from bot.model.clocks import TimeChange
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter, record_return
from bot.play.outbox.changes import Change, update_reminder
from bot.store import clocks, matches


async def stop_time(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Stop the clock of a player who cannot reach the table.

    If events of the turn are already due, such as a reminder, keep the time that was left when the first became due.
    """
    time = loaded.turn_time(seat, unit.now)
    assert time is not None
    since = min((at for _, at in time.pending_events(unit.now)), default=unit.now)
    left = max(time.left(min(since, unit.now)), timedelta())
    values = {"time_left": left, "stopped_at": unit.now, "used_up_at": None, "gone_at": None}
    loaded = change_seat(unit, loaded, seat, **values)
    await clocks.add_change(unit.transaction, loaded.info.id, seat, TimeChange.UNSEEN, timedelta(), unit.now)
    loaded = await writer.revise(unit, loaded)
    await update_reminder(unit, loaded, seat)
    return loaded


async def restart_time(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Start a player's stopped clock, with enough time for a move."""
    if loaded.turn_time(seat, unit.now) is None or loaded.info.is_paused:
        return loaded
    return await writer.restart_turns(unit, loaded, {seat: await record_return(unit, loaded, seat)})


async def note_gone(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Record that a player has left the server, and show it at the table. Their clock keeps running."""
    if loaded.row.seats[seat].stopped_at is not None:
        loaded = await restart_time(unit, writer, loaded, seat)
    if loaded.row.seats[seat].gone_at is not None:
        return loaded
    return await _save(unit, writer, loaded, seat, gone_at=unit.now)


async def note_back(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Record that a player who had left, or whose clock was stopped, is back."""
    row = loaded.row.seats[seat]
    if row.stopped_at is not None:
        return await restart_time(unit, writer, loaded, seat)
    return loaded if row.gone_at is None else await _save(unit, writer, loaded, seat, gone_at=None)


async def notify_waiting(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Notify the players who are waiting for the player at `seat` that they may now end the match."""
    loaded = change_seat(unit, loaded, seat, used_up_at=unit.now)
    stopped = loaded.row.seats[seat].stopped_at is not None
    waiting = [Seat(row.seat) for row in loaded.row.seats if row.seat != seat]
    if not stopped:
        waiting = [other for other in waiting if loaded.awaited_by(other) == seat]
    loaded = await writer.revise(unit, loaded, Change(notified=tuple(waiting)))
    await update_reminder(unit, loaded, seat)
    return loaded


def change_seat(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, **values: Any) -> LoadedMatch:
    """Save new values of a seat's columns, and return the match with these values."""
    matches.change_some_seats(unit.transaction, loaded.info.id, [seat], **values)
    return loaded.with_seat(seat, **values)


async def _save(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat, **values: Any) -> LoadedMatch:
    return await writer.revise(unit, change_seat(unit, loaded, seat, **values))
