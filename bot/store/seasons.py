"""Queries about the seasons of servers."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import and_, bindparam, select, update

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import save
from bot.values.ids import GuildId
from bot.values.seasons import Season, Seasons

_SEASON: Final = tables.season.c
_GUILD: Final = tables.guild.c

_CURRENT: Final = (
    select(_GUILD.seasons, _GUILD.time_zone, _SEASON.key, _SEASON.ends_at)
    .select_from(tables.guild.outerjoin(tables.season, and_(tables.IS_OPEN, _SEASON.guild_id == _GUILD.id)))
    .where(_GUILD.id == bindparam("guild_id"))
)


async def current(transaction: Transaction, guild_id: GuildId) -> tuple[Seasons, str, Season | None]:
    """Return which seasons a server has, its time zone, and the season that is not closed, None if there is none."""
    row = (await transaction.execute(_CURRENT, {"guild_id": guild_id})).first()
    if row is None:
        return Seasons.NONE, "UTC", None
    return row.seasons, row.time_zone, None if row.key is None else Season(row.key, row.ends_at)


async def last(transaction: Transaction, guild_id: GuildId) -> str | None:
    """Return the key of the season that was closed last; None if none was."""
    query = select(_SEASON.key).where(_SEASON.guild_id == guild_id, _SEASON.closed_at.is_not(None))
    return (await transaction.execute(query.order_by(_SEASON.ends_at.desc()).limit(1))).scalar()


async def begin(transaction: Transaction, guild_id: GuildId, season: Season) -> None:
    """Let a season run, also one that was closed before its end."""
    values = {"ends_at": season.ends_at, "closed_at": None}
    await save(transaction, tables.season, {"guild_id": guild_id, "key": season.key}, values)


async def close(transaction: Transaction, guild_id: GuildId, at: datetime) -> None:
    """Close the season that runs in a server."""
    row = update(tables.season).where(tables.IS_OPEN, _SEASON.guild_id == guild_id)
    await transaction.execute(row.values(closed_at=at))


async def running_beyond(transaction: Transaction, moment: datetime) -> tuple[GuildId, ...]:
    """Return servers whose season ends after a moment."""
    query = select(_SEASON.guild_id).where(tables.IS_OPEN, _SEASON.ends_at > moment)
    return tuple((await transaction.execute(query)).scalars())


async def overdue(transaction: Transaction, now: datetime, most: int) -> tuple[GuildId, ...]:
    """Return servers whose season has ended and is not closed yet."""
    query = select(_SEASON.guild_id).where(tables.IS_OPEN, _SEASON.ends_at <= now).order_by(_SEASON.ends_at).limit(most)
    return tuple((await transaction.execute(query)).scalars())
