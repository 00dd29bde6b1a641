"""Queries about people: their names, their preferences, and the deletion of their data."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Text, bindparam, case, delete, literal, null, or_, select, true, tuple_, update

from bot.model.ids import PersonId
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.store import tables
from bot.store.rows import PersonRow, read_row, upsert
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_PERSON: Final = tables.person.c


_LOAD: Final = Statement(lambda _: select(tables.person).where(_PERSON.id == bindparam("person_id")))


async def load(transaction: Transaction, person_id: PersonId) -> PersonRow | None:
    """Return a person. None if they never used the bot or were forgotten."""
    for row in await transaction.fetch(_LOAD, {"person_id": person_id}):
        return read_row(PersonRow, row)
    return None


async def save_name(transaction: Transaction, person: Person, at: datetime) -> None:
    """Save a person's current names and avatar, and the time at which they were last seen.

    Add the person if necessary. The avatar of a person who does not want it shown is not stored.
    """
    new = {"name": person.name, "username": person.username, "seen_at": at}
    row = upsert(transaction.dialect.name, tables.person).values(id=person.id, avatar=person.avatar, **new)
    shown = {"avatar": _shown_avatar(person)}
    await transaction.execute(row.on_conflict_do_update(index_elements=[_PERSON.id], set_=new | shown))


async def update_name(transaction: Transaction, person: Person) -> None:
    """Update the names and the avatar of a known person if they have changed."""
    avatar = _shown_avatar(person)
    is_changed = or_(
        _PERSON.name != person.name,
        _PERSON.username.is_distinct_from(person.username),
        _PERSON.avatar.is_distinct_from(avatar),
    )
    statement = update(tables.person).where(_PERSON.id == person.id, is_changed)
    await transaction.execute(statement.values(name=person.name, username=person.username, avatar=avatar))


def _shown_avatar(person: Person) -> ColumnElement[str | None]:
    """Return the avatar to store for a known person: none if they do not want it shown."""
    return case((_PERSON.shows_avatar.is_(true()), literal(person.avatar, Text)), else_=null())


async def change(transaction: Transaction, person_id: PersonId, **values: object) -> None:
    """Update columns of a known person."""
    await transaction.execute(update(tables.person).where(_PERSON.id == person_id).values(**values))


async def close_dms(transaction: Transaction, person_id: PersonId, at: datetime) -> None:
    """Save that Discord refuses direct messages to a person. They are not reminded of the deal of the day any more."""
    await change(transaction, person_id, dm_closed_at=at, daily_hour=None)


async def touch(transaction: Transaction, person_ids: Collection[PersonId]) -> None:
    """Write the rows of people without changing them, to provoke a conflict.

    Of two simultaneous transactions that touch, change or forget the same person, one fails with `ConflictError`. A
    transaction that saves or counts data of a person must call this, unless it already changes a row that every
    conflicting transaction changes too.

    A transaction that changes several people, or people and matches, must call this before it changes any of them.
    People are always locked first and in the same order, which prevents deadlocks.
    """
    if person_ids:
        locked_ids = select(_PERSON.id).where(_PERSON.id.in_(person_ids)).order_by(_PERSON.id)
        statement = update(tables.person).where(_PERSON.id.in_(locked_ids.with_for_update(key_share=True)))
        await transaction.execute(statement.values(seen_at=_PERSON.seen_at))


async def have_played(transaction: Transaction, person_id: PersonId, other_id: PersonId) -> bool:
    """Return True if two people have played in the same match."""
    seat = tables.seat.c
    other_match_ids = select(seat.match_id).where(tables.played_by(other_id))
    query = select(seat.match_id).where(tables.played_by(person_id), seat.match_id.in_(other_match_ids))
    return (await transaction.execute(query.limit(1))).first() is not None


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person. Their seats stay without a person and without reviews.

    Outbox rows of messages to the person reveal the person's account. Rows of up-to-date messages are removed now,
    other rows after their message is delivered or deleted.
    """
    message, seat = tables.outbox_message.c, tables.seat.c
    seats = select(seat.match_id, seat.seat).where(tables.played_by(person_id))
    is_own = tuple_(message.subject_id, message.part).in_(seats)
    to_them = is_own & message.kind.in_((MessageKind.HAND, MessageKind.PING))
    is_delivered = message.wanted_revision <= message.shown_revision
    await transaction.execute(delete(tables.outbox_message).where(to_them, is_delivered))
    # Prevent deliveries already in progress from marking the remaining messages as up to date.
    await transaction.execute(
        update(tables.outbox_message).where(to_them).values(wanted_revision=message.wanted_revision + 1)
    )
    dm_channel = select(_PERSON.dm_channel_id).where(_PERSON.id == person_id).scalar_subquery()
    await transaction.execute(delete(tables.stale_message).where(tables.stale_message.c.channel_id == dm_channel))
    reviewed = tuple_(tables.review.c.match_id, tables.review.c.seat)
    await transaction.execute(delete(tables.review).where(reviewed.in_(seats)))
    await transaction.execute(
        update(tables.seat)
        .where(seat.person_id == person_id)
        .values(person_id=None, proposal=None, orders=None, arranged=None)
    )
    await transaction.execute(
        update(tables.seat).where(seat.leaver_id == person_id).values(leaver_id=None, orders=None, arranged=None)
    )
    await transaction.execute(delete(tables.person).where(_PERSON.id == person_id))
