"""Commitments: the chain of server seeds that is fixed before a match begins, and the first player seeds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from unicodedata import category

from bot.engine.actions import PlayerSeed
from bot.engine.fair import HOUSE, MOST_WORDS, NOT_POSTED, Chain, player_seed
from bot.engine.moves import Seat
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.outbox.changes import enqueue_commitment
from bot.play.refusals import UnfitWords, WordsProblem
from bot.store import chains, player_words
from bot.store.chains import ChainRow
from bot.store.player_words import WordsRow
from bot.values.fairness import Fairness, GivenWords
from bot.values.ids import GuildId, MatchId, PersonId
from bot.values.statistics import Player

UNUSED_FOR: Final = timedelta(days=1)
"""Time after which a commitment is deleted if its match has not begun."""

_UNREADABLE: Final = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters, surrogates and line ends."""


async def draw_chain() -> Chain:
    """Return a new chain, computed in a thread. Call this before a transaction: it takes long."""
    return await asyncio.to_thread(Chain.draw)


async def commit(unit: UnitOfWork, chain: Chain, guild_id: GuildId | None, **invitation: int) -> ChainRow:
    """Save the chain of an invitation, and post its commitment. The keyword is the invitation's id column."""
    row = await chains.create(unit.transaction, chain, unit.now, **invitation)
    await enqueue_commitment(unit, row.id, guild_id)
    return row


def read_words(text: str) -> str:
    """Return a player's words without surrounding whitespace. Raise `UnfitWords`."""
    words = text.strip()
    if not words:
        raise UnfitWords(WordsProblem.EMPTY)
    if len(words) > MOST_WORDS:
        raise UnfitWords(WordsProblem.TOO_LONG)
    if any(category(character) in _UNREADABLE for character in words):
        raise UnfitWords(WordsProblem.UNREADABLE)
    return words


async def save_first_words(unit: UnitOfWork, chain: ChainRow, person_id: PersonId, words: str) -> GivenWords:
    """Replace a player's words in a match that has not begun."""
    await player_words.remove(unit.transaction, chain.id, person_id)
    row = WordsRow(person_id, words, None, early=not chain.posted, given_at=unit.now)
    await player_words.add(unit.transaction, chain.id, row)
    return given(row)


async def begin(
    unit: UnitOfWork, chain: ChainRow, match_id: MatchId, players: Sequence[Player]
) -> tuple[PlayerSeed, ...]:
    """Assign a chain to its match, and return the first seed of each seat. `players` are in the order of seats."""
    await chains.begin(unit.transaction, chain.id, match_id)
    people = [player.id for player in players if player.id is not None]
    await player_words.remove_others(unit.transaction, chain.id, people)
    words = {row.person_id: row.text for row in await player_words.of_chain(unit.transaction, chain.id)}

    def seed_text(player: Player) -> str:
        if player.id is None:
            return HOUSE
        return words.get(player.id, default_text(chain))

    return tuple(PlayerSeed(Seat(seat), player_seed(seed_text(player))) for seat, player in enumerate(players))


def default_text(chain: ChainRow) -> str:
    """Return the seed text of a player without words of their own."""
    return NOT_POSTED if chain.message_id is None else str(chain.message_id)


def fairness_of(chain: ChainRow | None) -> Fairness:
    """Return how verifiable a match is that begins now."""
    if chain is None:
        return Fairness.NONE
    return Fairness.VERIFIABLE if chain.posted else Fairness.UNPOSTED


def given(row: WordsRow) -> GivenWords:
    """Return the public part of a row."""
    return GivenWords(row.text, row.counts_from, row.early)
