"""The statistical test of the decks of finished matches, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import insert

from bot.engine.actions import Shuffle
from bot.engine.cards import DECK, Card
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.luck.decks import DeckCounts, PValues
from bot.play.application import Application
from bot.play.luck import dealt_decks
from bot.play.luck.dealt_decks import FEWEST_DECKS
from bot.store import tables
from bot.store.database import Database
from bot.values.dealt_decks import CommittedMatches
from bot.values.ids import GuildId
from tests.helpers.table import GUILD, NORTH, OTHER_GUILD, Players, interaction
from tests.luck.test_decks import Shuffle as Shuffling
from tests.luck.test_decks import fair, one_on_top, p_values, swapping_with_any

AT: Final = datetime(2026, 11, 21, tzinfo=UTC)
Decks = Sequence[Sequence[Card]]


async def save_matches(
    database: Database,
    decks: Decks,
    status: str = "finished",
    guild_id: GuildId = GUILD,
    fairness: str = "none",
) -> None:
    """Save a match for every five decks, with a move after each deal and only the columns that this test needs."""
    async with database.write() as transaction:
        for first in range(0, len(decks), 5):
            match: dict[str, Any] = {
                "guild_id": guild_id,
                "channel_id": interaction(),
                "rules": Rules(),
                "channel_deleted": False,
                "status": status,
                "fairness": fairness,
                "version": 0,
                "revision": 0,
                "started_at": AT,
                "moved_at": AT,
            }
            made = await transaction.execute(insert(tables.match).values(match).returning(tables.match.c.id))
            match_id = made.scalar_one()
            texts = [
                text
                for number, deck in enumerate(decks[first : first + 5], 1)
                for text in (str(Shuffle(number, Seat(0), tuple(deck))), "0 pass")
            ]
            rows = [
                {"match_id": match_id, "number": number, "text": text, "at": AT} for number, text in enumerate(texts, 1)
            ]
            await transaction.execute(insert(tables.action), rows)


def shuffled(shuffle: Shuffling, decks: int, seed: int = 1) -> Decks:
    """Return the decks that `p_values` tests with the same seed."""
    random = Random(seed)
    return [shuffle(random) for _ in range(decks)]


async def found(app: Application, guild_id: GuildId | None) -> tuple[int, PValues | None]:
    """Return the number of tested decks and the p-values."""
    report = await app.dealt_decks.test(guild_id)
    return report.decks, report.found


@pytest.mark.thorough
async def test_the_decks_of_a_server_and_of_all(app: Application, database: Database) -> None:
    """Decks are tested for each server and for all together; running matches are excluded."""
    await save_matches(database, shuffled(fair, 300))
    await save_matches(database, shuffled(one_on_top, 250, 2), guild_id=OTHER_GUILD)
    await save_matches(database, [DECK] * 400, status="running")
    await save_matches(database, [DECK] * 400, status="running", guild_id=OTHER_GUILD)
    assert await found(app, GUILD) == (300, p_values(fair, 300))
    assert await found(app, OTHER_GUILD) == (250, p_values(one_on_top, 250, 2))
    both = DeckCounts()
    for deck in (*shuffled(fair, 300), *shuffled(one_on_top, 250, 2)):
        both.add(deck)
    assert await found(app, None) == (550, both.test())


async def test_matches_that_were_called_off_count(app: Application, database: Database) -> None:
    """Called-off matches count, because a host could call off matches with cards that they dislike."""
    await save_matches(database, shuffled(fair, 300), status="cancelled")
    assert (await app.dealt_decks.test(GUILD)).decks == 300


async def test_few_decks_say_nothing(app: Application, database: Database) -> None:
    """Fewer than `FEWEST_DECKS` decks have no result."""
    await save_matches(database, shuffled(fair, FEWEST_DECKS - 1))
    assert await found(app, GUILD) == (FEWEST_DECKS - 1, None)
    await save_matches(database, shuffled(fair, 1, 7))
    assert (await app.dealt_decks.test(GUILD)).found is not None


@pytest.mark.thorough
async def test_only_the_newest_are_tested(
    app: Application, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the newest decks are tested."""
    monkeypatch.setattr(dealt_decks, "MOST_DECKS", 240)
    monkeypatch.setattr(dealt_decks, "MATCHES_AT_ONCE", 7)
    await save_matches(database, [DECK] * 300)
    await save_matches(database, shuffled(fair, 245))
    assert await found(app, GUILD) == (245, p_values(fair, 245))


@pytest.mark.thorough
async def test_a_shuffle_that_is_not_fair_is_found(app: Application, database: Database) -> None:
    """An unfair shuffle is detected in dealt decks."""
    await save_matches(database, shuffled(swapping_with_any, 1_000))
    _, values = await found(app, GUILD)
    assert values is not None
    assert values.positions < 0.001 < values.suits


async def test_decks_of_matches_that_were_played(app: Application, players: Players, database: Database) -> None:
    """The decks of a finished match count, including an unfinished deal."""
    match = await players.begin("classic target=500")
    await players.win(match.id)
    assert (await app.dealt_decks.test(GUILD)).decks == 0
    await app.endings.resign(NORTH.id, match.id, interaction())
    assert (await app.dealt_decks.test(GUILD)).decks == 2


async def test_what_became_of_matches_with_a_commitment(app: Application, database: Database) -> None:
    """Matches with a commitment, posted or not, are counted for each server by their outcome."""
    for guild_id, status, fairness in (
        (GUILD, "finished", "verifiable"),
        (GUILD, "finished", "none"),
        (GUILD, "cancelled", "verifiable"),
        (GUILD, "cancelled", "unposted"),
        (GUILD, "running", "verifiable"),
        (OTHER_GUILD, "cancelled", "verifiable"),
    ):
        await save_matches(database, [DECK], status, guild_id, fairness)
    assert (await app.dealt_decks.test(GUILD)).committed == CommittedMatches(begun=4, in_play=1, called_off=2)
    assert (await app.dealt_decks.test(None)).committed == CommittedMatches(begun=5, in_play=1, called_off=3)
