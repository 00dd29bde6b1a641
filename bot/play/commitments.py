"""Commitments: the hash chain of server seeds that is fixed before a match begins, and each player's first seed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from unicodedata import category

from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import HOUSE_TEXT, MAX_WORDS_LENGTH, NOT_POSTED_TEXT, Chain, player_seed
from bot.engine.matches.actions import PlayerSeed
from bot.model.fairness import Fairness, GivenWords
from bot.model.ids import GuildId, MatchId, PersonId
from bot.model.statistics import Player
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.outbox.changes import enqueue_commitment
from bot.play.refusals import InvalidWords, WordsProblem
from bot.store import chains, player_words
from bot.store.chains import ChainRow
from bot.store.player_words import WordsRow

UNUSED_LIFETIME: Final = timedelta(days=1)
"""Time after which a commitment is deleted if its match has not begun."""

_FORBIDDEN_CATEGORIES: Final = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters, surrogates and line ends."""


async def draw_chain() -> Chain:
    """Return a new hash chain, computed in a thread. Call this before a transaction begins: it takes long."""
    return await asyncio.to_thread(Chain.random)


async def commit(unit: UnitOfWork, chain: Chain, guild_id: GuildId | None, **invitation: int) -> ChainRow:
    """Save the hash chain for a match that might begin, and post its commitment.

    The keyword argument identifies the match by a column of the table of hash chains, such as `rematch_of`.
    """
    row = await chains.create(unit.transaction, chain, unit.now, **invitation)
    enqueue_commitment(unit, row.id, guild_id)
    return row


def read_words(text: str) -> str:
    """Return a player's words for the shuffles, without surrounding whitespace. Raise `InvalidWords`."""
    words = text.strip()
    if not words:
        raise InvalidWords(WordsProblem.EMPTY)
    if len(words) > MAX_WORDS_LENGTH:
        raise InvalidWords(WordsProblem.TOO_LONG)
    if any(category(character) in _FORBIDDEN_CATEGORIES for character in words):
        raise InvalidWords(WordsProblem.UNREADABLE)
    return words


async def save_first_words(unit: UnitOfWork, chain: ChainRow, person_id: PersonId, words: str) -> GivenWords:
    """Save a player's words for the shuffles before the match begins. They replace the player's earlier words."""
    await player_words.remove(unit.transaction, chain.id, person_id)
    row = WordsRow(person_id, words, None, early=not chain.is_posted, given_at=unit.now)
    await player_words.add(unit.transaction, chain.id, row)
    return given_words(row)


async def begin_match_chain(
    unit: UnitOfWork, chain: ChainRow, match_id: MatchId, players: Sequence[Player]
) -> tuple[PlayerSeed, ...]:
    """Assign a hash chain to its match, and return each seat's first seed. `players` are in the order of seats."""
    await chains.assign_to_match(unit.transaction, chain.id, match_id)
    people = [player.id for player in players if player.id is not None]
    await player_words.remove_others(unit.transaction, chain.id, people)
    words = {row.person_id: row.text for row in await player_words.of_chain(unit.transaction, chain.id)}

    def seed_text(player: Player) -> str:
        if player.id is None:
            return HOUSE_TEXT
        return words.get(player.id, default_text(chain))

    return tuple(PlayerSeed(Seat(seat), player_seed(seed_text(player))) for seat, player in enumerate(players))


def house_seeds(seats: int) -> tuple[PlayerSeed, ...]:
    """Return the first seeds in a deal of the day: every seat has the same text, so everybody gets the same cards."""
    return tuple(PlayerSeed(Seat(seat), player_seed(HOUSE_TEXT)) for seat in range(seats))


def default_text(chain: ChainRow) -> str:
    """Return the text from which a player's seed is made if the player gave no words for the shuffles."""
    return NOT_POSTED_TEXT if chain.message_id is None else str(chain.message_id)


def fairness_of(chain: ChainRow | None) -> Fairness:
    """Return how far a match that begins now with this hash chain can be verified."""
    if chain is None:
        return Fairness.NONE
    return Fairness.VERIFIABLE if chain.is_posted else Fairness.UNPOSTED


def given_words(row: WordsRow) -> GivenWords:
    """Return the words for the shuffles in a database row, as shown to the player who gave them."""
    return GivenWords(row.text, row.counts_from, row.early)
