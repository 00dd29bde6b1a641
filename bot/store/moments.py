"""Queries that repair times saved while the system clock was ahead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Table, and_, case, delete, func, literal, or_, select, tuple_, update

from bot.store import tables
from bot.store.removal import MAX_ROWS
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
"""Columns with times of past events. A future time there would delay actions that depend on its age."""

_LONGEST_TURN: Final = timedelta(days=60)
"""Maximum time until the timekeeper must check a match: a turn of two weeks, with gifts of time and a holiday."""


_PERIODS: Final = (tables.standstill, tables.holiday)


async def database_clock(transaction: Transaction) -> datetime:
    """Return the time of the database server's clock. Only PostgreSQL has one."""
    return (await transaction.execute(select(func.clock_timestamp()))).scalar_one()


TABLES: Final = (*dict.fromkeys(column.table for column in _PAST), *_PERIODS, tables.person, tables.challenge)
"""The tables with times that may need repair."""
MAX_AT_ONCE: Final = MAX_ROWS // 2
"""Maximum number of rows to repair in a transaction. Half of the limit, because a seat may also change its match."""


async def ahead(
    transaction: Transaction, table: Table, now: datetime, latest_end: datetime
) -> tuple[tuple[int, ...], ...]:
    """Return the keys of up to `MAX_AT_ONCE` rows of a table that need repair by `bring_back`."""
    query = select(*table.primary_key.columns).where(_is_ahead(table, now, latest_end)).limit(MAX_AT_ONCE)
    return tuple(tuple(row) for row in await transaction.execute(query))


async def bring_back(
    transaction: Transaction, table: Table, keys: Sequence[tuple[int, ...]], now: datetime, latest_end: datetime
) -> None:
    """Set times of past events that are after `now` to `now`, and end challenges no later than `latest_end`.

    `keys` are the rows to repair, as returned by `ahead`.
    """
    await _repair_times(transaction, table, keys, now)
    rows = update(table).where(_have(table, keys))
    if past := [column for column in _PAST if column.table is table]:
        values: dict[Any, Any] = {
            column: case((column > now, literal(now, column.type)), else_=column) for column in past
        }
        await transaction.execute(rows.where(_is_ahead(table, now, latest_end)).values(values))
    elif table is tables.challenge:
        await transaction.execute(rows.values(expires_at=latest_end))


def _is_ahead(table: Table, now: datetime, latest_end: datetime) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [column > now for column in _PAST if column.table is table]
    if table is tables.match:
        conditions.append(and_(tables.IS_RUNNING, table.c.time_due_at > now + _LONGEST_TURN))
    elif table in _PERIODS:
        conditions.append(table.c.from_at > now)
        conditions += [table.c.to_at > now] if table is tables.standstill else []
    elif table is tables.person:
        conditions.append(table.c.away_from > now)
    elif table is tables.challenge:
        conditions.append(table.c.expires_at > latest_end)
    return or_(*conditions)


def _have(table: Table, keys: Sequence[tuple[int, ...]]) -> ColumnElement[bool]:
    """Return the condition that a row has one of these keys."""
    columns = [*table.primary_key.columns]
    has_first = columns[0].in_({key[0] for key in keys})
    # SQLite cannot use an index for a list of tuples, so narrow the search by the first column.
    return has_first if len(columns) == 1 else and_(has_first, tuple_(*columns).in_(keys))


async def _repair_times(transaction: Transaction, table: Table, keys: Sequence[tuple[int, ...]], now: datetime) -> None:
    """Make the timekeeper check affected matches again, and remove standstills and holidays in the future."""
    match, seat, person = tables.match.c, tables.seat.c, tables.person.c
    if table in (tables.match, tables.seat):
        of_seats = select(seat.match_id).where(seat.match_id.in_({key[0] for key in keys}), seat.turn_at > now)
        moved_later = or_(match.turn_at > now, match.vacant_at > now, match.id.in_(of_seats))
        due = update(tables.match).where(match.id.in_({key[0] for key in keys}), tables.IS_RUNNING)
        due = due.where(or_(moved_later, match.time_due_at > now + _LONGEST_TURN))
        await transaction.execute(due.values(time_due_at=now))
    if table in _PERIODS:
        await transaction.execute(delete(table).where(_have(table, keys), table.c.from_at > now))
    if table is tables.standstill:
        await transaction.execute(update(table).where(_have(table, keys), table.c.to_at > now).values(to_at=now))
    if table is tables.person:
        away = update(tables.person).where(_have(table, keys), person.away_from > now)
        await transaction.execute(away.values(away_from=None, away_until=None))
