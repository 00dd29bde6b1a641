"""Queries about chains of server seeds: their owners, their posted commitments and their secret values."""

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
    """A chain without its secret values. See `tables.chain`."""

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
        """True if the commitment was posted."""
        return self.posted_at is not None


_COLUMNS: Final = select_columns(ChainRow, tables.chain)
_ROW: Final = select(*_COLUMNS)


async def create(transaction: Transaction, chain: Chain, at: datetime, **owner: int) -> ChainRow:
    """Save and return a new chain. `owner` is one column that names its invitation, such as `challenge_id`."""
    values = {"commitment": chain.commitment, "checkpoints": b"".join(chain.checkpoints), "created_at": at, **owner}
    row = insert(tables.chain).values(values).returning(*_COLUMNS)
    return read_row(ChainRow, (await transaction.execute(row)).mappings().one())


async def load(transaction: Transaction, chain_id: ChainId) -> ChainRow | None:
    return await _find(transaction, _CHAIN.id == chain_id)


async def of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> ChainRow | None:
    """Return the chain of a challenge. None once its match has begun."""
    return await _find(transaction, _CHAIN.challenge_id == challenge_id)


async def of_rematch(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    """Return the chain for the rematch of a match. None once the rematch has begun."""
    return await _find(transaction, _CHAIN.rematch_of == match_id)


async def of_practice(transaction: Transaction, person_id: PersonId) -> ChainRow | None:
    """Return the chain for a person's next practice match."""
    return await _find(transaction, _CHAIN.person_id == person_id)


async def of_match(transaction: Transaction, match_id: MatchId) -> ChainRow | None:
    return await _find(transaction, _CHAIN.match_id == match_id)


async def secrets(transaction: Transaction, match_id: MatchId) -> Chain | None:
    """Return the chain of a match with its secret values. None if it has no chain or is over."""
    query = select(_CHAIN.checkpoints).where(_CHAIN.match_id == match_id)
    values: bytes | None = (await transaction.execute(query)).scalar()
    if values is None:
        return None
    return Chain(tuple(values[start : start + SEED_BYTES] for start in range(0, len(values), SEED_BYTES)))


async def begin(transaction: Transaction, chain_id: ChainId, match_id: MatchId) -> None:
    """Transfer a chain from its invitation to the match that has begun."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(match_id=match_id, challenge_id=None, rematch_of=None, person_id=None))


async def end(transaction: Transaction, match_id: MatchId) -> None:
    """Delete the secret values of a match that is over. The seeds that it used are in its log."""
    await transaction.execute(update(tables.chain).where(_CHAIN.match_id == match_id).values(checkpoints=None))


async def save_posted(transaction: Transaction, chain_id: ChainId, posted: Posted, at: datetime) -> None:
    """Save the message and time of a posted commitment."""
    row = update(tables.chain).where(_CHAIN.id == chain_id)
    await transaction.execute(row.values(**columns_of(posted), posted_at=at))


async def in_use(transaction: Transaction) -> tuple[tuple[MatchId, ...], tuple[ChallengeId, ...]]:
    """Return the running matches and the open challenges that have chains, oldest first."""
    query = select(_CHAIN.match_id, _CHAIN.challenge_id).where(_CHAIN.checkpoints.is_not(None)).order_by(_CHAIN.id)
    rows = (await transaction.execute(query)).all()
    matches = tuple(row.match_id for row in rows if row.match_id is not None)
    return matches, tuple(row.challenge_id for row in rows if row.challenge_id is not None)


async def remove_all_unused(transaction: Transaction) -> None:
    """Delete all chains that do not belong to a match yet."""
    await transaction.execute(delete(tables.chain).where(tables.IS_UNUSED))


async def remove_of_challenge(transaction: Transaction, challenge_id: ChallengeId) -> None:
    """Delete the chain of a challenge that did not lead to a match, and its outbox message."""
    own = _CHAIN.challenge_id == challenge_id
    await transaction.execute(delete(tables.outbox_message).where(*_message_of(own)))
    await transaction.execute(delete(tables.chain).where(own))


def messages_of_unused(until: datetime) -> Leftovers:
    """Select for removal the outbox messages of the chains of `unused`."""
    return Leftovers(tables.outbox_message, _message_of(*_unused(until)))


def unused(until: datetime) -> Leftovers:
    """Select for removal the chains, created up to a time, for expired rematch offers and for practice."""
    return Leftovers(tables.chain, _unused(until))


def _unused(until: datetime) -> tuple[Condition, ...]:
    over = select(_MATCH.id).where(_MATCH.id == _CHAIN.rematch_of, _MATCH.moved_at <= until)
    is_for_nothing = _CHAIN.person_id.is_not(None) | over.exists()
    return tables.IS_UNUSED, _CHAIN.created_at <= until, _CHAIN.challenge_id.is_(None), is_for_nothing


def _message_of(*chains: Condition) -> tuple[Condition, ...]:
    """Return the conditions for the outbox messages with the commitments of these chains."""
    message = tables.outbox_message.c
    return message.kind == MessageKind.COMMITMENT, message.subject_id.in_(select(_CHAIN.id).where(*chains))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete a person's chains of matches that have not begun, and all links to their direct messages."""
    played = select(_SEAT.match_id).where(_SEAT.person_id == person_id)
    practised = select(_MATCH.id).where(_MATCH.id.in_(played), _MATCH.kind == MatchKind.PRACTICE)
    # Use three queries, because each of them has an index.
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
