"""The query that puts right what was saved while the system's clock was ahead."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Column, delete, func, or_, select, update

from bot.store import tables
from bot.store.transaction import Transaction

_PAST: Final[tuple[Column[Any], ...]] = (
    tables.match.c.moved_at,
    tables.seat.c.moved_at,
    tables.match.c.turn_at,
    tables.match.c.paused_at,
    tables.match.c.vacant_at,
    tables.seat.c.turn_at,
    tables.seat.c.stopped_at,
    tables.seat.c.used_up_at,
    tables.seat.c.reminded_at,
    tables.seat.c.nudged_at,
    tables.seat.c.gone_at,
    tables.seat.c.continue_asked_at,
    tables.guild.c.left_at,
    tables.guild.c.unavailable_since,
    tables.shard.c.seen_at,
)
"""When something happened. How long ago that was decides what may be done now."""

_LONGEST_TURN: Final = timedelta(days=60)
"""The timekeeper never waits for longer than that: a turn of two weeks, with gifts of time and a holiday."""


async def database_clock(transaction: Transaction) -> datetime:
    """Return the time by the clock of the database. SQLite has none."""
    return (await transaction.execute(select(func.clock_timestamp()))).scalar_one()


async def bring_back(transaction: Transaction, now: datetime, latest_end: datetime) -> None:
    """Let what seems to have happened after `now` have happened now, and challenges end by `latest_end`."""
    await _repair_times(transaction, now)
    for column in _PAST:
        await transaction.execute(update(column.table).where(column > now).values({column: now}))
    expires_at = tables.challenge.c.expires_at
    await transaction.execute(update(tables.challenge).where(expires_at > latest_end).values({expires_at: latest_end}))


async def _repair_times(transaction: Transaction, now: datetime) -> None:
    """Undo what the wrong clock did to times: the timekeeper looks at matches again, and nothing stands still later."""
    match, seat, person = tables.match.c, tables.seat.c, tables.person.c
    seats_moved_later = select(seat.match_id).where(seat.turn_at > now)
    moved_later = or_(match.turn_at > now, match.vacant_at > now, match.id.in_(seats_moved_later))
    due = update(tables.match).where(tables.IS_RUNNING, or_(moved_later, match.time_due_at > now + _LONGEST_TURN))
    await transaction.execute(due.values(time_due_at=now))
    for table in (tables.standstill, tables.holiday):
        await transaction.execute(delete(table).where(table.c.from_at > now))
    standstill = tables.standstill.c
    await transaction.execute(update(tables.standstill).where(standstill.to_at > now).values(to_at=now))
    away = update(tables.person).where(person.away_from > now)
    await transaction.execute(away.values(away_from=None, away_until=None))
