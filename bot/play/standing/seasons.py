"""Seasons: which one a match belongs to, and closing those that are over: steps of a unit of work."""

from __future__ import annotations

from datetime import datetime

from bot.store import seasons
from bot.store.database import Transaction
from bot.values.ids import GuildId
from bot.values.seasons import season_at, zone_of


async def running_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> str | None:
    """Return the key of the season that runs in a server, which begins with this if need be; None if it has none.

    A season that is over is closed.
    """
    kind, zone, running = await seasons.current(transaction, guild_id)
    season = season_at(now, kind, zone_of(zone))
    if running is not None and now < running.ends_at and season is not None:
        return running.key
    if running is not None:
        await seasons.close(transaction, guild_id, now)
    if season is None:
        return None
    await seasons.begin(transaction, guild_id, season)
    return season.key


async def begin_anew(transaction: Transaction, guild_id: GuildId, now: datetime) -> None:
    """Close the season that runs in a server, and begin the one that it has by its settings now.

    That may be the same, which then goes on.
    """
    await seasons.close(transaction, guild_id, now)
    await running_season(transaction, guild_id, now)


async def bring_back(transaction: Transaction, now: datetime) -> None:
    """Let no season run that begins only later: it began while the clock was ahead."""
    for guild_id in await seasons.running_beyond(transaction, now):
        kind, zone, running = await seasons.current(transaction, guild_id)
        season = season_at(now, kind, zone_of(zone))
        if season is not None and running is not None and season.ends_at < running.ends_at:
            await begin_anew(transaction, guild_id, now)
