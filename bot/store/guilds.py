"""Queries about servers: their settings, their house rules, and what goes when a server goes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, select, union
from sqlalchemy.dialects.sqlite import insert

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import GuildRow, HouseRuleRow

_GUILD: Final = tables.guild.c
_HOUSE_RULE: Final = tables.house_rule.c


async def load(transaction: Transaction, guild_id: int) -> GuildRow:
    """A server's settings: the defaults where it has set none."""
    row = (await transaction.execute(select(tables.guild).where(_GUILD.id == guild_id))).first()
    return GuildRow(guild_id, "classic", None, (), None, None, (), "classic", False, "en") if row is None else _row(row)


async def change(transaction: Transaction, guild_id: int, **values: object) -> None:
    """Set columns of a server; `channels` and `offered` are tuples."""
    set_ = {name: " ".join(map(str, value)) if isinstance(value, tuple) else value for name, value in values.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    row = insert(tables.guild).values(id=guild_id, **set_)
    await transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_=set_))


async def house_rules(transaction: Transaction, guild_id: int) -> tuple[HouseRuleRow, ...]:
    """The rules that a server named itself, by name."""
    query = select(_HOUSE_RULE.name, _HOUSE_RULE.rules).where(_HOUSE_RULE.guild_id == guild_id)
    return tuple(HouseRuleRow(*row) for row in await transaction.execute(query.order_by(_HOUSE_RULE.key)))


async def house_rule(transaction: Transaction, guild_id: int, key: str) -> HouseRuleRow | None:
    """The rules of a server by their name without regard to case; None where it has none of that name."""
    query = select(_HOUSE_RULE.name, _HOUSE_RULE.rules).where(_HOUSE_RULE.guild_id == guild_id, _HOUSE_RULE.key == key)
    row = (await transaction.execute(query)).first()
    return None if row is None else HouseRuleRow(*row)


async def keep_house_rule(transaction: Transaction, guild_id: int, key: str, name: str, rules: str) -> None:
    """Give rules a name in a server, in place of what had it before."""
    await transaction.execute(insert(tables.guild).values(id=guild_id).on_conflict_do_nothing())
    values = {"name": name, "rules": rules}
    row = insert(tables.house_rule).values(guild_id=guild_id, key=key, **values)
    await transaction.execute(row.on_conflict_do_update(index_elements=["guild_id", "key"], set_=values))


async def remove_house_rule(transaction: Transaction, guild_id: int, key: str) -> None:
    """Forget rules of a server."""
    row = delete(tables.house_rule).where(_HOUSE_RULE.guild_id == guild_id, _HOUSE_RULE.key == key)
    await transaction.execute(row)


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
    """Remove all that is kept of a server: its settings and rules, invitations, matches, and their messages."""
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
    offered = tuple(row.offered.split())
    look = row.theme, row.four_colours, row.language
    return GuildRow(row.id, row.rules, row.target, channels, row.reset_at, row.left_at, offered, *look)
