"""Queries about the posts of the deal of the day on servers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import Text, cast, delete, exists, insert, select, update

from bot.model.daily_posts import INVITATION, RESULT
from bot.model.ids import ChannelId, GuildId
from bot.store import tables
from bot.store.columns import is_listed
from bot.store.rows import read_row, select_columns
from bot.store.transaction import Transaction

_POST: Final = tables.daily_post.c
_DEAL: Final = tables.daily_deal.c
_GUILD: Final = tables.guild.c


@dataclass(frozen=True, slots=True)
class DailyPostRow:
    """A post of a deal of the day. See `tables.daily_post`."""

    guild_id: GuildId
    day: date
    channel_id: ChannelId
    revision: int
    choice: str | None


_SELECT: Final = select(*select_columns(DailyPostRow, tables.daily_post))
_TIME: Final = _GUILD.time_zone.concat(" ").concat(cast(_GUILD.daily_hour, Text))
_UNPOSTED: Final = (
    select(_GUILD.id, _GUILD.daily_channel)
    .where(tables.HAS_DAILY, _GUILD.left_at.is_(None), is_listed(_TIME, "times"))
    .order_by(_GUILD.id)
)


async def times(transaction: Transaction) -> tuple[tuple[str, int], ...]:
    """Return the time zones and hours in which servers want the deal of the day."""
    query = select(_GUILD.time_zone, _GUILD.daily_hour).where(tables.HAS_DAILY).distinct()
    return tuple((row.time_zone, row.daily_hour) for row in await transaction.execute(query))


async def unposted(
    transaction: Transaction, day: date, wanted_at: Collection[tuple[str, int]], limit: int
) -> tuple[tuple[GuildId, ChannelId], ...]:
    """Return servers that want the deal in one of these time zones and hours and have no post of a day.

    Each comes with its channel.
    """
    is_posted = exists().where(_POST.guild_id == _GUILD.id, _POST.day == day)
    parameters = {"times": [f"{time_zone} {hour}" for time_zone, hour in wanted_at]}
    rows = await transaction.execute(_UNPOSTED.where(~is_posted).limit(limit), parameters)
    return tuple((row.id, row.daily_channel) for row in rows)


async def add(transaction: Transaction, guild_id: GuildId, day: date, channel_id: ChannelId) -> None:
    """Save that the deal of a day is posted in a channel."""
    row = {"guild_id": guild_id, "day": day, "channel_id": channel_id, "revision": INVITATION}
    await transaction.execute(insert(tables.daily_post).values(row))


async def move(transaction: Transaction, guild_id: GuildId, day: date, channel_id: ChannelId) -> None:
    """Save that the deal of a day is posted in another channel."""
    row = update(tables.daily_post).where(_POST.guild_id == guild_id, _POST.day == day)
    await transaction.execute(row.values(channel_id=channel_id))


async def load(transaction: Transaction, guild_id: GuildId, day: date) -> DailyPostRow | None:
    """Return the post of a day on a server; None if there is none."""
    query = _SELECT.where(_POST.guild_id == guild_id, _POST.day == day)
    row = (await transaction.execute(query)).mappings().first()
    return None if row is None else read_row(DailyPostRow, row)


async def without_result(transaction: Transaction, before: date, limit: int) -> tuple[DailyPostRow, ...]:
    """Return some posts of closed deals of the days before a day that have not become results, oldest first."""
    is_closed = exists().where(_DEAL.day == _POST.day, _DEAL.closed_at.is_not(None))
    query = _SELECT.where(tables.IS_UNFINISHED_POST, _POST.revision < RESULT, _POST.day < before, is_closed)
    rows = await transaction.execute(query.order_by(_POST.day, _POST.guild_id).limit(limit))
    return tuple(read_row(DailyPostRow, row) for row in rows.mappings())


async def before(transaction: Transaction, day: date, limit: int) -> tuple[DailyPostRow, ...]:
    """Return some posts of the days before a day, oldest first."""
    query = _SELECT.where(_POST.day < day).order_by(_POST.day, _POST.guild_id).limit(limit)
    return tuple(read_row(DailyPostRow, row) for row in (await transaction.execute(query)).mappings())


async def remove(transaction: Transaction, guild_id: GuildId, day: date) -> None:
    """Delete the row of a post."""
    await transaction.execute(delete(tables.daily_post).where(_POST.guild_id == guild_id, _POST.day == day))


async def next_to_review(transaction: Transaction, day: date) -> GuildId | None:
    """Return a server whose result of a day does not have the reviews yet; None if there is none."""
    is_there = exists().where(_GUILD.id == _POST.guild_id, _GUILD.left_at.is_(None))
    query = select(_POST.guild_id).where(tables.IS_UNFINISHED_POST, _POST.day == day, _POST.revision == RESULT)
    return (await transaction.execute(query.where(is_there).order_by(_POST.guild_id).limit(1))).scalar()


async def save_revision(
    transaction: Transaction, guild_id: GuildId, day: date, revision: int, choice: str | None = None
) -> bool:
    """Save a newer revision of a post. Return False if the post has it already, or does not exist."""
    row = update(tables.daily_post).where(_POST.guild_id == guild_id, _POST.day == day, _POST.revision < revision)
    return (await transaction.execute(row.values(revision=revision, choice=choice))).rowcount == 1
