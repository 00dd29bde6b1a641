"""Queries about challenges and the people in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, TextClause, delete, exists, false, func, or_, select, true, update

from bot.store import tables
from bot.store.removal import MAX_ROWS, Leftovers
from bot.store.rows import read_row, save, select_columns, upsert
from bot.store.transaction import Transaction
from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.ids import ChallengeId, GuildId, InteractionId, PersonId
from bot.values.namesakes import told_apart
from bot.values.outbox import MessageKind
from bot.values.statistics import Player, computers

KEPT_FOR: Final = timedelta(days=30)
"""How long a closed challenge is kept after the day on which it would have expired."""
MAX_ROWS_OF_ONE: Final = 20
"""Maximum number of rows of one challenge: its guests, its chain and their words included."""

_CHALLENGE: Final = tables.challenge.c
_MESSAGE: Final = tables.outbox_message.c
_GUEST: Final = tables.guest.c
_PERSON: Final = tables.person.c
_CHALLENGER: Final = tables.person.alias("challenger")
_WITH_PLAYERS: Final = (
    select(
        *select_columns(Challenge, tables.challenge),
        _CHALLENGE.challenger_id,
        _CHALLENGER.c.name.label("challenger_name"),
        _CHALLENGER.c.username.label("challenger_username"),
        _GUEST.joined,
        _GUEST.pinged,
        _GUEST.person_id,
        _PERSON.name.label("person_name"),
        _PERSON.username.label("person_username"),
        exists().where(tables.chain.c.challenge_id == _CHALLENGE.id).label("committed"),
    )
    .select_from(
        tables.challenge.outerjoin(tables.guest)
        .outerjoin(tables.person, _PERSON.id == _GUEST.person_id)
        .outerjoin(_CHALLENGER, _CHALLENGER.c.id == _CHALLENGE.challenger_id)
    )
    .order_by(_CHALLENGE.id, _GUEST.number)
)


async def load(transaction: Transaction, challenge_id: ChallengeId) -> Challenge | None:
    """Return a challenge; None if there is none with this id."""
    found = await _challenges(transaction, _CHALLENGE.id == challenge_id)
    return found[0] if found else None


async def by_interaction(transaction: Transaction, interaction_id: InteractionId) -> Challenge | None:
    """Return the challenge that an interaction made."""
    found = await _challenges(transaction, _CHALLENGE.interaction_id == interaction_id)
    return found[0] if found else None


async def pending_from(transaction: Transaction, challenger_id: PersonId) -> tuple[Challenge, ...]:
    """Return a person's own pending challenges, oldest first."""
    return await _pending(transaction, _CHALLENGE.challenger_id == challenger_id)


async def pending_in(transaction: Transaction, guild_id: GuildId) -> tuple[Challenge, ...]:
    """Return the pending challenges of a server, oldest first."""
    return await _pending(transaction, _CHALLENGE.guild_id == guild_id)


async def naming(
    transaction: Transaction,
    guild_id: GuildId,
    challenger_ids: Collection[PersonId],
    person_id: PersonId,
    at: datetime,
) -> tuple[Challenge, ...]:
    """Return the challenges of some people that name a person on a server and have not expired, oldest first."""
    return await _pending(
        transaction,
        _CHALLENGE.guild_id == guild_id,
        _CHALLENGE.challenger_id.in_(challenger_ids),
        _CHALLENGE.expires_at > at,
        _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(false())),
    )


async def joined_by(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return the pending challenges of others that a person has joined, oldest first."""
    return await _pending(transaction, _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(true())))


async def concerning(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return every challenge from or to a person, closed ones included, oldest first."""
    return await _challenges(
        transaction, or_(_CHALLENGE.challenger_id == person_id, _has_guest(_GUEST.person_id == person_id))
    )


async def overdue(transaction: Transaction, at: datetime, most: int) -> tuple[Challenge, ...]:
    """Return pending challenges that have expired, at most `most`."""
    expired = select(_CHALLENGE.id).where(
        tables.IS_OPEN_CHALLENGE, _CHALLENGE.expires_at <= at, _CHALLENGE.status == ChallengeStatus.PENDING
    )
    return await _challenges(transaction, _CHALLENGE.id.in_(expired.limit(most)))


async def create(
    transaction: Transaction, values: dict[str, Any], named: Sequence[PersonId] = ()
) -> ChallengeId | None:
    """Create a challenge from its columns, with places for these people, and return its id.

    Return None if its interaction has already made one.
    """
    row = upsert(transaction.dialect.name, tables.challenge).values(**values, revision=1)
    row = row.on_conflict_do_nothing(index_elements=["interaction_id"]).returning(_CHALLENGE.id)
    challenge_id: ChallengeId | None = (await transaction.execute(row)).scalar()
    if challenge_id is not None:
        for person_id in named:
            await save_guest(transaction, challenge_id, person_id, joined=False)
    return challenge_id


async def save_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId, *, joined: bool) -> None:
    """Keep a place for someone, or let them join. Either way they come last in the order."""
    last = select(func.coalesce(func.max(_GUEST.number), 0)).where(_GUEST.challenge_id == challenge_id)
    key = {"challenge_id": challenge_id, "person_id": person_id}
    await save(transaction, tables.guest, key, {"number": last.scalar_subquery() + 1, "joined": joined})


