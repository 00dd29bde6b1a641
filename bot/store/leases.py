"""Queries about leases: which process works for a shard, and until when. Only PostgreSQL has processes to share it.

All moments are by the clock of the database, so no process needs to have the same time as another.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, and_, cast, delete, exists, extract, func, or_, select, update

from bot.store import tables
from bot.store.rows import upsert
from bot.store.transaction import Transaction
from bot.values.shards import Shards

_LEASE: Final = tables.lease.c

_NOW: Final = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NOBODY: Final = ""


def _is_over(dead: Collection[str] = ()) -> ColumnElement[bool]:
    """Return the condition that nobody has a lease: its time is over, or its owner is among the dead processes."""
    return or_(_LEASE.owner == _NOBODY, _LEASE.until < _NOW, _LEASE.owner.in_(dead))


async def count_of_others(transaction: Transaction, shards: int, dead: Collection[str]) -> int | None:
    """Return among how many shards other processes share the work now, if that is another number than this one."""
    query = select(_LEASE.shards).where(_LEASE.shards != shards, ~_is_over(dead)).limit(1)
    return (await transaction.execute(query)).scalar()


async def are_of(transaction: Transaction, shards: int) -> bool:
    """Return whether the leases are for this number of shards: a process with another number may have replaced them."""
    return bool((await transaction.execute(select(exists().where(_LEASE.shards == shards)))).scalar())


async def begin(transaction: Transaction, shards: int, span: timedelta) -> None:
    """Make a lease for each shard, in place of the leases for another number of shards.

    Until `span` is over, only processes that are connected as these shards get the new ones.
    """
    await transaction.execute(delete(tables.lease).where(_LEASE.shards != shards))
    lease = {"shards": shards, "owner": _NOBODY, "until": _NOW + span // _MILLISECOND}
    rows = upsert(transaction.dialect.name, tables.lease).values([lease | {"shard": shard} for shard in range(shards)])
    await transaction.execute(rows.on_conflict_do_nothing())


async def renew(transaction: Transaction, owner: str, shards: int, span: timedelta) -> dict[int, str | None]:
    """Renew the leases of a process. Return their shards, each with the process that wants it."""
    own = update(tables.lease).where(_LEASE.owner == owner, _LEASE.shards == shards)
    row = own.values(until=_NOW + span // _MILLISECOND)
    rows = await transaction.execute(row.returning(_LEASE.shard, _LEASE.wanted_by))
    return {row.shard: row.wanted_by for row in rows}


async def take(transaction: Transaction, owner: str, home: Shards, span: timedelta, dead: Collection[str]) -> set[int]:
    """Give a process the leases of the shards that it is connected as, if nobody has them. Return which it got."""
    free = update(tables.lease).where(*_of(home), _LEASE.owner != owner, _is_over(dead))
    rows = await transaction.execute(
        free.values(owner=owner, until=_NOW + span // _MILLISECOND, wanted_by=None).returning(_LEASE.shard)
    )
    return {*rows.scalars()}


async def adopt(transaction: Transaction, owner: str, shards: int, span: timedelta, dead: Collection[str]) -> set[int]:
    """Give a process the leases that are over, whoever had them. Return which it got. Leases that others take wait.

    What was given back, or belongs to a dead process while another one wants it, is left alone until its time is over.
    """
    is_over = or_(_LEASE.until < _NOW, and_(_LEASE.owner.in_(dead), _LEASE.wanted_by.is_(None)))
    over = select(_LEASE.shard).where(_LEASE.shards == shards, _LEASE.owner != owner, is_over)
    row = update(tables.lease).where(_LEASE.shard.in_(over.with_for_update(skip_locked=True)))
    row = row.values(owner=owner, until=_NOW + span // _MILLISECOND)
    return {*(await transaction.execute(row.returning(_LEASE.shard))).scalars()}


async def want(transaction: Transaction, owner: str, home: Shards) -> bool:
    """Say that a process wants the leases of its shards that others have. Return whether that is new for any."""
    row = update(tables.lease).where(*_of(home), _LEASE.owner != owner, _LEASE.wanted_by.is_distinct_from(owner))
    return bool((await transaction.execute(row.values(wanted_by=owner).returning(_LEASE.shard))).all())


async def give_back(transaction: Transaction, owner: str, shards: Shards, span: timedelta) -> None:
    """Take some leases from a process. Until `span` is over, only one that is connected as these shards gets them."""
    row = update(tables.lease).where(*_of(shards), _LEASE.owner == owner)
    await transaction.execute(row.values(owner=_NOBODY, until=_NOW + span // _MILLISECOND, wanted_by=None))


async def owners(transaction: Transaction) -> dict[str, int]:
    """Return the processes that have leases, each with the number of shards that it shares the work among."""
    query = select(_LEASE.owner, _LEASE.shards).where(~_is_over()).distinct()
    return {row.owner: row.shards for row in await transaction.execute(query)}


def _of(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the leases of some shards: those of another number are about other servers."""
    return _LEASE.shards == shards.count, _LEASE.shard.in_([*shards.numbers])
