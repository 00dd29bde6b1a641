"""Queries that count matches, for monitoring."""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, select

from bot.model.shards import Shards
from bot.store import tables
from bot.store.on_shards import ShardQuery
from bot.store.transaction import Transaction

_RUNNING_MATCH_COUNT: Final = ShardQuery(
    lambda is_on: (
        select(func.count().label("count"))
        .select_from(tables.match)
        .where(tables.IS_RUNNING, is_on(tables.match.c.guild_id))
    )
)


async def running_match_count(transaction: Transaction, shards: Shards) -> int:
    """Return the number of running matches on the servers of these shards."""
    (row,) = await _RUNNING_MATCH_COUNT.fetch(transaction, shards, {})
    return row["count"]
