"""Queries about matches in which a computer is to act; see `tables.match`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, select

from bot.store import tables
from bot.store.database import Transaction
from bot.values.ids import MatchId

_MATCH: Final = tables.match.c
_THAWED: Final = tables.match.outerjoin(tables.guild, tables.guild.c.id == _MATCH.guild_id)
_WAITING: Final = (
    tables.COMPUTER_IS_DUE,
    tables.guild.c.left_at.is_(None),
    _MATCH.id.not_in(bindparam("busy", expanding=True)),
)


async def due(transaction: Transaction, at: datetime, busy: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Return the matches in which a computer is to act now, the longest overdue first, except those that are busy.

    Matches of servers that removed the bot wait.
    """
    query = select(_MATCH.id).select_from(_THAWED).where(_MATCH.computer_due_at <= at, *_WAITING)
    rows = await transaction.execute(query.order_by(_MATCH.computer_due_at), {"busy": [*busy]})
    return tuple(rows.scalars())
