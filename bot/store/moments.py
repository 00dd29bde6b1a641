"""Queries that repair times saved while the system clock was ahead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    and_,
    case,
    delete,
    false,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from bot.model.daily import day_at
from bot.store import tables
from bot.store.removal import MAX_ROWS
from bot.store.transaction import Transaction

_PAST_TIME_COLUMNS: Final[tuple[Column[Any], ...]] = (
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
    tables.person.c.daily_reminded_at,
    tables.guild.c.left_at,
    tables.guild.c.unavailable_since,
    tables.shard.c.seen_at,
)
"""Columns with times of past events. A time in the future would delay actions that depend on the event's age."""

_MAX_TURN: Final = timedelta(days=60)
"""Maximum time until the timekeeper's next check of a match.

It allows for a turn of two weeks that is extended by gifts of time and a holiday.
"""


_PERIOD_TABLES: Final = (tables.standstill, tables.holiday)


async def database_clock(transaction: Transaction) -> datetime:
    """Return the time of the database server's clock. This works only with PostgreSQL."""
    return (await transaction.execute(select(func.clock_timestamp()))).scalar_one()


REPAIRED_TABLES: Final = (
    *dict.fromkeys(column.table for column in _PAST_TIME_COLUMNS),
    *_PERIOD_TABLES,
    tables.challenge,
    tables.daily_deal,
)
"""The tables with times that may need repair."""
MAX_REPAIRED_ROWS: Final = MAX_ROWS // 2
"""Maximum number of rows to repair in a transaction.

Half of `MAX_ROWS`, because repairing the row of a seat may also change the row of its match.
"""


async def keys_in_future(
    transaction: Transaction, table: Table, now: datetime, latest_end: datetime
) -> tuple[tuple[Any, ...], ...]:
    """Return the keys of up to `MAX_REPAIRED_ROWS` rows of a table whose times are wrongly in the future."""
    query = select(*table.primary_key.columns).where(_is_in_future(table, now, latest_end)).limit(MAX_REPAIRED_ROWS)
    return tuple(tuple(row) for row in await transaction.execute(query))


async def repair(
    transaction: Transaction, table: Table, keys: Sequence[tuple[Any, ...]], now: datetime, latest_end: datetime
) -> None:
    """Set times of past events that are after `now` to `now`, and let challenges expire no later than `latest_end`.

    A deal of the day that was closed before the end of its day cannot be played, so missing it ends no streak.

    `keys` are the rows to repair, as returned by `keys_in_future`.
    """
    await _repair_times(transaction, table, keys, now)
    statement = update(table).where(_has_key(table, keys))
    if past_columns := [column for column in _PAST_TIME_COLUMNS if column.table is table]:
        values: dict[Any, Any] = {
            column: case((column > now, literal(now, column.type)), else_=column) for column in past_columns
        }
        await transaction.execute(statement.where(_is_in_future(table, now, latest_end)).values(values))
    elif table is tables.challenge:
        await transaction.execute(statement.values(expires_at=latest_end))
    elif table is tables.daily_deal:
        await transaction.execute(statement.values(was_down=True, worst_points=None, worst_turns=None))


def _is_in_future(table: Table, now: datetime, latest_end: datetime) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [column > now for column in _PAST_TIME_COLUMNS if column.table is table]
    if table is tables.match:
        conditions.append(and_(tables.IS_RUNNING, table.c.time_due_at > now + _MAX_TURN))
    elif table in _PERIOD_TABLES:
        conditions.append(table.c.from_at > now)
        conditions += [table.c.to_at > now] if table is tables.standstill else []
    elif table is tables.person:
        conditions.append(table.c.away_from > now)
    elif table is tables.challenge:
        conditions.append(table.c.expires_at > latest_end)
    elif table is tables.daily_deal:
        is_too_early = and_(table.c.day >= day_at(now), table.c.closed_at.is_not(None))
        conditions.append(and_(is_too_early, table.c.was_down.is_(false())))
    return or_(*conditions)


def _has_key(table: Table, keys: Sequence[tuple[Any, ...]]) -> ColumnElement[bool]:
    """Return the condition that a row has one of these keys."""
    columns = [*table.primary_key.columns]
    has_first = columns[0].in_({key[0] for key in keys})
    # SQLite cannot use an index for a list of tuples, so narrow the search by the first column.
    return has_first if len(columns) == 1 else and_(has_first, tuple_(*columns).in_(keys))


async def _repair_times(transaction: Transaction, table: Table, keys: Sequence[tuple[Any, ...]], now: datetime) -> None:
    """Repair future times of matches, standstills and holidays.

    The timekeeper checks the affected matches now. Standstills and holidays that begin in the future are removed, and
    standstills that end in the future end now.
    """
    match, seat, person = tables.match.c, tables.seat.c, tables.person.c
    if table in (tables.match, tables.seat):
        affected_match_ids = select(seat.match_id).where(
            seat.match_id.in_({key[0] for key in keys}), seat.turn_at > now
        )
        has_future_time = or_(match.turn_at > now, match.vacant_at > now, match.id.in_(affected_match_ids))
        statement = update(tables.match).where(match.id.in_({key[0] for key in keys}), tables.IS_RUNNING)
        statement = statement.where(or_(has_future_time, match.time_due_at > now + _MAX_TURN))
        await transaction.execute(statement.values(time_due_at=now))
    if table in _PERIOD_TABLES:
        await transaction.execute(delete(table).where(_has_key(table, keys), table.c.from_at > now))
    if table is tables.standstill:
        await transaction.execute(update(table).where(_has_key(table, keys), table.c.to_at > now).values(to_at=now))
    if table is tables.person:
        away = update(tables.person).where(_has_key(table, keys), person.away_from > now)
        await transaction.execute(away.values(away_from=None, away_until=None))
