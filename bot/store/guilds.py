"""Queries about servers: their settings, and what goes when a server goes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, select, union
from sqlalchemy.dialects.sqlite import insert

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import GuildRow

_GUILD: Final = tables.guild.c


async def load(transaction: Transaction, guild_id: int) -> GuildRow:
    """A server's settings: the defaults where it has set none."""
    row = (await transaction.execute(select(tables.guild).where(_GUILD.id == guild_id))).first()
    return GuildRow(guild_id, "classic", None, (), None, None) if row is None else _row(row)


async def change(transaction: Transaction, guild_id: int, **values: object) -> None:
    """Set columns of a server; `channels` is a tuple of ids."""
    channels = values.get("channels")
    if isinstance(channels, tuple):
        values["channels"] = " ".join(map(str, channels))  # pyright: ignore[reportUnknownArgumentType]
    row = insert(tables.guild).values(id=guild_id, **values)
    await transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))


async def gone(transaction: Transaction, before: datetime | None = None) -> tuple[int, ...]:
    """The servers that removed the bot (before a moment)."""
    query = select(_GUILD.id).where(_GUILD.left_at.is_not(None))
    if before is not None:
        query = query.where(_GUILD.left_at < before)
    return tuple((await transaction.execute(query)).scalars())


async def known(transaction: Transaction) -> set[int]:
    """The servers of which anything is kept."""
    query = union(
        select(_GUILD.id), select(tables.match.c.guild_id).distinct(), select(tables.challenge.c.guild_id).distinct()
    )
    return set((await transaction.execute(query)).scalars())


async def purge(transaction: Transaction, guild_id: int) -> None:
    """Remove all that is kept of a server: its settings, invitations, matches, and their messages."""
    matches = select(tables.match.c.id).where(tables.match.c.guild_id == guild_id)
    challenges = select(tables.challenge.c.id).where(tables.challenge.c.guild_id == guild_id)
    notice = tables.notice.c
    of_challenges = (notice.kind == "challenge") & notice.subject.in_(challenges)
    of_matches = (notice.kind != "challenge") & notice.subject.in_(matches)
    await transaction.execute(delete(tables.notice).where(of_challenges | of_matches))
    await transaction.execute(delete(tables.challenge).where(tables.challenge.c.guild_id == guild_id))
    await transaction.execute(delete(tables.match).where(tables.match.c.guild_id == guild_id))
    await transaction.execute(delete(tables.guild).where(_GUILD.id == guild_id))


def _row(row: Any) -> GuildRow:
    channels = tuple(map(int, row.channels.split()))
    return GuildRow(row.id, row.rules, row.target, channels, row.reset_at, row.left_at)
