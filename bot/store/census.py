"""Counts of what is going on, for whoever watches the bot."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, select

from bot.store import tables
from bot.store.on_shards import OnShards
from bot.store.transaction import Transaction
from bot.values.shards import Shards

_MESSAGE: Final = tables.outbox_message.c

_OPEN_MATCHES: Final = OnShards(
    lambda is_on: (
        select(func.count()).select_from(tables.match).where(tables.IS_RUNNING, is_on(tables.match.c.guild_id))
    )
)
_MESSAGES_DUE: Final = OnShards(
    lambda is_on: select(func.count(), func.min(_MESSAGE.due_at)).where(
        _MESSAGE.wanted_revision > _MESSAGE.shown_revision,
        _MESSAGE.due_at <= bindparam("now"),
        is_on(_MESSAGE.guild_id),
    )
)


async def open_matches(transaction: Transaction, shards: Shards) -> int:
    """Return how many matches go on in the servers of some shards."""
    return (await _OPEN_MATCHES.execute(transaction, shards, {})).scalar_one()


async def messages_due(transaction: Transaction, shards: Shards, at: datetime) -> tuple[int, datetime | None]:
    """Return how many messages of some shards are due, those of servers that left included, and since when."""
    return tuple((await _MESSAGES_DUE.execute(transaction, shards, {"now": at})).one())
