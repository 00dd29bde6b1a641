"""Counts for monitoring."""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, select

from bot.store import tables
from bot.store.on_shards import OnShards
from bot.store.transaction import Transaction
from bot.values.shards import Shards

_OPEN_MATCHES: Final = OnShards(
    lambda is_on: (
        select(func.count()).select_from(tables.match).where(tables.IS_RUNNING, is_on(tables.match.c.guild_id))
    )
)


async def open_matches(transaction: Transaction, shards: Shards) -> int:
    """Return the number of running matches of these shards."""
    return (await _OPEN_MATCHES.execute(transaction, shards, {})).scalar_one()
