"""Queries about people: their names, their preferences, and the deletion of their data."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, Text, bindparam, case, delete, literal, null, or_, select, true, tuple_, update

from bot.model.ids import PersonId
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.store import tables
from bot.store.rows import PersonRow, Upsert, read_row, upsert
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_PERSON: Final = tables.person.c


_LOAD: Final = Statement(lambda _: select(tables.person).where(_PERSON.id == bindparam("person_id")))
_TOUCH: Final = Statement(
    lambda _: update(tables.person).where(_PERSON.id == bindparam("of_person")).values(seen_at=_PERSON.seen_at)
)


def _if_shown(avatar: ColumnElement[str | None]) -> ColumnElement[str | None]:
    """Return the avatar to store for a known person: none if they do not want it shown."""
    return case((_PERSON.shows_avatar.is_(true()), avatar), else_=null())


def _upsert_name(dialect: str) -> Upsert:
    row = upsert(dialect, tables.person)
    new = {name: row.excluded[name] for name in ("name", "username", "seen_at")}
    shown = {"avatar": _if_shown(row.excluded.avatar)}
    return row.on_conflict_do_update(index_elements=[_PERSON.id], set_=new | shown)


_SAVE_NAME: Final = Statement(_upsert_name, ("id", "name", "username", "avatar", "seen_at"))


@cache
def _change(columns: tuple[str, ...]) -> Statement:
    """Return the statement that updates some columns of one person."""
    return Statement(lambda _: update(tables.person).where(_PERSON.id == bindparam("of_person")), columns)


async def load(transaction: Transaction, person_id: PersonId) -> PersonRow | None:
    """Return a person. None if they never used the bot or were forgotten."""
    for row in await transaction.fetch(_LOAD, {"person_id": person_id}):
        return read_row(PersonRow, row)
    return None


def save_name(transaction: Transaction, person: Person, at: datetime) -> None:
    """Save a person's current names and avatar, and the time at which they were last seen. See `Transaction.queue`.

    Add the person if necessary. The avatar of a person who does not want it shown is not stored.
    """
    values = {"id": person.id, "name": person.name, "username": person.username, "avatar": person.avatar, "seen_at": at}
    transaction.queue(_SAVE_NAME, [values])


async def update_name(transaction: Transaction, person: Person) -> None:
    """Update the names and the avatar of a known person if they have changed."""
    avatar = _if_shown(literal(person.avatar, Text))
    is_changed = or_(
        _PERSON.name != person.name,
        _PERSON.username.is_distinct_from(person.username),
        _PERSON.avatar.is_distinct_from(avatar),
    )
    statement = update(tables.person).where(_PERSON.id == person.id, is_changed)
    await transaction.execute(statement.values(name=person.name, username=person.username, avatar=avatar))


def change(transaction: Transaction, person_id: PersonId, **values: object) -> None:
    """Update columns of a known person. See `Transaction.queue`."""
    transaction.queue(_change(tuple(sorted(values))), [{"of_person": person_id, **values}])


def close_dms(transaction: Transaction, person_id: PersonId, at: datetime) -> None:
    """Save that Discord refuses direct messages to a person. They are not reminded of the deal of the day any more.

    See `Transaction.queue`.
    """
    change(transaction, person_id, dm_closed_at=at, daily_hour=None)


def touch(transaction: Transaction, person_ids: Collection[PersonId]) -> None:
    """Write the rows of people without changing them, to provoke a conflict. See `Transaction.queue`.

    Of two simultaneous transactions that touch, change or forget the same person, one fails with `ConflictError`. A
    transaction that saves or counts data of a person must call this, unless it already changes a row that every
    conflicting transaction changes too.

    A transaction that changes several people, or people and matches, must call this before it changes any of them.
    People are always locked first and in the same order, which prevents deadlocks.
    """
    if person_ids:
        transaction.queue(_TOUCH, [{"of_person": person_id} for person_id in sorted(set(person_ids))])


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
