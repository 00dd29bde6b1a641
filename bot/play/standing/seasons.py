"""Seasons: finds the season of a match, and closes finished seasons, inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.model.ids import GuildId, PersonId
from bot.model.outbox import MessageKind
from bot.model.seasons import Award, Awarded, Podium, Season, SeasonResult, first_moment, season_at, season_number
from bot.model.standings import Order, Ranked
from bot.model.statistics import Category
from bot.model.time_zones import zone_info
from bot.store import guilds, outbox, seasons, standing_chunks, standings
from bot.store.rows import WantedMessage
from bot.store.seasons import SeasonDeal, SeasonSeat
from bot.store.transaction import Transaction

_PODIUM_PLACES: Final = 3
_MAX_ON_PODIUM: Final = 10
"""Maximum number of people on a podium, if several share a place."""
_SAVED_DEALS: Final = 10
"""Number of a season's largest deals to save. The result shows the largest one that everybody on the server may see."""


async def ensure_current_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> str | None:
    """Return the key of a server's current season, after beginning it if necessary; None if the server has no seasons.

    A season that is over is closed first.
    """
    kind, zone, running = await seasons.current(transaction, guild_id)
    season = season_at(now, kind, zone_info(zone))
    if running is not None and now < running.ends_at and season is not None:
        return running.key
    if running is not None:
        await _close(transaction, guild_id, running, now)
    if season is None:
        return None
    # Without a season before it, this one begins now, even in the middle of a month.
    begins_at = now if running is None else season.begins_at
    await seasons.open_season(transaction, guild_id, replace(season, begins_at=begins_at))
    # If this season is being opened again, it was closed too early: withdraw its result.
    await outbox.remove_unposted(transaction, MessageKind.SEASON, guild_id, season_number(season.key))
    await seasons.save_awards(transaction, guild_id, season.key, ())
    return season.key


async def restart_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> None:
    """Close a server's season, and open the one that matches its current settings.

    If that is the same season, it is opened again and continues.
    """
    _, _, running = await seasons.current(transaction, guild_id)
    if running is not None:
        await _close(transaction, guild_id, running, now)
    await ensure_current_season(transaction, guild_id, now)


async def guilds_with_future_season(transaction: Transaction, now: datetime) -> tuple[GuildId, ...]:
    """Return the servers whose season lies in the future, because it began while the clock was ahead."""
    running = await seasons.running_after(transaction, now)
    return tuple([guild_id for guild_id in running if await _has_future_season(transaction, guild_id, now)])


async def repair_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> None:
    """Replace a server's season if it lies in the future."""
    if await _has_future_season(transaction, guild_id, now):
        await restart_season(transaction, guild_id, now)


async def _has_future_season(transaction: Transaction, guild_id: GuildId, now: datetime) -> bool:
    kind, zone, running = await seasons.current(transaction, guild_id)
    season = season_at(now, kind, zone_info(zone))
    return season is not None and running is not None and season.ends_at < running.ends_at


async def _close(transaction: Transaction, guild_id: GuildId, season: Season, now: datetime) -> None:
    """Close a season, save its awards for the leaders, most gins, longest streak and largest deals, and post them.

    Nothing is posted if managers end the season early, because they could begin it again.
    """
    await seasons.close_season(transaction, guild_id, now)
    awards = list[Awarded]()
    for category in Category:
        awards += await _podium_awards(transaction, guild_id, season.key, category)
    awards += _gin_and_streak_awards(await seasons.seats(transaction, guild_id, season.key))
    awards += _deal_awards(await seasons.largest_deals(transaction, guild_id, season.key, _SAVED_DEALS))
    await seasons.save_awards(transaction, guild_id, season.key, awards)
    channel_id = (await guilds.load(transaction, guild_id)).settings.season_channel
    if awards and channel_id is not None and now >= season.ends_at:
        wanted = WantedMessage(
            MessageKind.SEASON, guild_id, season_number(season.key), guild_id, 1, 0, removed=False, due_at=now
        )
        outbox.request(transaction, [wanted])


