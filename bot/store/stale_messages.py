"""Queries about messages that a newer post replaced, and that are still to be deleted."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, insert, select, update

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import columns_of, read_row
from bot.values.ids import GuildId
from bot.values.outbox import Posted, StaleMessage

_STALE: Final = tables.stale_message.c


async def add(transaction: Transaction, guild_id: GuildId, posted: Posted, due_at: datetime) -> None:
    """Ask for the deletion of a message."""
    values = columns_of(posted) | {"guild_id": guild_id, "attempts": 0, "due_at": due_at}
    await transaction.execute(insert(tables.stale_message).values(values))


async def due(transaction: Transaction, at: datetime, busy: Collection[int], limit: int) -> tuple[StaleMessage, ...]:
    """Return the messages to delete now, except those that are being deleted, oldest first."""
    query = select(tables.stale_message).where(_STALE.due_at <= at, _STALE.id.not_in(busy))
    rows = await transaction.execute(query.order_by(_STALE.due_at, _STALE.id).limit(limit))
    return tuple(read_row(StaleMessage, row) for row in rows.mappings())


async def next_due(transaction: Transaction, busy: Collection[int]) -> datetime | None:
    """Return when the next message is to be deleted."""
    query = select(func.min(_STALE.due_at)).where(_STALE.id.not_in(busy))
    return (await transaction.execute(query)).scalar()


async def remove(transaction: Transaction, stale_id: int) -> None:
    """Save that a message is gone."""
    await transaction.execute(delete(tables.stale_message).where(_STALE.id == stale_id))


async def postpone(transaction: Transaction, stale_id: int, due_at: datetime, problem: str) -> None:
    """Save that a message could not be deleted, and when to try again."""
    row = update(tables.stale_message).where(_STALE.id == stale_id)
    await transaction.execute(row.values(attempts=_STALE.attempts + 1, due_at=due_at, problem=problem))


async def clear(transaction: Transaction) -> None:
    """Forget every message."""
    await transaction.execute(delete(tables.stale_message))
