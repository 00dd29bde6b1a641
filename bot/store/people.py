"""Queries about people: their names, their preferences, and the deletion of their data."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, or_, select, tuple_, update

from bot.store import tables
from bot.store.rows import PersonRow, read_row, save
from bot.store.transaction import Transaction
from bot.values.ids import PersonId
from bot.values.outbox import MessageKind
from bot.values.people import Person

_PERSON: Final = tables.person.c


async def load(transaction: Transaction, person_id: PersonId) -> PersonRow | None:
    """Return a person. None if they never used the bot or were forgotten."""
    row = (await transaction.execute(select(tables.person).where(_PERSON.id == person_id))).mappings().first()
    return None if row is None else read_row(PersonRow, row)


async def save_name(transaction: Transaction, person: Person, at: datetime) -> None:
    """Save a person's current names, and the time at which they were last seen. Add the person if necessary."""
    names = {"name": person.name, "username": person.username}
    await save(transaction, tables.person, {"id": person.id}, names | {"seen_at": at})


async def rename(transaction: Transaction, person: Person) -> None:
    """Update the names of a known person if they have changed."""
    changed = or_(_PERSON.name != person.name, _PERSON.username.is_distinct_from(person.username))
    renamed = update(tables.person).where(_PERSON.id == person.id, changed)
    await transaction.execute(renamed.values(name=person.name, username=person.username))


async def change(transaction: Transaction, person_id: PersonId, **values: object) -> None:
    """Update columns of a known person."""
    await transaction.execute(update(tables.person).where(_PERSON.id == person_id).values(**values))


async def touch(transaction: Transaction, person_ids: Collection[PersonId]) -> None:
    """Write the rows of people without changing them, to provoke a conflict.

    Of two simultaneous transactions that touch, change or forget the same person, one fails with `ConflictError`. A
    transaction that saves the owner of something, or counts a person's things, must call this, unless it already
    changes a row that the other transaction changes too.

    A transaction that changes several people, or people and matches, must call this before it changes any of them.
    People are always locked first and in the same order, which prevents deadlocks.
    """
    if person_ids:
        known = select(_PERSON.id).where(_PERSON.id.in_(person_ids)).order_by(_PERSON.id)
        row = update(tables.person).where(_PERSON.id.in_(known.with_for_update(key_share=True)))
        await transaction.execute(row.values(seen_at=_PERSON.seen_at))


async def have_met(transaction: Transaction, person_id: PersonId, other_id: PersonId) -> bool:
    """Return True if two people have played in the same match."""
    seat = tables.seat.c
    theirs = select(seat.match_id).where(tables.played_by(other_id))
    query = select(seat.match_id).where(tables.played_by(person_id), seat.match_id.in_(theirs))
    return (await transaction.execute(query.limit(1))).first() is not None


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person. Their seats stay without a person and without reviews.

    Messages to a person reveal their account, so messages that are up to date are removed from the outbox. The others
    are delivered or deleted first, and removed afterwards.
    """
    message, seat = tables.outbox_message.c, tables.seat.c
    seats = select(seat.match_id, seat.seat).where(tables.played_by(person_id))
    own = tuple_(message.subject_id, message.part).in_(seats)
    to_them = own & message.kind.in_((MessageKind.HAND, MessageKind.PING))
    delivered = message.wanted_revision <= message.shown_revision
    await transaction.execute(delete(tables.outbox_message).where(to_them, delivered))
    # A delivery that is already in progress must not mark these messages as up to date.
    await transaction.execute(
        update(tables.outbox_message).where(to_them).values(wanted_revision=message.wanted_revision + 1)
    )
    dm_channel = select(_PERSON.dm_channel_id).where(_PERSON.id == person_id).scalar_subquery()
    await transaction.execute(delete(tables.stale_message).where(tables.stale_message.c.channel_id == dm_channel))
    reviewed = tuple_(tables.review.c.match_id, tables.review.c.seat)
    await transaction.execute(delete(tables.review).where(reviewed.in_(seats)))
    await transaction.execute(
        update(tables.seat).where(seat.person_id == person_id).values(person_id=None, proposal=None)
    )
    await transaction.execute(update(tables.seat).where(seat.leaver_id == person_id).values(leaver_id=None))
    await transaction.execute(delete(tables.person).where(_PERSON.id == person_id))
