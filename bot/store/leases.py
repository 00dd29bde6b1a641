"""Queries about leases: which process works for a shard, and until when. Only PostgreSQL has processes to share it.

All moments are by the clock of the database, so no process needs to have the same time as another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Final

from sqlalchemy import BigInteger, cast, delete, extract, func, or_, select, update

from bot.store import tables
from bot.store.rows import upsert
from bot.store.transaction import Transaction

_LEASE: Final = tables.lease.c

_NOW: Final = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NOBODY: Final = ""
_IS_OVER: Final = or_(_LEASE.owner == _NOBODY, _LEASE.until < _NOW)


async def count_of_others(transaction: Transaction, shards: int) -> int | None:
    """Return among how many shards other processes share the work now, if that is another number than this one."""
    query = select(_LEASE.shards).where(_LEASE.shards != shards, ~_IS_OVER).limit(1)
    return (await transaction.execute(query)).scalar()


async def begin(transaction: Transaction, shards: int, span: timedelta) -> None:
    """Have a lease for each of `shards` shards. For a while only who is connected as a shard may take a new one."""
    await transaction.execute(delete(tables.lease).where(_LEASE.shards != shards))
    lease = {"shards": shards, "owner": _NOBODY, "until": _NOW + span // _MILLISECOND}
    rows = upsert(transaction.dialect.name, tables.lease).values([lease | {"shard": shard} for shard in range(shards)])
    await transaction.execute(rows.on_conflict_do_nothing())


async def renew(transaction: Transaction, owner: str, span: timedelta) -> dict[int, str | None]:
    """Renew the leases of a process. Return their shards, each with the process that wants it."""
    row = update(tables.lease).where(_LEASE.owner == owner).values(until=_NOW + span // _MILLISECOND)
    rows = await transaction.execute(row.returning(_LEASE.shard, _LEASE.wanted_by))
    return {row.shard: row.wanted_by for row in rows}


async def take(transaction: Transaction, owner: str, shards: Collection[int], span: timedelta) -> set[int]:
    """Give a process the leases of shards that it is connected as, if nobody has them. Return which it got."""
    free = update(tables.lease).where(_LEASE.shard.in_([*shards]), _LEASE.owner != owner, _IS_OVER)
    rows = await transaction.execute(
        free.values(owner=owner, until=_NOW + span // _MILLISECOND, wanted_by=None).returning(_LEASE.shard)
    )
    return {*rows.scalars()}


async def adopt(transaction: Transaction, owner: str, span: timedelta) -> set[int]:
    """Give a process the leases that are over, whoever had them. Return which it got. Leases that others take wait."""
    over = select(_LEASE.shard).where(_LEASE.owner != owner, _LEASE.until < _NOW).with_for_update(skip_locked=True)
    row = update(tables.lease).where(_LEASE.shard.in_(over)).values(owner=owner, until=_NOW + span // _MILLISECOND)
    return {*(await transaction.execute(row.returning(_LEASE.shard))).scalars()}


async def want(transaction: Transaction, owner: str, shards: Collection[int]) -> bool:
    """Say that a process wants the leases of shards that others have. Return whether that is new for any."""
    row = update(tables.lease).where(
        _LEASE.shard.in_([*shards]), _LEASE.owner != owner, _LEASE.wanted_by.is_distinct_from(owner)
    )
    return bool((await transaction.execute(row.values(wanted_by=owner).returning(_LEASE.shard))).all())


async def give_back(transaction: Transaction, owner: str, shards: Iterable[int], span: timedelta) -> None:
    """Let nobody have some leases of a process, and for a while only those who are connected as these shards."""
    row = update(tables.lease).where(_LEASE.shard.in_([*shards]), _LEASE.owner == owner)
    await transaction.execute(row.values(owner=_NOBODY, until=_NOW + span // _MILLISECOND, wanted_by=None))


async def processes(transaction: Transaction) -> int:
    """Return how many processes have leases."""
    owners = func.count(_LEASE.owner.distinct())
    return (await transaction.execute(select(owners).where(~_IS_OVER))).scalar_one()
