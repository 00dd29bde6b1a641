"""Queries about leases. A lease names the process that works for a shard, and the time at which the lease expires.

Leases are used only with PostgreSQL, which several processes can share. All times come from the database's clock, so
the clocks of the processes do not need to agree.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, and_, cast, delete, exists, extract, func, or_, select, update

from bot.model.shards import Shards
from bot.store import tables
from bot.store.rows import upsert
from bot.store.transaction import Transaction

_LEASE: Final = tables.lease.c

_NOW: Final = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NO_OWNER: Final = ""


def _is_free(dead: Collection[str] = ()) -> ColumnElement[bool]:
    """Return the condition for a free lease: it has no owner, its owner has died, or it has expired."""
    return or_(_LEASE.owner == _NO_OWNER, _LEASE.until < _NOW, _LEASE.owner.in_(dead))


async def other_shard_count(transaction: Transaction, shards: int, dead: Collection[str]) -> int | None:
    """Return a shard count other than `shards` that live processes use. None if there is none."""
    query = select(_LEASE.shards).where(_LEASE.shards != shards, ~_is_free(dead)).limit(1)
    return (await transaction.execute(query)).scalar()


async def has_leases_for(transaction: Transaction, shards: int) -> bool:
    """Return True if the leases are for this number of shards.

    A process with a different number of shards may have replaced them.
    """
    return bool((await transaction.execute(select(exists().where(_LEASE.shards == shards)))).scalar())


async def create_all(transaction: Transaction, shards: int, span: timedelta) -> None:
    """Create a free lease for each shard, and delete leases for other numbers of shards.

    During the first `span`, only processes that are connected as a shard can take its lease.
    """
    await transaction.execute(delete(tables.lease).where(_LEASE.shards != shards))
    lease = {"shards": shards, "owner": _NO_OWNER, "until": _NOW + span // _MILLISECOND}
    insertion = upsert(transaction.dialect.name, tables.lease).values(
        [lease | {"shard": shard} for shard in range(shards)]
    )
    await transaction.execute(insertion.on_conflict_do_nothing())


async def renew(transaction: Transaction, owner: str, shards: int, span: timedelta) -> dict[int, str | None]:
    """Renew the leases of a process. For each shard, return the process that requested the lease, or None."""
    statement = update(tables.lease).where(_LEASE.owner == owner, _LEASE.shards == shards)
    renewal = statement.values(until=_NOW + span // _MILLISECOND)
    rows = await transaction.execute(renewal.returning(_LEASE.shard, _LEASE.wanted_by))
    return {row.shard: row.wanted_by for row in rows}


async def take_free(
    transaction: Transaction, owner: str, home: Shards, span: timedelta, dead: Collection[str]
) -> set[int]:
    """Give a process the free leases of the shards that it is connected as. Return those shards."""
    statement = update(tables.lease).where(*_conditions(home), _LEASE.owner != owner, _is_free(dead))
    rows = await transaction.execute(
        statement.values(owner=owner, until=_NOW + span // _MILLISECOND, wanted_by=None).returning(_LEASE.shard)
    )
    return {*rows.scalars()}


async def take_expired(
    transaction: Transaction, owner: str, shards: int, span: timedelta, dead: Collection[str]
) -> set[int]:
    """Give a process all leases that have expired or whose owner is dead, and return their shards.

    Leases that were given back, or that another process has requested, are taken only after they expire. Leases that
    another process is taking right now are skipped.
    """
    is_expired = or_(_LEASE.until < _NOW, and_(_LEASE.owner.in_(dead), _LEASE.wanted_by.is_(None)))
    expired = select(_LEASE.shard).where(_LEASE.shards == shards, _LEASE.owner != owner, is_expired)
    statement = update(tables.lease).where(_LEASE.shard.in_(expired.with_for_update(skip_locked=True)))
    statement = statement.values(owner=owner, until=_NOW + span // _MILLISECOND)
    return {*(await transaction.execute(statement.returning(_LEASE.shard))).scalars()}


async def request(transaction: Transaction, owner: str, home: Shards) -> bool:
    """Request the leases of the shards that a process is connected as, except those that it already has.

    Return True if at least one request is new.
    """
    statement = update(tables.lease).where(
        *_conditions(home), _LEASE.owner != owner, _LEASE.wanted_by.is_distinct_from(owner)
    )
    return bool((await transaction.execute(statement.values(wanted_by=owner).returning(_LEASE.shard))).all())


async def give_back(transaction: Transaction, owner: str, shards: Shards, span: timedelta) -> None:
    """Give up a process's leases of these shards.

    During the next `span`, only a process that is connected as a shard can take its lease.
    """
    statement = update(tables.lease).where(*_conditions(shards), _LEASE.owner == owner)
    await transaction.execute(statement.values(owner=_NO_OWNER, until=_NOW + span // _MILLISECOND, wanted_by=None))


async def owners(transaction: Transaction) -> dict[str, int]:
    """Return the processes that hold leases, each with its shard count."""
    query = select(_LEASE.owner, _LEASE.shards).where(~_is_free()).distinct()
    return {row.owner: row.shards for row in await transaction.execute(query)}


def _conditions(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    # Compare the shard count, too: with another count, the same shard number stands for other servers.
    return _LEASE.shards == shards.count, _LEASE.shard.in_([*shards.numbers])
