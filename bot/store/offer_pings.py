"""Queries about the recent pings that people sent with offers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import and_, delete, func, insert, or_, select

from bot.model.ids import PersonId
from bot.store import tables
from bot.store.removal import StaleRows
from bot.store.transaction import Transaction

_PING: Final = tables.offer_ping.c


async def count(transaction: Transaction, from_id: PersonId, to_id: PersonId, since: datetime, until: datetime) -> int:
    """Return the number of pings from one person to another after `since`, up to `until`."""
    is_between = and_(_PING.at > since, _PING.at <= until)
    query = select(func.count()).where(_PING.from_id == from_id, _PING.to_id == to_id, is_between)
    return (await transaction.execute(query)).scalar() or 0


async def sent_by(transaction: Transaction, from_id: PersonId) -> tuple[tuple[PersonId, datetime], ...]:
    """Return the recipient and time of each ping that a person sent, oldest first."""
    query = select(_PING.to_id, _PING.at).where(_PING.from_id == from_id).order_by(_PING.at)
    return tuple((row.to_id, row.at) for row in await transaction.execute(query))


async def add(transaction: Transaction, from_id: PersonId, to_ids: Iterable[PersonId], at: datetime) -> None:
    """Save pings from one person to others."""
    rows = [{"from_id": from_id, "to_id": to_id, "at": at} for to_id in to_ids]
    if rows:
        await transaction.execute(insert(tables.offer_ping), rows)


def outside(since: datetime, until: datetime) -> StaleRows:
    """Select for removal the pings that were sent up to `since` or after `until`."""
    return StaleRows(tables.offer_ping, (or_(_PING.at <= since, _PING.at > until),))


async def remove_among(transaction: Transaction, people: Collection[PersonId]) -> None:
    """Remove all pings that these people sent to each other."""
    is_among = _PING.from_id.in_(people) & _PING.to_id.in_(people)
    await transaction.execute(delete(tables.offer_ping).where(is_among))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Remove all pings from and to a person."""
    await transaction.execute(
        delete(tables.offer_ping).where(or_(_PING.from_id == person_id, _PING.to_id == person_id))
    )
