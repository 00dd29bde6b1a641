"""Queries about servers: their settings and house rules, and the removal of all their data."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import Table, delete, exists, func, select, union, update

from bot.model.guilds import GuildSettings, NamedRules
from bot.model.ids import GuildId
from bot.model.shards import Shards
from bot.store import challenges, matches, people, tables
from bot.store.on_shards import ShardQuery
from bot.store.removal import remove_some
from bot.store.rows import GuildRow, read_row, save, upsert
from bot.store.transaction import Transaction

_GUILD: Final = tables.guild.c
_HOUSE_RULE: Final = tables.house_rule.c
_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c
_PERSON: Final = tables.person.c
_CHALLENGE: Final = tables.challenge.c

_UNAVAILABLE: Final = ShardQuery(
    lambda is_on: select(_GUILD.id).where(_GUILD.unavailable_since.is_not(None), is_on(_GUILD.id))
)
_WITH_DATA: Final = ShardQuery(
    lambda is_on: union(
        select(_GUILD.id).where(is_on(_GUILD.id)),
        select(_MATCH.guild_id)
        .where(_MATCH.guild_id.is_not(None), _MATCH.guild_id != matches.SET_ASIDE_GUILD, is_on(_MATCH.guild_id))
        .distinct(),
        select(_CHALLENGE.guild_id).where(is_on(_CHALLENGE.guild_id)).distinct(),
    )
)


async def load(transaction: Transaction, guild_id: GuildId) -> GuildRow:
    """Return a server's row, with default settings if the server is not in the database."""
    row = (await transaction.execute(select(tables.guild).where(_GUILD.id == guild_id))).mappings().first()
    return GuildRow(GuildSettings(), era=0, left_at=None) if row is None else read_row(GuildRow, row)


async def change(transaction: Transaction, guild_id: GuildId, **values: object) -> None:
    """Update columns of a server. Add the server if necessary."""
    await save(transaction, tables.guild, {"id": guild_id}, values)


async def offer_daily(transaction: Transaction, guild_id: GuildId) -> bool:
    """Return True, once for each server, if it does not have the deal of the day posted."""
    row = update(tables.guild).where(_GUILD.id == guild_id, _GUILD.daily_channel.is_(None), ~_GUILD.daily_offered)
    return (await transaction.execute(row.values(daily_offered=True))).rowcount == 1


async def house_rules(transaction: Transaction, guild_id: GuildId) -> dict[str, NamedRules]:
    """Return a server's house rules by key, sorted by key."""
    query = select(tables.house_rule).where(_HOUSE_RULE.guild_id == guild_id).order_by(_HOUSE_RULE.key)
    return {row.key: NamedRules(row.name, row.rules, house=True) for row in await transaction.execute(query)}


async def save_house_rule(transaction: Transaction, guild_id: GuildId, key: str, rules: NamedRules) -> None:
    """Save a house rule. Replace an earlier one with the same key."""
    await touch(transaction, guild_id)
    row = {"name": rules.name, "rules": rules.rules}
    await save(transaction, tables.house_rule, {"guild_id": guild_id, "key": key}, row)


async def remove_house_rule(transaction: Transaction, guild_id: GuildId, key: str) -> None:
    await touch(transaction, guild_id)
    row = delete(tables.house_rule).where(_HOUSE_RULE.guild_id == guild_id, _HOUSE_RULE.key == key)
    await transaction.execute(row)


async def touch(transaction: Transaction, guild_id: GuildId) -> None:
    """Write a server's row without changing it, to provoke a conflict.

    Of two simultaneous transactions that touch a server or change its settings, one fails with `ConflictError`.
    """
    row = upsert(transaction.dialect.name, tables.guild).values(id=guild_id)
    await transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_={"left_at": _GUILD.left_at}))


async def that_left(transaction: Transaction) -> tuple[GuildId, ...]:
    """Return the servers that removed the bot."""
    return tuple((await transaction.execute(select(_GUILD.id).where(tables.HAS_LEFT))).scalars())


async def unavailable(transaction: Transaction, shards: Shards) -> set[GuildId]:
    """Return the servers of these shards that the database marks as unavailable."""
    return {row["id"] for row in await _UNAVAILABLE.fetch(transaction, shards, {})}


