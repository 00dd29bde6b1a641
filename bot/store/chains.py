"""Queries about hash chains of server seeds: each chain's match, commitment and secret values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, bindparam, delete, exists, insert, or_, select, update

from bot.engine.fairness.fair import SEED_BYTES, Chain
from bot.model.ids import ChainId, ChallengeId, ChannelId, MatchId, MessageId, PersonId
from bot.model.matches import MatchKind
from bot.model.outbox import MessageKind, PostedMessage
from bot.store import tables
from bot.store.removal import Condition, StaleRows
from bot.store.rows import columns_of, read_row, select_columns
from bot.store.statements import Statement
from bot.store.transaction import Transaction

_CHAIN: Final = tables.chain.c
_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A hash chain of server seeds, without its secret values. See `tables.chain`."""

    id: ChainId
    challenge_id: ChallengeId | None
    rematch_of: MatchId | None
    person_id: PersonId | None
    match_id: MatchId | None
    commitment: bytes
    channel_id: ChannelId | None
    message_id: MessageId | None
    posted_at: datetime | None

    @property
    def is_posted(self) -> bool:
        """True if a message with the commitment was posted."""
        return self.posted_at is not None


_COLUMNS: Final = select_columns(ChainRow, tables.chain)
_SELECT: Final = select(*_COLUMNS)


def _is_of_match(match_id: MatchId | BindParameter[Any]) -> ColumnElement[bool]:
    """Return the condition for the chain of a match: its own, or that of the deal of its day."""
    deal = tables.daily_deal.c
    of_day = select(deal.chain_id).join(tables.match, _MATCH.day == deal.day).where(_MATCH.id == match_id)
    return or_(_CHAIN.match_id == match_id, _CHAIN.id == of_day.scalar_subquery())


_SECRETS: Final = Statement(lambda _: select(_CHAIN.checkpoints).where(_is_of_match(bindparam("match_id"))))


async def create(transaction: Transaction, chain: Chain, at: datetime, **owner: int) -> ChainRow:
    """Save a new chain and return its row. `owner` is the id of the chain's invitation, such as `challenge_id=7`."""
    values = {"commitment": chain.commitment, "checkpoints": b"".join(chain.checkpoints), "created_at": at, **owner}
    insertion = insert(tables.chain).values(values).returning(*_COLUMNS)
    return read_row(ChainRow, (await transaction.execute(insertion)).mappings().one())


async def load(transaction: Transaction, chain_id: ChainId) -> ChainRow | None:
    return await _find(transaction, _CHAIN.id == chain_id)


async def of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> ChainRow | None:
    """Return the chain for the match of a challenge. None once the match has begun."""
    return await _find(transaction, _CHAIN.challenge_id == challenge_id)


