"""Queries about challenges and their guests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, TextClause, delete, exists, false, func, or_, select, true, update

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import ChallengeId, GuildId, InteractionId, PersonId
from bot.model.namesakes import with_ambiguity
from bot.model.outbox import MessageKind
from bot.model.statistics import Player, computers
from bot.store import tables
from bot.store.removal import MAX_ROWS, StaleRows
from bot.store.rows import read_row, save, select_columns, upsert
from bot.store.transaction import Transaction

RETENTION: Final = timedelta(days=30)
"""Retention period of a closed challenge, counted from its expiry time."""
MAX_ROWS_PER_CHALLENGE: Final = 20
"""Maximum number of database rows for one challenge, including its guests, hash chain and shuffle words."""

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
        _CHALLENGER.c.avatar.label("challenger_avatar"),
        _GUEST.joined,
        _GUEST.pinged,
        _GUEST.person_id,
        _PERSON.name.label("person_name"),
        _PERSON.username.label("person_username"),
        _PERSON.avatar.label("person_avatar"),
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
    challenges = await _challenges(transaction, _CHALLENGE.id == challenge_id)
    return challenges[0] if challenges else None


async def by_interaction(transaction: Transaction, interaction_id: InteractionId) -> Challenge | None:
    """Return the challenge that an interaction created."""
    challenges = await _challenges(transaction, _CHALLENGE.interaction_id == interaction_id)
    return challenges[0] if challenges else None


async def pending_from(transaction: Transaction, challenger_id: PersonId) -> tuple[Challenge, ...]:
    """Return the pending challenges created by a person, oldest first."""
    return await _pending(transaction, _CHALLENGE.challenger_id == challenger_id)


async def pending_in(transaction: Transaction, guild_id: GuildId) -> tuple[Challenge, ...]:
    """Return the pending challenges of a server, oldest first."""
    return await _pending(transaction, _CHALLENGE.guild_id == guild_id)


async def unexpired_naming(
    transaction: Transaction,
    guild_id: GuildId,
    challenger_ids: Collection[PersonId],
    person_id: PersonId,
    at: datetime,
) -> tuple[Challenge, ...]:
    """Return unexpired challenges on a server from these challengers to a person who has not joined, oldest first."""
    return await _pending(
        transaction,
        _CHALLENGE.guild_id == guild_id,
        _CHALLENGE.challenger_id.in_(challenger_ids),
        _CHALLENGE.expires_at > at,
        _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(false())),
    )


async def joined_by(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return the pending challenges of other people that a person has joined, oldest first."""
    return await _pending(transaction, _has_guest(_GUEST.person_id == person_id, _GUEST.joined.is_(true())))


async def involving(transaction: Transaction, person_id: PersonId) -> tuple[Challenge, ...]:
    """Return every challenge from or to a person, including closed ones, oldest first."""
    return await _challenges(
        transaction, or_(_CHALLENGE.challenger_id == person_id, _has_guest(_GUEST.person_id == person_id))
    )


async def expired(transaction: Transaction, at: datetime, limit: int) -> tuple[Challenge, ...]:
    """Return up to `limit` pending challenges that have expired."""
    expired_ids = select(_CHALLENGE.id).where(
        tables.IS_OPEN_CHALLENGE, _CHALLENGE.expires_at <= at, _CHALLENGE.status == ChallengeStatus.PENDING
    )
    return await _challenges(transaction, _CHALLENGE.id.in_(expired_ids.limit(limit)))


async def create(
    transaction: Transaction, values: dict[str, Any], invited_ids: Sequence[PersonId] = ()
) -> ChallengeId | None:
    """Insert a challenge with these column values, reserve a place for each named person, and return its id.

    Return None if the same interaction has already created a challenge.
    """
    insertion = upsert(transaction.dialect.name, tables.challenge).values(**values, revision=1)
    insertion = insertion.on_conflict_do_nothing(index_elements=["interaction_id"]).returning(_CHALLENGE.id)
    challenge_id: ChallengeId | None = (await transaction.execute(insertion)).scalar()
    if challenge_id is not None:
        for person_id in invited_ids:
            await save_guest(transaction, challenge_id, person_id, joined=False)
    return challenge_id


async def save_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId, *, joined: bool) -> None:
    """Reserve a place in a challenge for a person, or let them join it. Either way, they become the last guest."""
    last_number = select(func.coalesce(func.max(_GUEST.number), 0)).where(_GUEST.challenge_id == challenge_id)
    key = {"challenge_id": challenge_id, "person_id": person_id}
    await save(transaction, tables.guest, key, {"number": last_number.scalar_subquery() + 1, "joined": joined})


