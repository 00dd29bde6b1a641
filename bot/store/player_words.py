"""Queries about shuffle words: the players' own texts that are mixed into the shuffles of their matches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, insert, select

from bot.model.ids import ChainId, ChallengeId, MatchId, PersonId
from bot.store import tables
from bot.store.rows import columns_of, read_row, select_columns
from bot.store.transaction import Transaction

_WORDS: Final = tables.player_words.c
_CHAIN: Final = tables.chain.c


@dataclass(frozen=True, slots=True)
class WordsRow:
    """The shuffle words that a person gave at one time. See `tables.player_words`."""

    person_id: PersonId
    text: str
    counts_from: int | None
    early: bool
    given_at: datetime


@dataclass(frozen=True, slots=True)
class OwnWordsRow(WordsRow):
    """A person's shuffle words, with the match or invitation that they are for."""

    match_id: MatchId | None
    challenge_id: ChallengeId | None
    rematch_of: MatchId | None


_OWNERS: Final = (_CHAIN.match_id, _CHAIN.challenge_id, _CHAIN.rematch_of)
_OF_PERSON: Final = select(*select_columns(WordsRow, tables.player_words), *_OWNERS).join(tables.chain)


async def of_chain(transaction: Transaction, chain_id: ChainId) -> tuple[WordsRow, ...]:
    """Return all shuffle words for the match that uses a hash chain, oldest first."""
    query = select(*select_columns(WordsRow, tables.player_words)).where(_WORDS.chain_id == chain_id)
    rows = (await transaction.execute(query.order_by(_WORDS.id))).mappings()
    return tuple(read_row(WordsRow, row) for row in rows)


async def of_person(transaction: Transaction, person_id: PersonId) -> tuple[OwnWordsRow, ...]:
    """Return all shuffle words of a person, oldest first."""
    query = _OF_PERSON.where(_WORDS.person_id == person_id).order_by(_WORDS.id)
    return tuple(read_row(OwnWordsRow, row) for row in (await transaction.execute(query)).mappings())


async def add(transaction: Transaction, chain_id: ChainId, words: WordsRow) -> None:
    await transaction.execute(insert(tables.player_words).values(chain_id=chain_id, **columns_of(words)))


async def remove(transaction: Transaction, chain_id: ChainId, person_id: PersonId) -> None:
    """Delete a person's shuffle words for the match that uses this hash chain."""
    of_chain = _WORDS.chain_id == chain_id
    await transaction.execute(delete(tables.player_words).where(of_chain, _WORDS.person_id == person_id))


async def remove_others(transaction: Transaction, chain_id: ChainId, players: Collection[PersonId]) -> None:
    """Delete the shuffle words for the match that uses this hash chain, except the words of these players."""
    of_chain = _WORDS.chain_id == chain_id
    await transaction.execute(delete(tables.player_words).where(of_chain, _WORDS.person_id.not_in(players)))


async def forget(transaction: Transaction, person_id: PersonId) -> None:
    """Delete all shuffle words of a person."""
    await transaction.execute(delete(tables.player_words).where(_WORDS.person_id == person_id))
