"""The query for matches in which a computer is to act; see `tables.match`."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select

from bot.store import tables
from bot.store.database import Transaction
from bot.values.ids import MatchId


async def due(transaction: Transaction, busy: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Return the matches in which a computer is to act, the longest overdue first, except those that are busy.

    Matches that are paused, and those of servers that removed the bot, wait.
    """
    match, guild = tables.match.c, tables.guild.c
    query = (
        select(match.id)
        .select_from(tables.match.outerjoin(tables.guild, guild.id == match.guild_id))
        .where(tables.COMPUTER_IS_DUE, match.paused_at.is_(None), guild.left_at.is_(None), match.id.not_in([*busy]))
        .order_by(match.computer_due_at)
    )
    return tuple((await transaction.execute(query)).scalars())
