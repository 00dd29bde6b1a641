"""Queries about the deals of the day, and people's tries at them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import RowMapping, delete, insert, select, update

from bot.model.daily import DailyScore, DailyTry
from bot.model.ids import ChainId, GuildId, MatchId, PersonId
from bot.store import tables
from bot.store.rows import columns_of, read_row, upsert
from bot.store.transaction import Transaction

_DEAL: Final = tables.daily_deal.c
_TRY: Final = tables.daily_try.c
_ENTRY: Final = tables.daily_entry.c
_MATCH: Final = tables.match.c
_CHAIN: Final = tables.chain.c


@dataclass(frozen=True, slots=True)
class DailyDealRow:
    """A deal of the day, as stored. `commitment` is None if the deal was called off."""

    day: date
    commitment: bytes | None
    closed_at: datetime | None


_TRIES: Final = select(_TRY.day, _TRY.match_id, _TRY.points, _TRY.turns, _TRY.kind)


async def load(transaction: Transaction, day: date) -> DailyDealRow | None:
    """Return the deal of a day; None if it has not begun."""
    query = (
        select(_DEAL.day, _CHAIN.commitment, _DEAL.closed_at)
        .select_from(tables.daily_deal.outerjoin(tables.chain, _CHAIN.id == _DEAL.chain_id))
        .where(_DEAL.day == day)
    )
    row = (await transaction.execute(query)).mappings().first()
    return None if row is None else read_row(DailyDealRow, row)


async def add(transaction: Transaction, day: date, chain_id: ChainId) -> None:
    """Save the deal of a day, with its hash chain."""
    await transaction.execute(insert(tables.daily_deal).values(day=day, chain_id=chain_id))


async def find_try(transaction: Transaction, day: date, person_id: PersonId) -> DailyTry | None:
    """Return a person's try at the deal of a day."""
    query = _TRIES.where(_TRY.day == day, _TRY.person_id == person_id)
    return next(map(_read_try, (await transaction.execute(query)).mappings()), None)


async def last_try_before(transaction: Transaction, day: date, person_id: PersonId) -> DailyTry | None:
    """Return a person's last try at the deal of an earlier day."""
    query = _TRIES.where(_TRY.person_id == person_id, _TRY.day < day).order_by(_TRY.day.desc()).limit(1)
    return next(map(_read_try, (await transaction.execute(query)).mappings()), None)


async def tries_of(transaction: Transaction, person_id: PersonId) -> tuple[DailyTry, ...]:
    """Return all of a person's tries, oldest first."""
    query = _TRIES.where(_TRY.person_id == person_id).order_by(_TRY.day)
    return tuple(map(_read_try, (await transaction.execute(query)).mappings()))


def _read_try(row: RowMapping) -> DailyTry:
    return DailyTry(row["day"], row["match_id"], None if row["points"] is None else read_row(DailyScore, row))


async def add_try(transaction: Transaction, day: date, person_id: PersonId, match_id: MatchId) -> None:
    """Save that a person has begun a try."""
    row = {"day": day, "person_id": person_id, "match_id": match_id}
    await transaction.execute(insert(tables.daily_try).values(row))


async def save_score(transaction: Transaction, match_id: MatchId, score: DailyScore) -> None:
    """Save the result of a finished try."""
    await transaction.execute(update(tables.daily_try).where(_TRY.match_id == match_id).values(**columns_of(score)))


async def add_entry(transaction: Transaction, guild_id: GuildId, day: date, person_id: PersonId) -> None:
    """Save that a person's try at the deal of a day counts on a server, if that is not saved yet."""
    row = upsert(transaction.dialect.name, tables.daily_entry).values(guild_id=guild_id, day=day, person_id=person_id)
    await transaction.execute(row.on_conflict_do_nothing())


async def open_days(transaction: Transaction, before: date) -> tuple[date, ...]:
    """Return the days before a day whose deals are not closed, oldest first."""
    query = select(_DEAL.day).where(tables.IS_OPEN_DAY, _DEAL.day < before).order_by(_DEAL.day)
    return tuple((await transaction.execute(query)).scalars())


async def running(transaction: Transaction, before: date, limit: int | None = None) -> tuple[MatchId, ...]:
    """Return the running matches about the deals of the days before a day, at most `limit`, by their ids."""
    query = select(_MATCH.id).where(tables.IS_RUNNING_DAILY, _MATCH.day < before).order_by(_MATCH.id).limit(limit)
    return tuple((await transaction.execute(query)).scalars())


async def close(transaction: Transaction, day: date, at: datetime) -> None:
    """Close the deal of a day, and delete the secret values of its hash chain."""
    await transaction.execute(update(tables.daily_deal).where(_DEAL.day == day).values(closed_at=at))
    chain_id = select(_DEAL.chain_id).where(_DEAL.day == day).scalar_subquery()
    await transaction.execute(update(tables.chain).where(_CHAIN.id == chain_id).values(checkpoints=None))


async def entries_of(transaction: Transaction, person_id: PersonId) -> tuple[tuple[date, GuildId], ...]:
    """Return the days and servers on which a person's tries count, oldest first."""
    query = select(_ENTRY.day, _ENTRY.guild_id).where(_ENTRY.person_id == person_id)
    rows = await transaction.execute(query.order_by(_ENTRY.day, _ENTRY.guild_id))
    return tuple((row.day, row.guild_id) for row in rows)


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's tries, and the servers on which they count."""
    await transaction.execute(delete(tables.daily_try).where(_TRY.person_id == person_id))
    await transaction.execute(delete(tables.daily_entry).where(_ENTRY.person_id == person_id))
