"""Queries about leases. A lease names the process that works for a shard, and when its claim expires.

They are used only with PostgreSQL, which several processes can share. All times come from the database's clock, so the
clocks of the processes do not need to agree.
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
    """Return the condition for a free lease: it has no owner or a dead one, or it has expired."""
    return or_(_LEASE.owner == _NOBODY, _LEASE.until < _NOW, _LEASE.owner.in_(dead))


async def count_of_others(transaction: Transaction, shards: int, dead: Collection[str]) -> int | None:
    """Return the shard count that other live processes use, if it differs from this one; else None."""
    query = select(_LEASE.shards).where(_LEASE.shards != shards, ~_is_over(dead)).limit(1)
    return (await transaction.execute(query)).scalar()


async def are_of(transaction: Transaction, shards: int) -> bool:
    """Return True if the leases are for this number of shards.

    A process with a different number of shards may have replaced them.
    """
    return bool((await transaction.execute(select(exists().where(_LEASE.shards == shards)))).scalar())


async def begin(transaction: Transaction, shards: int, span: timedelta) -> None:
    """Create a free lease for each shard, and delete leases for other numbers of shards.

    During the first `span`, only processes that are connected as a shard can take its lease.
    """
    await transaction.execute(delete(tables.lease).where(_LEASE.shards != shards))
    lease = {"shards": shards, "owner": _NOBODY, "until": _NOW + span // _MILLISECOND}
    rows = upsert(transaction.dialect.name, tables.lease).values([lease | {"shard": shard} for shard in range(shards)])
    await transaction.execute(rows.on_conflict_do_nothing())


async def renew(transaction: Transaction, owner: str, shards: int, span: timedelta) -> dict[int, str | None]:
    """Renew the leases of a process. Return its shards, each with the process that has asked for it, or None."""
    own = update(tables.lease).where(_LEASE.owner == owner, _LEASE.shards == shards)
    row = own.values(until=_NOW + span // _MILLISECOND)
    rows = await transaction.execute(row.returning(_LEASE.shard, _LEASE.wanted_by))
    return {row.shard: row.wanted_by for row in rows}


async def take(transaction: Transaction, owner: str, home: Shards, span: timedelta, dead: Collection[str]) -> set[int]:
    """Give a process the free leases of the shards that it is connected as. Return those shards."""
    free = update(tables.lease).where(*_of(home), _LEASE.owner != owner, _is_over(dead))
    rows = await transaction.execute(
        free.values(owner=owner, until=_NOW + span // _MILLISECOND, wanted_by=None).returning(_LEASE.shard)
    )
    return {*rows.scalars()}


async def adopt(transaction: Transaction, owner: str, shards: int, span: timedelta, dead: Collection[str]) -> set[int]:
    """Give a process all leases that have expired or whose owner is dead, and return their shards.

    Leases that were given back, or that another process has requested, are adopted only after they expire. Leases that
    another process is taking right now are skipped.
    """
    is_over = or_(_LEASE.until < _NOW, and_(_LEASE.owner.in_(dead), _LEASE.wanted_by.is_(None)))
    over = select(_LEASE.shard).where(_LEASE.shards == shards, _LEASE.owner != owner, is_over)
    row = update(tables.lease).where(_LEASE.shard.in_(over.with_for_update(skip_locked=True)))
    row = row.values(owner=owner, until=_NOW + span // _MILLISECOND)
    return {*(await transaction.execute(row.returning(_LEASE.shard))).scalars()}


async def want(transaction: Transaction, owner: str, home: Shards) -> bool:
    """Request the leases of a process's shards that others hold. Return True if any of the requests is new."""
    row = update(tables.lease).where(*_of(home), _LEASE.owner != owner, _LEASE.wanted_by.is_distinct_from(owner))
    return bool((await transaction.execute(row.values(wanted_by=owner).returning(_LEASE.shard))).all())


async def give_back(transaction: Transaction, owner: str, shards: Shards, span: timedelta) -> None:
    """Free leases of a process. During the next `span`, only a process connected as these shards can take them."""
    row = update(tables.lease).where(*_of(shards), _LEASE.owner == owner)
    await transaction.execute(row.values(owner=_NOBODY, until=_NOW + span // _MILLISECOND, wanted_by=None))


async def owners(transaction: Transaction) -> dict[str, int]:
    """Return the processes that hold leases, each with its shard count."""
    query = select(_LEASE.owner, _LEASE.shards).where(~_is_over()).distinct()
    return {row.owner: row.shards for row in await transaction.execute(query)}


def _of(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    # The same shard number with another shard count covers other servers.
    return _LEASE.shards == shards.count, _LEASE.shard.in_([*shards.numbers])
