"""Queries about challenges and their guests."""

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
"""Retention of a closed challenge, counted from its expiry time."""
MAX_ROWS_OF_ONE: Final = 20
"""Maximum number of rows of one challenge, including its guests, its chain and its players' words."""

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
    found = await _challenges(transaction, _CHALLENGE.id == challenge_id)
    return found[0] if found else None


async def by_interaction(transaction: Transaction, interaction_id: InteractionId) -> Challenge | None:
    """Return the challenge that an interaction created."""
    found = await _challenges(transaction, _CHALLENGE.interaction_id == interaction_id)
    return found[0] if found else None


async def pending_from(transaction: Transaction, challenger_id: PersonId) -> tuple[Challenge, ...]:
    """Return the pending challenges created by a person, oldest first."""
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
    """Return these challengers' unexpired challenges on a server that name a person who has not joined.

    The oldest is first.
    """
    return await _pending(
        transaction,
        _CHALLENGE.guild_id == guild_id,
        _CHALLENGE.challenger_id.in_(challenger_ids),
        _CHALLENGE.expires_at > at,
        _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(false())),
    )


async def joined_by(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return the pending challenges that a person has joined, without those they created, oldest first."""
    return await _pending(transaction, _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(true())))


async def concerning(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return every challenge from or to a person, including closed ones, oldest first."""
    return await _challenges(
        transaction, or_(_CHALLENGE.challenger_id == person_id, _has_guest(_GUEST.person_id == person_id))
    )


async def overdue(transaction: Transaction, at: datetime, most: int) -> tuple[Challenge, ...]:
    """Return up to `most` pending challenges that have expired."""
    expired = select(_CHALLENGE.id).where(
        tables.IS_OPEN_CHALLENGE, _CHALLENGE.expires_at <= at, _CHALLENGE.status == ChallengeStatus.PENDING
    )
    return await _challenges(transaction, _CHALLENGE.id.in_(expired.limit(most)))


async def create(
    transaction: Transaction, values: dict[str, Any], named: Sequence[PersonId] = ()
) -> ChallengeId | None:
    """Insert a challenge with these column values, reserve a place for each named person, and return its id.

    Return None if the interaction already created one.
    """
    row = upsert(transaction.dialect.name, tables.challenge).values(**values, revision=1)
    row = row.on_conflict_do_nothing(index_elements=["interaction_id"]).returning(_CHALLENGE.id)
    challenge_id: ChallengeId | None = (await transaction.execute(row)).scalar()
    if challenge_id is not None:
        for person_id in named:
            await save_guest(transaction, challenge_id, person_id, joined=False)
    return challenge_id


async def save_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId, *, joined: bool) -> None:
    """Reserve a place for a person, or let them join. Either way they move to the end of the list."""
    last = select(func.coalesce(func.max(_GUEST.number), 0)).where(_GUEST.challenge_id == challenge_id)
    key = {"challenge_id": challenge_id, "person_id": person_id}
    await save(transaction, tables.guest, key, {"number": last.scalar_subquery() + 1, "joined": joined})


async def set_pinged(transaction: Transaction, challenge_id: ChallengeId, pinged: Collection[PersonId]) -> None:
    """Save the guests that the next post of a challenge will ping. All others lose the mark."""
    guests = update(tables.guest).where(_GUEST.challenge_id == challenge_id)
    await transaction.execute(guests.values(pinged=_GUEST.person_id.in_(pinged)))


async def remove_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId) -> None:
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.person_id == person_id)
    await transaction.execute(row)


async def remove_absent_guests(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Remove the guests of a challenge who have not joined."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.joined.is_(false()))
    await transaction.execute(row)


async def revise(transaction: Transaction, challenge: Challenge, **values: object) -> bool:
    """Update columns of a challenge and increment its revision.

    Return False if it has another revision than the one given. The transaction must then be rolled back.
    """
    changed = update(tables.challenge).where(_CHALLENGE.id == challenge.id, _CHALLENGE.revision == challenge.revision)
    result = await transaction.execute(changed.values(revision=challenge.revision + 1, **values))
    return result.rowcount == 1


async def remove(transaction: Transaction, challenge_id: ChallengeId) -> None:
    await transaction.execute(delete(tables.challenge).where(_CHALLENGE.id == challenge_id))


async def remove_drafts(transaction: Transaction, challenger_id: PersonId) -> None:
    row = delete(tables.challenge).where(tables.IS_DRAFT, _CHALLENGE.challenger_id == challenger_id)
    await transaction.execute(row)


def expired_drafts(at: datetime) -> Leftovers:
    """Select expired drafts for removal."""
    is_draft = _CHALLENGE.status == ChallengeStatus.DRAFT
    return Leftovers(
        tables.challenge, (tables.IS_OPEN_CHALLENGE, is_draft, _CHALLENGE.expires_at <= at), MAX_ROWS // MAX_ROWS_OF_ONE
    )


def messages_of_old(at: datetime) -> Leftovers:
    """Select for removal the outbox messages of challenges that closed more than `KEPT_FOR` ago."""
    of_them = _MESSAGE.subject_id.in_(select(_CHALLENGE.id).where(*_old(at)))
    return Leftovers(tables.outbox_message, (_MESSAGE.kind == MessageKind.CHALLENGE, of_them))


def old(at: datetime) -> Leftovers:
    """Select for removal the challenges that closed more than `KEPT_FOR` ago."""
    return Leftovers(tables.challenge, _old(at), MAX_ROWS // MAX_ROWS_OF_ONE)


def _old(at: datetime) -> tuple[ColumnElement[bool], ...]:
    is_closed = _CHALLENGE.status.not_in((ChallengeStatus.DRAFT, ChallengeStatus.PENDING))
    return is_closed, _CHALLENGE.expires_at <= at - KEPT_FOR


def _has_guest(*where: ColumnElement[bool]) -> ColumnElement[bool]:
    return _CHALLENGE.id.in_(select(_GUEST.challenge_id).where(*where))


async def _pending(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[Challenge, ...]:
    return await _challenges(transaction, tables.IS_PENDING, *where)


async def _challenges(transaction: Transaction, *where: ColumnElement[bool] | TextClause) -> tuple[Challenge, ...]:
    # The query has one row for each guest.
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
