"""Queries about invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, insert, or_, select, update

from bot.store import tables
from bot.store.database import Transaction
from bot.store.rows import ChallengeRow, ChallengeStatus

_CHALLENGE: Final = tables.challenge.c
_COLUMNS: Final = (
    _CHALLENGE.id,
    _CHALLENGE.guild_id,
    _CHALLENGE.channel_id,
    _CHALLENGE.challenger_id,
    _CHALLENGE.opponent_id,
    _CHALLENGE.rules,
    _CHALLENGE.status,
    _CHALLENGE.revision,
    _CHALLENGE.created_at,
    _CHALLENGE.expires_at,
    _CHALLENGE.match_id,
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
    """The invitations of a person that wait for an answer, oldest first."""
    return await _pending(transaction, _CHALLENGE.challenger_id == challenger_id)


async def pending_for(transaction: Transaction, person_id: int, guild_id: int) -> tuple[ChallengeRow, ...]:
    """The invitations that a person may answer in a server, oldest first: those to them, then those open to anyone."""
    found = await _pending(
        transaction,
        _CHALLENGE.guild_id == guild_id,
        _CHALLENGE.challenger_id != person_id,
        or_(_CHALLENGE.opponent_id == person_id, _CHALLENGE.opponent_id.is_(None)),
    )
    return tuple(sorted(found, key=lambda row: row.opponent_id is None))


async def concerning(transaction: Transaction, person_id: int) -> tuple[ChallengeRow, ...]:
    """Every invitation from or to a person, settled ones too, oldest first."""
    return await _challenges(
        transaction, or_(_CHALLENGE.challenger_id == person_id, _CHALLENGE.opponent_id == person_id)
    )


async def overdue(transaction: Transaction, at: datetime) -> tuple[ChallengeRow, ...]:
    """The pending invitations whose time is over."""
    return await _pending(transaction, _CHALLENGE.expires_at <= at)


async def create(transaction: Transaction, values: dict[str, Any]) -> int:
    """A new pending invitation from its columns; gives its id."""
    row = insert(tables.challenge).values(**values, status=ChallengeStatus.PENDING, revision=1)
    return (await transaction.execute(row.returning(_CHALLENGE.id))).scalar_one()


async def close(transaction: Transaction, challenge_id: int, status: ChallengeStatus, **values: object) -> bool:
    """Settle a pending invitation; False, and nothing changes, where it is not pending any more."""
    closed = update(tables.challenge).where(_CHALLENGE.id == challenge_id, _CHALLENGE.status == ChallengeStatus.PENDING)
    result = await transaction.execute(closed.values(status=status, revision=_CHALLENGE.revision + 1, **values))
    return result.rowcount == 1


async def _pending(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[ChallengeRow, ...]:
    return await _challenges(transaction, _CHALLENGE.status == ChallengeStatus.PENDING, *where)


async def _challenges(transaction: Transaction, *where: ColumnElement[bool]) -> tuple[ChallengeRow, ...]:
    rows = await transaction.execute(select(*_COLUMNS).where(*where).order_by(_CHALLENGE.id))
    return tuple(map(_row, rows.mappings()))


def _row(row: RowMapping) -> ChallengeRow:
    values: dict[str, Any] = {**row, "status": ChallengeStatus(row["status"])}
    return ChallengeRow(**values)
