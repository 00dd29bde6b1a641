"""Queries about invitations and who is in them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import ChallengeRow, ChallengeStatus, GuestRow

_CHALLENGE: Final = tables.challenge.c
_GUEST: Final = tables.guest.c
_COLUMNS: Final = (
    _CHALLENGE.id,
    _CHALLENGE.guild_id,
    _CHALLENGE.channel_id,
    _CHALLENGE.challenger_id,
    _CHALLENGE.system,
    _CHALLENGE.rules,
    _CHALLENGE.pairing,
    _CHALLENGE.status,
    _CHALLENGE.revision,
    _CHALLENGE.created_at,
    _CHALLENGE.expires_at,
    _CHALLENGE.match_id,
)
_WITH_GUESTS: Final = (
    select(*_COLUMNS, _GUEST.person_id, _GUEST.joined)
    .select_from(tables.challenge.outerjoin(tables.guest))
    .order_by(_CHALLENGE.id, _GUEST.number)
)


async def load(transaction: Transaction, challenge_id: int) -> ChallengeRow | None:
    """An invitation; None where there is none of that id."""
    found = await _challenges(transaction, _CHALLENGE.id == challenge_id)
    return found[0] if found else None


async def caused(transaction: Transaction, interaction_id: int) -> ChallengeRow | None:
    """The invitation that an interaction made."""
    found = await _challenges(transaction, _CHALLENGE.interaction_id == interaction_id)
    return found[0] if found else None


async def pending_of(transaction: Transaction, challenger_id: int) -> tuple[ChallengeRow, ...]:
    """The invitations of a person that wait, oldest first."""
    return await _pending(transaction, _CHALLENGE.challenger_id == challenger_id)


async def pending_in(transaction: Transaction, guild_id: int) -> tuple[ChallengeRow, ...]:
    """The invitations that wait in a server, oldest first."""
    return await _pending(transaction, _CHALLENGE.guild_id == guild_id)


async def joined_by(transaction: Transaction, person_id: int) -> tuple[ChallengeRow, ...]:
    """The invitations of others that wait with a person in them, oldest first."""
    return await _pending(transaction, _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(True)))


async def concerning(transaction: Transaction, person_id: int) -> tuple[ChallengeRow, ...]:
    """Every invitation from or to a person, or with them in it, settled ones too, oldest first."""
    return await _challenges(
        transaction, or_(_CHALLENGE.challenger_id == person_id, _has_guest(_GUEST.person_id == person_id))
    )


async def overdue(transaction: Transaction, at: datetime) -> tuple[ChallengeRow, ...]:
    """The pending invitations whose time is over."""
    return await _pending(transaction, _CHALLENGE.expires_at <= at)


async def create(transaction: Transaction, values: dict[str, Any], named: Sequence[int] = ()) -> int:
    """A new invitation from its columns, to these people by name; gives its id."""
    row = insert(tables.challenge).values(**values, revision=1)
    challenge_id: int = (await transaction.execute(row.returning(_CHALLENGE.id))).scalar_one()
    for person_id in named:
        await seat(transaction, challenge_id, person_id, joined=False)
    return challenge_id


async def seat(transaction: Transaction, challenge_id: int, person_id: int, *, joined: bool) -> None:
    """Keep a place for somebody, or have them join; either way they come last in the order."""
    last = select(func.coalesce(func.max(_GUEST.number), 0)).where(_GUEST.challenge_id == challenge_id)
    values = {"number": last.scalar_subquery() + 1, "joined": joined}
    row = upsert(tables.guest).values(challenge_id=challenge_id, person_id=person_id, **values)
    await transaction.execute(row.on_conflict_do_update(index_elements=["challenge_id", "person_id"], set_=values))


async def unseat(transaction: Transaction, challenge_id: int, person_id: int) -> None:
    """Take somebody out of an invitation."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.person_id == person_id)
    await transaction.execute(row)


async def unseat_absent(transaction: Transaction, challenge_id: int) -> None:
    """Take everybody out of an invitation who has not joined."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.joined.is_(False))
    await transaction.execute(row)


async def revise(transaction: Transaction, challenge_id: int, **values: object) -> None:
    """Change columns of an invitation, and count a revision."""
    changed = update(tables.challenge).where(_CHALLENGE.id == challenge_id)
    await transaction.execute(changed.values(revision=_CHALLENGE.revision + 1, **values))


async def remove(transaction: Transaction, challenge_id: int) -> None:
    """Remove an invitation."""
    await transaction.execute(delete(tables.challenge).where(_CHALLENGE.id == challenge_id))


def _has_guest(*where: ColumnElement[bool]) -> ColumnElement[bool]:
    return _CHALLENGE.id.in_(select(_GUEST.challenge_id).where(*where))


async def _pending(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[ChallengeRow, ...]:
    return await _challenges(transaction, _CHALLENGE.status == ChallengeStatus.PENDING, *where)


async def drop_drafts(transaction: Transaction, *, of: int | None = None, until: datetime | None = None) -> None:
    """Remove drafts: a person's, or those whose time is over."""
    row = delete(tables.challenge).where(_CHALLENGE.status == ChallengeStatus.DRAFT)
    row = row if of is None else row.where(_CHALLENGE.challenger_id == of)
    await transaction.execute(row if until is None else row.where(_CHALLENGE.expires_at <= until))


async def _challenges(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[ChallengeRow, ...]:
    """Invitations from a row for each of their guests."""
    rows = (await transaction.execute(_WITH_GUESTS.where(*where))).all()
    guests: dict[int, list[GuestRow]] = {row.id: [] for row in rows}
    for row in rows:
        if row.person_id is not None:
            guests[row.id].append(GuestRow(row.person_id, row.joined))
    own = {row.id: row[: len(_COLUMNS)] for row in rows}
    return tuple(_challenge(columns, guests[challenge_id]) for challenge_id, columns in own.items())


def _challenge(columns: Sequence[Any], guests: Sequence[GuestRow]) -> ChallengeRow:
    values: dict[str, Any] = {column.name: value for column, value in zip(_COLUMNS, columns, strict=True)}
    status = ChallengeStatus(values.pop("status"))
    return ChallengeRow(**values, status=status, guests=tuple(guests))