async def season_result(transaction: Transaction, guild_id: GuildId, key: str) -> SeasonResult | None:
    """Return the result of a finished season; None if it is still running, or nobody is left on its podiums."""
    if (running := (await seasons.current(transaction, guild_id))[2]) is not None and running.key == key:
        return None
    awards = await seasons.awards(transaction, guild_id, key)
    all_podiums = [await _podium(transaction, guild_id, key, category, awards) for category in Category]
    podiums = sorted((podium for podium in all_podiums if podium.rows), key=lambda podium: -podium.people)
    other_awards = tuple(award for award in awards if award.award is not Award.PODIUM)
    appearance = (await guilds.load(transaction, guild_id)).settings.appearance
    began_late_at = await late_beginning(transaction, guild_id, key)
    return SeasonResult(guild_id, key, appearance, tuple(podiums), other_awards, began_late_at) if podiums else None


async def late_beginning(transaction: Transaction, guild_id: GuildId, key: str) -> datetime | None:
    """Return when a season began, in the server's time zone; None if it has all of its month or quarter."""
    beginning = await seasons.beginning(transaction, guild_id, key)
    if beginning is None:
        return None
    begins_at, zone = beginning[0], zone_info(beginning[1])
    return begins_at.astimezone(zone) if begins_at > first_moment(key, zone) else None


async def _podium_awards(
    transaction: Transaction, guild_id: GuildId, key: str, category: Category
) -> Sequence[Awarded]:
    """Return the awards for the first three places of a season by matches won. Nobody wins one without a win."""
    board_id = await standings.find_board(transaction, guild_id, category, None, key)
    if board_id is None:
        return ()
    best = await standings.page(transaction, board_id, Order.WINS, (standing_chunks.FIRST_KEY, 0), 0, _MAX_ON_PODIUM)
    keys = [sort_key for sort_key, _ in best]
    places = [1 + keys.index(sort_key) for sort_key in keys]
    return [
        Awarded(Award.PODIUM, category, place, standing.person_id, standing.name, standing.won)
        for place, (_, standing) in zip(places, best, strict=True)
        if place <= _PODIUM_PLACES and standing.won
    ]


async def _podium(
    transaction: Transaction, guild_id: GuildId, key: str, category: Category, awards: Sequence[Awarded]
) -> Podium:
    """Return the podium of a finished season, as it was awarded."""
    rows, board_id = list[Ranked](), await standings.find_board(transaction, guild_id, category, None, key)
    if board_id is None:
        return Podium(category, (), 0)
    for award in awards:
        if award.award is Award.PODIUM and award.category is category:
            found = await standings.own_standing(transaction, board_id, award.person_id)
            if found is not None:
                rows.append(Ranked(award.place, found[0]))
    chunks = await standing_chunks.chunks(transaction, board_id, Order.WINS)
    return Podium(category, tuple(rows), sum(chunk.people for chunk in chunks))


def _gin_and_streak_awards(played: Sequence[SeasonSeat]) -> list[Awarded]:
    """Return the awards for most gins and for the longest streak in a season. Equal people share an award."""
    gins, streaks, longest = Counter[PersonId](), Counter[PersonId](), Counter[PersonId]()
    for seat in played:
        gins[seat.person_id] += seat.gins
        if seat.won is not None or seat.drawn:
            streaks[seat.person_id] = streaks[seat.person_id] + 1 if seat.won else 0
        longest[seat.person_id] = max(longest[seat.person_id], streaks[seat.person_id])
    return [
        Awarded(award, None, 1, person_id, "", value)
        for award, counted, least in ((Award.GINS, gins, 1), (Award.STREAK, longest, 2))
        for person_id, value in counted.items()
        if value == max(counted.values()) >= least
    ]


def _deal_awards(largest: Sequence[SeasonDeal]) -> list[Awarded]:
    return [
        Awarded(Award.DEAL, None, place, deal.person_id, "", deal.points, deal.match_id)
        for place, deal in enumerate(largest, 1)
    ]
