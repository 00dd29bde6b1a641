"""Queries about the people that others have blocked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import and_, delete, or_, select

from bot.model.ids import PersonId
from bot.store import tables
from bot.store.rows import upsert
from bot.store.transaction import Transaction

_BLOCK: Final = tables.block.c


async def blocked_by(transaction: Transaction, person_id: PersonId) -> tuple[PersonId, ...]:
    """Return the people that a person has blocked, in the order of their ids."""
    query = select(_BLOCK.blocked_id).where(_BLOCK.blocker_id == person_id).order_by(_BLOCK.blocked_id)
    return tuple((await transaction.execute(query)).scalars())


async def between(
    transaction: Transaction, person_id: PersonId, others: Collection[PersonId]
) -> tuple[tuple[PersonId, PersonId], ...]:
    """Return the blocks between a person and any of the others, as pairs of the blocker and the blocked person."""
    if not others:
        return ()
    own = and_(_BLOCK.blocker_id == person_id, _BLOCK.blocked_id.in_(others))
    theirs = and_(_BLOCK.blocker_id.in_(others), _BLOCK.blocked_id == person_id)
    query = select(_BLOCK.blocker_id, _BLOCK.blocked_id).where(or_(own, theirs)).order_by(*_BLOCK)
    return tuple((row.blocker_id, row.blocked_id) for row in await transaction.execute(query))


async def add(transaction: Transaction, blocker_id: PersonId, blocked_id: PersonId) -> None:
    """Save a block, if it is not saved yet."""
    row = upsert(transaction.dialect.name, tables.block).values(blocker_id=blocker_id, blocked_id=blocked_id)
    await transaction.execute(row.on_conflict_do_nothing())


async def remove(transaction: Transaction, blocker_id: PersonId, blocked_ids: Collection[PersonId]) -> None:
    """Remove blocks of a person."""
    of_person = _BLOCK.blocker_id == blocker_id
    await transaction.execute(delete(tables.block).where(of_person, _BLOCK.blocked_id.in_(blocked_ids)))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Remove all blocks by and of a person."""
    is_in = or_(_BLOCK.blocker_id == person_id, _BLOCK.blocked_id == person_id)
    await transaction.execute(delete(tables.block).where(is_in))
