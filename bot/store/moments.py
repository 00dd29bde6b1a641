"""The query that puts right what was saved while the system's clock was ahead."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, update

from bot.store import tables
from bot.store.database import Transaction

_PAST: Final[tuple[Column[Any], ...]] = (
    tables.match.c.moved_at,
    tables.seat.c.moved_at,
    tables.match.c.turn_at,
    tables.seat.c.turn_at,
    tables.guild.c.left_at,
    tables.shard.c.seen_at,
)
"""When something happened. How long ago that was decides what may be done now."""


async def bring_back(transaction: Transaction, now: datetime, latest_end: datetime) -> None:
    """Let what seems to have happened after `now` have happened now, and challenges end by `latest_end`."""
    for column in _PAST:
        await transaction.execute(update(column.table).where(column > now).values({column: now}))
    expires_at = tables.challenge.c.expires_at
    await transaction.execute(update(tables.challenge).where(expires_at > latest_end).values({expires_at: latest_end}))