async def of_rematch(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    """Return the chain for the rematch of a match. None once the rematch has begun."""
    return await _find(transaction, _CHAIN.rematch_of == match_id)


async def of_practice(transaction: Transaction, person_id: PersonId) -> ChainRow | None:
    """Return the chain for a person's next practice match."""
    return await _find(transaction, _CHAIN.person_id == person_id)


async def of_match(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    return await _find(transaction, _is_of_match(match_id))


async def secrets(transaction: Transaction, match_id: MatchId) -> Chain | None:
    """Return a match's chain with its secret values. None if the match has no chain or is over."""
    rows = await transaction.fetch(_SECRETS, {"match_id": match_id})
    values: bytes | None = rows[0]["checkpoints"] if rows else None
    if values is None:
        return None
    return Chain(tuple(values[start : start + SEED_BYTES] for start in range(0, len(values), SEED_BYTES)))


async def assign_to_match(transaction: Transaction, chain_id: ChainId, match_id: MatchId) -> None:
    """Transfer a chain from its invitation to the match that began from the invitation."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(match_id=match_id, challenge_id=None, rematch_of=None, person_id=None))


async def delete_secrets(transaction: Transaction, match_id: MatchId) -> None:
    """Delete the secret values of the chain of a match that is over. The used seeds stay in the match's log.

    The chain of a deal of the day keeps them: other people are still playing it.
    """
    await transaction.execute(update(tables.chain).where(_CHAIN.match_id == match_id).values(checkpoints=None))


async def save_posted(transaction: Transaction, chain_id: ChainId, posted: PostedMessage, at: datetime) -> None:
    """Save that a chain's commitment was posted: in which message, and at what time."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(**columns_of(posted), posted_at=at))


async def matches_and_challenges_with_chains(
    transaction: Transaction,
) -> tuple[tuple[MatchId, ...], tuple[ChallengeId, ...]]:
    """Return the running matches and the open challenges that have chains, oldest first."""
    query = select(_CHAIN.match_id, _CHAIN.challenge_id).where(_CHAIN.checkpoints.is_not(None)).order_by(_CHAIN.id)
    rows = (await transaction.execute(query)).all()
    matches = tuple(row.match_id for row in rows if row.match_id is not None)
    return matches, tuple(row.challenge_id for row in rows if row.challenge_id is not None)


async def remove_all_unused(transaction: Transaction) -> None:
    """Delete all chains that do not belong to a match yet, except those of deals of the day."""
    is_of_day = exists().where(tables.daily_deal.c.chain_id == _CHAIN.id)
    await transaction.execute(delete(tables.chain).where(tables.IS_UNUSED, ~is_of_day))


async def remove_of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Delete the chain of a challenge that did not lead to a match, and the outbox message with its commitment."""
    is_own = _CHAIN.challenge_id == challenge_id
    await transaction.execute(delete(tables.outbox_message).where(*_message_of(is_own)))
    await transaction.execute(delete(tables.chain).where(is_own))


def messages_of_unneeded(until: datetime) -> StaleRows:
    """Select for removal the outbox messages of the chains that `unneeded` selects."""
    return StaleRows(tables.outbox_message, _message_of(*_is_unneeded(until)))


def unneeded(until: datetime) -> StaleRows:
    """Select for removal the unused chains created up to `until` for practice or for expired rematch offers."""
    return StaleRows(tables.chain, _is_unneeded(until))


def _is_unneeded(until: datetime) -> tuple[Condition, ...]:
    ended_match = select(_MATCH.id).where(_MATCH.id == _CHAIN.rematch_of, _MATCH.moved_at <= until)
    is_unneeded = _CHAIN.person_id.is_not(None) | ended_match.exists()
    return tables.IS_UNUSED, _CHAIN.created_at <= until, _CHAIN.challenge_id.is_(None), is_unneeded


def _message_of(*chains: Condition) -> tuple[Condition, ...]:
    """Return the conditions for the outbox messages with the commitments of these chains."""
    message = tables.outbox_message.c
    return message.kind == MessageKind.COMMITMENT, message.subject_id.in_(select(_CHAIN.id).where(*chains))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's chains for matches that have not begun, and the ids of direct messages with commitments."""
    match_ids = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    practice_match_ids = select(_MATCH.id).where(_MATCH.id.in_(match_ids), _MATCH.kind == MatchKind.PRACTICE)
    # Run one query for each condition, so that each query can use an index.
    unbegun = (_CHAIN.person_id == person_id, _CHAIN.rematch_of.in_(match_ids))
    is_of_practice = _CHAIN.match_id.in_(practice_match_ids)
    for condition in (*unbegun, is_of_practice):
        await transaction.execute(delete(tables.outbox_message).where(*_message_of(condition)))
    for condition in unbegun:
        await transaction.execute(delete(tables.chain).where(condition))
    await transaction.execute(update(tables.chain).where(is_of_practice).values(channel_id=None, message_id=None))


async def _find(transaction: Transaction, where: ColumnElement[bool]) -> ChainRow | None:
    row: Any = (await transaction.execute(_SELECT.where(where))).mappings().first()
    return None if row is None else read_row(ChainRow, row)
