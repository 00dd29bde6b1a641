"""Seasons: which one a match belongs to, and closing those that are over: steps of a unit of work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.store import seasons, standing_chunks, standings
from bot.store.database import Transaction
from bot.store.seasons import SeasonSeat
from bot.values.ids import GuildId, PersonId
from bot.values.seasons import Award, Awarded, season_at, zone_of
from bot.values.standings import Order
from bot.values.statistics import Category

_PODIUM: Final = 3


async def running_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> str | None:
    """Return the key of the season that runs in a server, which begins with this if need be; None if it has none.

    A season that is over is closed.
    """
    kind, zone, running = await seasons.current(transaction, guild_id)
    season = season_at(now, kind, zone_of(zone))
    if running is not None and now < running.ends_at and season is not None:
        return running.key
    if running is not None:
        await _close(transaction, guild_id, running.key, now)
    if season is None:
        return None
    await seasons.begin(transaction, guild_id, season)
    await seasons.save_awards(transaction, guild_id, season.key, ())
    return season.key


async def begin_anew(transaction: Transaction, guild_id: GuildId, now: datetime) -> None:
    """Close the season that runs in a server, and begin the one that it has by its settings now.

    That may be the same, which then goes on.
    """
    _, _, running = await seasons.current(transaction, guild_id)
    if running is not None:
        await _close(transaction, guild_id, running.key, now)
    await running_season(transaction, guild_id, now)


async def bring_back(transaction: Transaction, now: datetime) -> None:
    """Let no season run that begins only later: it began while the clock was ahead."""
    for guild_id in await seasons.running_beyond(transaction, now):
        kind, zone, running = await seasons.current(transaction, guild_id)
        season = season_at(now, kind, zone_of(zone))
        if season is not None and running is not None and season.ends_at < running.ends_at:
            await begin_anew(transaction, guild_id, now)


async def _close(transaction: Transaction, guild_id: GuildId, key: str, now: datetime) -> None:
    """Close a season, and save who led, had most gins, the longest streak and the largest deal."""
    await seasons.close(transaction, guild_id, now)
    awards = [one for category in Category for one in await _podium(transaction, guild_id, key, category)]
    awards += _superlatives(await seasons.seats(transaction, guild_id, key))
    await seasons.save_awards(transaction, guild_id, key, awards)


async def _podium(transaction: Transaction, guild_id: GuildId, key: str, category: Category) -> list[Awarded]:
    """Return the first three of a season, by rating if anybody has a place by rating, else by matches won."""
    board_id = await standings.find(transaction, guild_id, category, None, key)
    if board_id is None:
        return []
    for order in (Order.RATING, Order.WINS):
        found = await standings.page(transaction, board_id, order, (standing_chunks.FIRST, 0), 0, _PODIUM)
        keys = [key for key, _ in found]
        awards = [
            Awarded(Award.PODIUM, category, 1 + keys.index(key), one.person_id, one.name, one.won) for key, one in found
        ]
        if awards:
            return awards
    return []


def _superlatives(played: Sequence[SeasonSeat]) -> list[Awarded]:
    """Return who did most of what in a season; of several, whoever did so first."""
    gins, streaks, longest, deals = Counter[PersonId](), Counter[PersonId](), Counter[PersonId](), Counter[PersonId]()
    for seat in played:
        gins[seat.person_id] += seat.gins
        deals[seat.person_id] = max(deals[seat.person_id], seat.deal)
        if seat.won is not None or seat.drawn:
            streaks[seat.person_id] = streaks[seat.person_id] + 1 if seat.won else 0
            longest[seat.person_id] = max(longest[seat.person_id], streaks[seat.person_id])
    return [
        Awarded(award, None, 1, person_id, "", value)
        for award, counted, least in ((Award.GINS, gins, 1), (Award.STREAK, longest, 2), (Award.DEAL, deals, 1))
        for person_id, value in counted.most_common(1)
        if value >= least
    ]
