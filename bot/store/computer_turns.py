"""The query for matches in which it is a computer player's turn. See `tables.match`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import select

from bot.model.ids import MatchId
from bot.model.shards import Shards
from bot.store import tables
from bot.store.columns import is_listed
from bot.store.on_shards import ShardQuery
from bot.store.transaction import Transaction

_MATCH: Final = tables.match.c
_GUILD: Final = tables.guild.c

_DUE: Final = ShardQuery(
    lambda is_on: (
        select(_MATCH.id)
        .select_from(tables.match.outerjoin(tables.guild, _GUILD.id == _MATCH.guild_id))
        .where(
            tables.COMPUTER_IS_DUE,
            _MATCH.paused_at.is_(None),
            _GUILD.left_at.is_(None),
            ~is_listed(_MATCH.id, "busy"),
            is_on(_MATCH.guild_id),
        )
        .order_by(_MATCH.computer_due_at)
    )
)


async def due_matches(transaction: Transaction, shards: Shards, busy: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Return the matches of these shards in which a computer player must move, the longest overdue first.

    Skip the `busy` matches, paused matches, and matches on servers that removed the bot.
    """
    return tuple(row["id"] for row in await _DUE.fetch(transaction, shards, {"busy": busy}))