async def begin_outages(transaction: Transaction, guild_ids: Collection[GuildId], at: datetime) -> None:
    """Save the time at which these servers' outages began, unless a start is already saved."""
    if guild_ids:
        row = upsert(transaction.dialect.name, tables.guild)
        since = func.coalesce(_GUILD.unavailable_since, row.excluded.unavailable_since)
        row = row.on_conflict_do_update(index_elements=["id"], set_={"unavailable_since": since})
        await transaction.execute(row, [{"id": guild_id, "unavailable_since": at} for guild_id in sorted(guild_ids)])


async def with_data(transaction: Transaction, shards: Shards) -> set[GuildId]:
    """Return the servers of these shards that have settings, matches or challenges in the database."""
    return {row["id"] for row in await _WITH_DATA.fetch(transaction, shards, {})}


async def left_before(transaction: Transaction, moment: datetime) -> GuildId | None:
    """Return a server that removed the bot before a time. None if no server did."""
    query = select(_GUILD.id).where(tables.HAS_LEFT, _GUILD.left_at < moment).limit(1)
    return (await transaction.execute(query)).scalar()


async def purge_some(transaction: Transaction, guild_id: GuildId, at: datetime, limit: int) -> int:
    """Remove up to `limit` rows of a server's data. Return the number of removed or changed rows; 0 if nothing is left.

    If the server adds the bot again before all data is removed, the remaining data is consistent: the leaderboard is
    reset, and each match is either complete or gone.
    """
    # Streaks and records refer to matches, and matches name their players, so these are removed first.
    first = (_hide_boards, _remove_records, _remove_challenges, _remove_avatars)
    for step in (*first, matches.set_aside, _remove_rest, _remove_guild):
        if changed := await step(transaction, guild_id, at, limit):
            return changed
    return 0


async def _hide_boards(transaction: Transaction, guild_id: GuildId, at: datetime, limit: int) -> int:
    """Hide a server's existing boards: mark them as obsolete, and begin a new era of the server's leaderboard."""
    board = tables.board.c
    board_ids = select(board.id).where(board.guild_id == guild_id, board.obsolete_since.is_(None)).limit(limit - 1)
    statement = update(tables.board).where(board.id.in_(board_ids)).values(obsolete_since=at)
    changed = (await transaction.execute(statement)).rowcount
    if changed:
        await transaction.execute(update(tables.guild).where(_GUILD.id == guild_id).values(era=_GUILD.era + 1))
        changed += 1
    return changed


async def _remove_challenges(transaction: Transaction, guild_id: GuildId, _: datetime, limit: int) -> int:
    own = _CHALLENGE.guild_id == guild_id
    return await remove_some(
        transaction, tables.challenge, own, limit=limit, max_parents=limit // challenges.MAX_ROWS_PER_CHALLENGE
    )


async def _remove_records(transaction: Transaction, guild_id: GuildId, _: datetime, limit: int) -> int:
    return await _remove_from_first(
        transaction, guild_id, limit, tables.server_record, tables.streak, tables.outbox_message
    )


async def _remove_rest(transaction: Transaction, guild_id: GuildId, _: datetime, limit: int) -> int:
    rest = (tables.stale_message, tables.board, tables.season, tables.season_award)
    return await _remove_from_first(transaction, guild_id, limit, *rest, tables.daily_entry, tables.daily_post)


async def _remove_avatars(transaction: Transaction, guild_id: GuildId, _: datetime, limit: int) -> int:
    """Remove the avatars of people who have played only on this server."""
    seats = tables.seat.join(tables.match)
    is_elsewhere = _MATCH.guild_id.is_distinct_from(guild_id)
    own = select(_SEAT.person_id).select_from(seats).where(_MATCH.guild_id == guild_id)
    others = exists().select_from(seats).where(_SEAT.person_id == _PERSON.id, is_elsewhere)
    query = select(_PERSON.id).where(_PERSON.id.in_(own), _PERSON.avatar.is_not(None), ~others).limit(limit)
    person_ids = (await transaction.execute(query)).scalars().all()
    people.touch(transaction, person_ids)
    for person_id in person_ids:
        people.change(transaction, person_id, avatar=None)
    return len(person_ids)


async def _remove_from_first(transaction: Transaction, guild_id: GuildId, limit: int, *candidates: Table) -> int:
    """Remove a server's rows from the first of these tables that has any."""
    for table in candidates:
        if removed := await remove_some(transaction, table, table.c.guild_id == guild_id, limit=limit):
            return removed
    return 0


async def _remove_guild(transaction: Transaction, guild_id: GuildId, _: datetime, limit: int) -> int:
    return await remove_some(transaction, tables.guild, _GUILD.id == guild_id, limit=limit)
