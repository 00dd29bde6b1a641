"""Queries about chains of server seeds: whose they are, where their commitments are posted, and their secret values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, insert, select, update

from bot.engine.fair import SEED_BYTES, Chain
from bot.store import tables
from bot.store.removal import Condition, Leftovers
from bot.store.rows import columns_of, read_row, select_columns
from bot.store.transaction import Transaction
from bot.values.ids import ChainId, ChallengeId, ChannelId, MatchId, MessageId, PersonId
from bot.values.matches import MatchKind
from bot.values.outbox import MessageKind, Posted

_CHAIN: Final = tables.chain.c
_MATCH: Final = tables.match.c
_SEAT: Final = tables.seat.c


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A chain without its secret values; see `tables.chain`."""

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
    def posted(self) -> bool:
        """True if its commitment was posted."""
        return self.posted_at is not None


_COLUMNS: Final = select_columns(ChainRow, tables.chain)
_ROW: Final = select(*_COLUMNS)


async def create(transaction: Transaction, chain: Chain, at: datetime, **owner: int) -> ChainRow:
    """Save a new chain of an invitation, which is named by the column of its id, and return it."""
    values = {"commitment": chain.commitment, "checkpoints": b"".join(chain.checkpoints), "created_at": at, **owner}
    row = insert(tables.chain).values(values).returning(*_COLUMNS)
    return read_row(ChainRow, (await transaction.execute(row)).mappings().one())


async def load(transaction: Transaction, chain_id: ChainId) -> ChainRow | None:
    """Return a chain."""
    return await _find(transaction, _CHAIN.id == chain_id)


async def of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> ChainRow | None:
    """Return the chain of a challenge that has not led to a match."""
    return await _find(transaction, _CHAIN.challenge_id == challenge_id)


async def of_rematch(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    """Return the chain for the rematch of a match, as long as that has not begun."""
    return await _find(transaction, _CHAIN.rematch_of == match_id)


async def of_practice(transaction: Transaction, person_id: PersonId) -> ChainRow | None:
    """Return the chain for the practice that a person begins next."""
    return await _find(transaction, _CHAIN.person_id == person_id)


async def of_match(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    """Return the chain of a match."""
    return await _find(transaction, _CHAIN.match_id == match_id)


async def secrets(transaction: Transaction, match_id: MatchId) -> Chain | None:
    """Return the chain of a match with its secret values; None if it has none, or is over."""
    query = select(_CHAIN.checkpoints).where(_CHAIN.match_id == match_id)
    values: bytes | None = (await transaction.execute(query)).scalar()
    if values is None:
        return None
    return Chain(tuple(values[start : start + SEED_BYTES] for start in range(0, len(values), SEED_BYTES)))


async def begin(transaction: Transaction, chain_id: ChainId, match_id: MatchId) -> None:
    """Let a chain belong to the match that has begun, and no longer to its invitation."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(match_id=match_id, challenge_id=None, rematch_of=None, person_id=None))


async def end(transaction: Transaction, match_id: MatchId) -> None:
    """Drop the secret values of a match that is over: those it used stand in its log."""
    await transaction.execute(update(tables.chain).where(_CHAIN.match_id == match_id).values(checkpoints=None))


async def save_posted(transaction: Transaction, chain_id: ChainId, posted: Posted, at: datetime) -> None:
    """Save where the commitment of a chain was posted, and when."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(**columns_of(posted), posted_at=at))


async def in_use(transaction: Transaction) -> tuple[tuple[MatchId, ...], tuple[ChallengeId, ...]]:
    """Return the running matches and the open challenges that have chains, the oldest first."""
    query = select(_CHAIN.match_id, _CHAIN.challenge_id).where(_CHAIN.checkpoints.is_not(None)).order_by(_CHAIN.id)
    rows = (await transaction.execute(query)).all()
    matches = tuple(row.match_id for row in rows if row.match_id is not None)
    return matches, tuple(row.challenge_id for row in rows if row.challenge_id is not None)


async def remove_all_unused(transaction: Transaction) -> None:
    """Remove all chains of matches that have not begun."""
    await transaction.execute(delete(tables.chain).where(tables.IS_UNUSED))


async def remove_of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Remove the chain of a challenge that led to no match, and its message from the outbox."""
    own = _CHAIN.challenge_id == challenge_id
    await transaction.execute(delete(tables.outbox_message).where(*_message_of(own)))
    await transaction.execute(delete(tables.chain).where(own))


def messages_of_unused(until: datetime) -> Leftovers:
    """Return the messages, in the outbox, of the chains of `unused`."""
    return Leftovers(tables.outbox_message, _message_of(*_unused(until)))


def unused(until: datetime) -> Leftovers:
    """Return chains made up to a moment for rematches that nobody can agree to any more, and for practice."""
    return Leftovers(tables.chain, _unused(until))


def _unused(until: datetime) -> tuple[Condition, ...]:
    over = select(_MATCH.id).where(_MATCH.id == _CHAIN.rematch_of, _MATCH.moved_at <= until)
    is_for_nothing = _CHAIN.person_id.is_not(None) | over.exists()
    return tables.IS_UNUSED, _CHAIN.created_at <= until, _CHAIN.challenge_id.is_(None), is_for_nothing


def _message_of(*chains: Condition) -> tuple[Condition, ...]:
    """Return the conditions for the messages that show the commitments of some chains."""
    message = tables.outbox_message.c
    return message.kind == MessageKind.COMMITMENT, message.subject_id.in_(select(_CHAIN.id).where(*chains))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Remove the chains for matches that a person does not begin now, and all that leads to their direct messages."""
    played = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    practised = select(_MATCH.id).where(_MATCH.id.in_(played), _MATCH.kind == MatchKind.PRACTICE)
    # Three queries, each of which has an index.
    not_begun = (_CHAIN.person_id == person_id, _CHAIN.rematch_of.in_(played))
    used = _CHAIN.match_id.in_(practised)
    for of_them in (*not_begun, used):
        await transaction.execute(delete(tables.outbox_message).where(*_message_of(of_them)))
    for of_them in not_begun:
        await transaction.execute(delete(tables.chain).where(of_them))
    await transaction.execute(update(tables.chain).where(used).values(channel_id=None, message_id=None))


async def _find(transaction: Transaction, where: ColumnElement[bool]) -> ChainRow | None:
    row: Any = (await transaction.execute(_ROW.where(where))).mappings().first()
    return None if row is None else read_row(ChainRow, row)
