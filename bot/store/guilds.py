"""Queries about servers: their settings, their house rules, and removing everything kept about one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, union

from bot.store import tables
from bot.store.on_shards import OnShards
from bot.store.rows import GuildRow, read_row, save, upsert
from bot.store.transaction import Transaction
from bot.values.guilds import GuildSettings, NamedRules
from bot.values.ids import GuildId
from bot.values.shards import Shards

_GUILD: Final = tables.guild.c
_HOUSE_RULE: Final = tables.house_rule.c
_MATCH: Final = tables.match.c
_CHALLENGE: Final = tables.challenge.c

_UNAVAILABLE: Final = OnShards(
    lambda is_on: select(_GUILD.id).where(_GUILD.unavailable_since.is_not(None), is_on(_GUILD.id))
)
_KNOWN: Final = OnShards(
    lambda is_on: union(
        select(_GUILD.id).where(is_on(_GUILD.id)),
        select(_MATCH.guild_id).where(_MATCH.guild_id.is_not(None), is_on(_MATCH.guild_id)).distinct(),
        select(_CHALLENGE.guild_id).where(is_on(_CHALLENGE.guild_id)).distinct(),
    )
)


async def load(transaction: Transaction, guild_id: GuildId) -> GuildRow:
    """Return a server, with the defaults if it has changed no setting."""
    row = (await transaction.execute(select(tables.guild).where(_GUILD.id == guild_id))).mappings().first()
    return GuildRow(GuildSettings(), era=0, left_at=None) if row is None else read_row(GuildRow, row)


async def change(transaction: Transaction, guild_id: GuildId, **values: object) -> None:
    """Set columns of a server."""
    await save(transaction, tables.guild, {"id": guild_id}, values)


async def house_rules(transaction: Transaction, guild_id: GuildId) -> dict[str, NamedRules]:
    """Return a server's house rules by their keys, and in the order of these."""
    query = select(tables.house_rule).where(_HOUSE_RULE.guild_id == guild_id).order_by(_HOUSE_RULE.key)
    return {row.key: NamedRules(row.name, row.rules, house=True) for row in await transaction.execute(query)}


async def save_house_rule(transaction: Transaction, guild_id: GuildId, key: str, named: NamedRules) -> None:
    """Save a house rule in place of an earlier one with the same key."""
    await touch(transaction, guild_id)
    row = {"name": named.name, "rules": named.rules}
    await save(transaction, tables.house_rule, {"guild_id": guild_id, "key": key}, row)


async def remove_house_rule(transaction: Transaction, guild_id: GuildId, key: str) -> None:
    """Remove a house rule."""
    await touch(transaction, guild_id)
    row = delete(tables.house_rule).where(_HOUSE_RULE.guild_id == guild_id, _HOUSE_RULE.key == key)
    await transaction.execute(row)


async def touch(transaction: Transaction, guild_id: GuildId) -> None:
    """Change nothing of a server. Of two transactions that touch it, or change its settings, one is overtaken."""
    row = upsert(transaction.dialect.name, tables.guild).values(id=guild_id)
    await transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_={"left_at": _GUILD.left_at}))


async def left(transaction: Transaction, before: datetime | None = None) -> tuple[GuildId, ...]:
    """Return the servers that removed the bot (before a moment)."""
    query = select(_GUILD.id).where(_GUILD.left_at.is_not(None))
    if before is not None:
        query = query.where(_GUILD.left_at < before)
    return tuple((await transaction.execute(query)).scalars())


async def unavailable(transaction: Transaction, shards: Shards) -> set[GuildId]:
    """Return the servers of some shards whose outages have been saved and have not ended."""
    return set((await _UNAVAILABLE.execute(transaction, shards, {})).scalars())


async def begin_outages(transaction: Transaction, guild_ids: Collection[GuildId], at: datetime) -> None:
    """Save that servers are unavailable since a moment, or an earlier one that is already saved."""
    if guild_ids:
        row = upsert(transaction.dialect.name, tables.guild)
        since = func.coalesce(_GUILD.unavailable_since, row.excluded.unavailable_since)
        row = row.on_conflict_do_update(index_elements=["id"], set_={"unavailable_since": since})
        await transaction.execute(row, [{"id": guild_id, "unavailable_since": at} for guild_id in sorted(guild_ids)])


async def known(transaction: Transaction, shards: Shards) -> set[GuildId]:
    """Return the servers of some shards about which anything is kept."""
    return set((await _KNOWN.execute(transaction, shards, {})).scalars())


async def purge(transaction: Transaction, guild_id: GuildId) -> None:
    """Remove everything kept about a server: settings, house rules, challenges, matches, results, and messages."""
    for table in (
        tables.outbox_message,
        tables.stale_message,
        tables.challenge,
        tables.match,
        tables.streak,
        tables.board,
        tables.season,
        tables.season_award,
    ):
        await transaction.execute(delete(table).where(table.c.guild_id == guild_id))
    await transaction.execute(delete(tables.guild).where(_GUILD.id == guild_id))
