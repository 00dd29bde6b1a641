"""Queries about matches in which a computer is to act."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, func, select

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import save
from bot.values.ids import MatchId

_TURN: Final = tables.computer_turn.c
_THAWED: Final = tables.computer_turn.join(tables.match).outerjoin(
    tables.guild, tables.guild.c.id == tables.match.c.guild_id
)
_NOT_BUSY: Final = (
    tables.guild.c.left_at.is_(None),
    _TURN.match_id.not_in(bindparam("busy", expanding=True)),
)


async def put(transaction: Transaction, match_id: MatchId, due_at: datetime) -> None:
    """Save when a computer is to act in a match."""
    await save(transaction, tables.computer_turn, {"match_id": match_id}, {"due_at": due_at})


async def remove(transaction: Transaction, match_id: MatchId) -> None:
    """Save that no computer is to act in a match."""
    await transaction.execute(delete(tables.computer_turn).where(_TURN.match_id == match_id))


async def due(transaction: Transaction, at: datetime, busy: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Return the matches in which a computer is to act now, the longest overdue first, except those that are busy.

    Matches of servers that removed the bot wait.
    """
    query = select(_TURN.match_id).select_from(_THAWED).where(_TURN.due_at <= at, *_NOT_BUSY).order_by(_TURN.due_at)
    return tuple((await transaction.execute(query, {"busy": [*busy]})).scalars())


async def next_due(transaction: Transaction, busy: Collection[MatchId]) -> datetime | None:
    """Return when a computer is to act next in a match that is not busy; None if none is."""
    query = select(func.min(_TURN.due_at)).select_from(_THAWED).where(*_NOT_BUSY)
    return (await transaction.execute(query, {"busy": [*busy]})).scalar()