async def set_pinged(transaction: Transaction, challenge_id: ChallengeId, pinged: Collection[PersonId]) -> None:
    """Save whom of its guests a new post of a challenge notifies."""
    guests = update(tables.guest).where(_GUEST.challenge_id == challenge_id)
    await transaction.execute(guests.values(pinged=_GUEST.person_id.in_(pinged)))


async def remove_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId) -> None:
    """Remove someone from a challenge."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.person_id == person_id)
    await transaction.execute(row)


async def remove_absent_guests(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Remove everyone from a challenge who has not joined."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.joined.is_(false()))
    await transaction.execute(row)


async def revise(transaction: Transaction, challenge: Challenge, **values: object) -> bool:
    """Change columns of a challenge and count a revision.

    Return False if it is no longer at the revision given; the transaction must then be rolled back.
    """
    changed = update(tables.challenge).where(_CHALLENGE.id == challenge.id, _CHALLENGE.revision == challenge.revision)
    result = await transaction.execute(changed.values(revision=challenge.revision + 1, **values))
    return result.rowcount == 1


async def remove(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Remove a challenge."""
    await transaction.execute(delete(tables.challenge).where(_CHALLENGE.id == challenge_id))


async def remove_drafts(transaction: Transaction, challenger_id: PersonId) -> None:
    """Remove a person's drafts."""
    row = delete(tables.challenge).where(tables.IS_DRAFT, _CHALLENGE.challenger_id == challenger_id)
    await transaction.execute(row)


def expired_drafts(at: datetime) -> Leftovers:
    """Return the drafts that have expired."""
    is_draft = _CHALLENGE.status == ChallengeStatus.DRAFT
    return Leftovers(
        tables.challenge, (tables.IS_OPEN_CHALLENGE, is_draft, _CHALLENGE.expires_at <= at), MAX_ROWS // MAX_ROWS_OF_ONE
    )


def messages_of_old(at: datetime) -> Leftovers:
    """Return the messages, in the outbox, of challenges that were closed long ago."""
    of_them = _MESSAGE.subject_id.in_(select(_CHALLENGE.id).where(*_old(at)))
    return Leftovers(tables.outbox_message, (_MESSAGE.kind == MessageKind.CHALLENGE, of_them))


def old(at: datetime) -> Leftovers:
    """Return the challenges that were closed long ago."""
    return Leftovers(tables.challenge, _old(at), MAX_ROWS // MAX_ROWS_OF_ONE)


def _old(at: datetime) -> tuple[ColumnElement[bool], ...]:
    is_closed = _CHALLENGE.status.not_in((ChallengeStatus.DRAFT, ChallengeStatus.PENDING))
    return is_closed, _CHALLENGE.expires_at <= at - KEPT_FOR


def _has_guest(*where: ColumnElement[bool]) -> ColumnElement[bool]:
    return _CHALLENGE.id.in_(select(_GUEST.challenge_id).where(*where))


async def _pending(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[Challenge, ...]:
    return await _challenges(transaction, tables.IS_PENDING, *where)


async def _challenges(transaction: Transaction, *where: ColumnElement[bool] | TextClause) -> tuple[Challenge, ...]:
    """Return challenges from a query with one row for each of their guests."""
    rows = (await transaction.execute(_WITH_PLAYERS.where(*where))).mappings().all()
    return tuple(_challenge(list(guests)) for _, guests in groupby(rows, key=lambda row: row["id"]))


def _challenge(rows: Sequence[RowMapping]) -> Challenge:
    challenger = _player(rows[0], "challenger_")
    joined = [_player(row, "person_") for row in rows if row["joined"] is True]
    invited = tuple(_player(row, "person_") for row in rows if row["joined"] is False)
    pinged = tuple(row["person_id"] for row in rows if row["joined"] is False and row["pinged"] is True)
    there = challenger, *joined, *computers(rows[0]["computers"])
    players, named = told_apart(there, invited), told_apart(invited, there)
    committed = bool(rows[0]["committed"])
    return read_row(Challenge, rows[0], players=players, named=named, pinged=pinged, committed=committed)


def _player(row: RowMapping, prefix: str) -> Player:
    return read_row(Player, row, prefix, computer=None, ambiguous=False)