async def set_pinged(transaction: Transaction, challenge_id: ChallengeId, pinged_ids: Collection[PersonId]) -> None:
    """Make the next post of a challenge ping these guests, and no others."""
    guests = update(tables.guest).where(_GUEST.challenge_id == challenge_id)
    await transaction.execute(guests.values(pinged=_GUEST.person_id.in_(pinged_ids)))


async def remove_guest(transaction: Transaction, challenge_id: ChallengeId, person_id: PersonId) -> None:
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.person_id == person_id)
    await transaction.execute(row)


async def remove_absent_guests(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Remove the guests of a challenge who have not joined."""
    row = delete(tables.guest).where(_GUEST.challenge_id == challenge_id, _GUEST.joined.is_(false()))
    await transaction.execute(row)


async def revise(transaction: Transaction, challenge: Challenge, **values: object) -> bool:
    """Update columns of a challenge and increment its revision.

    Return False if the saved revision is not `challenge.revision`. The transaction must then be rolled back.
    """
    statement = update(tables.challenge).where(_CHALLENGE.id == challenge.id, _CHALLENGE.revision == challenge.revision)
    result = await transaction.execute(statement.values(revision=challenge.revision + 1, **values))
    return result.rowcount == 1


async def remove(transaction: Transaction, challenge_id: ChallengeId) -> None:
    await transaction.execute(delete(tables.challenge).where(_CHALLENGE.id == challenge_id))


async def remove_drafts(transaction: Transaction, challenger_id: PersonId) -> None:
    row = delete(tables.challenge).where(tables.IS_DRAFT, _CHALLENGE.challenger_id == challenger_id)
    await transaction.execute(row)


def expired_drafts(at: datetime) -> StaleRows:
    """Select for removal the drafts of challenges that have expired."""
    is_draft = _CHALLENGE.status == ChallengeStatus.DRAFT
    return StaleRows(
        tables.challenge,
        (tables.IS_OPEN_CHALLENGE, is_draft, _CHALLENGE.expires_at <= at),
        MAX_ROWS // MAX_ROWS_PER_CHALLENGE,
    )


def messages_of_old_closed(at: datetime) -> StaleRows:
    """Select for removal the outbox messages of challenges that closed more than `RETENTION` ago."""
    is_of_old_challenge = _MESSAGE.subject_id.in_(select(_CHALLENGE.id).where(*_old(at)))
    return StaleRows(tables.outbox_message, (_MESSAGE.kind == MessageKind.CHALLENGE, is_of_old_challenge))


def old_closed(at: datetime) -> StaleRows:
    """Select for removal the challenges that closed more than `RETENTION` ago."""
    return StaleRows(tables.challenge, _old(at), MAX_ROWS // MAX_ROWS_PER_CHALLENGE)


def _old(at: datetime) -> tuple[ColumnElement[bool], ...]:
    is_closed = _CHALLENGE.status.not_in((ChallengeStatus.DRAFT, ChallengeStatus.PENDING))
    return is_closed, _CHALLENGE.expires_at <= at - RETENTION


def _has_guest(*where: ColumnElement[bool]) -> ColumnElement[bool]:
    return _CHALLENGE.id.in_(select(_GUEST.challenge_id).where(*where))


async def _pending(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[Challenge, ...]:
    return await _challenges(transaction, tables.IS_PENDING, *where)


async def _challenges(transaction: Transaction, *where: ColumnElement[bool] | TextClause) -> tuple[Challenge, ...]:
    # The query returns one row for each guest, so group the rows by challenge.
    rows = (await transaction.execute(_WITH_PLAYERS.where(*where))).mappings().all()
    return tuple(_challenge(list(guests)) for _, guests in groupby(rows, key=lambda row: row["id"]))


def _challenge(rows: Sequence[RowMapping]) -> Challenge:
    challenger = _player(rows[0], "challenger_")
    joined = [_player(row, "person_") for row in rows if row["joined"] is True]
    invited = tuple(_player(row, "person_") for row in rows if row["joined"] is False)
    pinged = tuple(row["person_id"] for row in rows if row["joined"] is False and row["pinged"] is True)
    seated = challenger, *joined, *computers(rows[0]["computers"])
    players, named = with_ambiguity(seated, invited), with_ambiguity(invited, seated)
    committed = bool(rows[0]["committed"])
    return read_row(Challenge, rows[0], players=players, named=named, pinged=pinged, committed=committed)


def _player(row: RowMapping, prefix: str) -> Player:
    return read_row(Player, row, prefix, computer=None, ambiguous=False)
