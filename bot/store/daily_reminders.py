"""Queries about reminders of the deal of the day."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Text, cast, exists, func, or_, select, update

from bot.model.daily import end_of
from bot.model.daily_reminders import ReminderTime
from bot.model.ids import PersonId
from bot.store import tables
from bot.store.columns import is_listed
from bot.store.rows import columns_of, read_row
from bot.store.transaction import Transaction

_PERSON: Final = tables.person.c
_TRY: Final = tables.daily_try.c
_TIME: Final = (_PERSON.daily_hour, _PERSON.time_zone, _PERSON.quiet_from, _PERSON.quiet_to)
_DAY: Final = timedelta(days=1)


def _joined(*columns: ColumnElement[Any]) -> ColumnElement[str]:
    """Return the values of columns as one text, as in `_text`."""
    first, *others = (func.coalesce(cast(column, Text), "") for column in columns)
    for other in others:
        first = first.concat(" ").concat(other)
    return first


def _text(time: ReminderTime) -> str:
    values = columns_of(time)
    return " ".join("" if values[column.name] is None else str(values[column.name]) for column in _TIME)


async def times(transaction: Transaction) -> tuple[ReminderTime, ...]:
    """Return the times at which people are reminded of the deal of the day, each once."""
    query = select(*_TIME).where(tables.WANTS_DAILY_REMINDER).distinct()
    return tuple(read_row(ReminderTime, row) for row in (await transaction.execute(query)).mappings())


async def due(
    transaction: Transaction, times_now: Collection[ReminderTime], day: date, now: datetime, limit: int
) -> tuple[PersonId, ...]:
    """Return people to remind of the deal of a day, those who were last reminded longest ago first.

    These are people with one of the times `times_now` who were not reminded of this deal and have not finished it, have
    an open direct message channel, and are not on holiday.
    """
    begins = end_of(day) - _DAY
    query = (
        select(_PERSON.id)
        .where(
            tables.WANTS_DAILY_REMINDER,
            is_listed(_joined(*_TIME), "times"),
            or_(_PERSON.daily_reminded_at.is_(None), _PERSON.daily_reminded_at < begins),
            _PERSON.dm_channel_id.is_not(None),
            _PERSON.dm_closed_at.is_(None),
            or_(_PERSON.away_until.is_(None), _PERSON.away_until <= now),
            ~exists().where(_TRY.day == day, _TRY.person_id == _PERSON.id, _TRY.points.is_not(None)),
        )
        .order_by(_PERSON.daily_reminded_at.nulls_first(), _PERSON.id)
        .limit(limit)
    )
    rows = await transaction.execute(query, {"times": [_text(time) for time in times_now]})
    return tuple(rows.scalars())


async def save(transaction: Transaction, person_ids: Collection[PersonId], at: datetime) -> None:
    """Save that people are reminded now."""
    statement = update(tables.person).where(_PERSON.id.in_([*person_ids]))
    await transaction.execute(statement.values(daily_reminded_at=at))
