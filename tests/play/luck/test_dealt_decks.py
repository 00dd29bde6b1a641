"""The decks dealt in finished matches are tested statistically, starting with the newest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import insert

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import Seat
from bot.engine.matches.actions import Shuffle
from bot.engine.rules import Rules
from bot.luck.decks import DeckCounts, PValues
from bot.model.dealt_decks import CommittedMatches
from bot.model.ids import GuildId
from bot.play.application import Application
from bot.play.luck import dealt_decks
from bot.play.luck.dealt_decks import MIN_DECKS
from bot.store import tables
from bot.store.database import Database
from tests.helpers.table import GUILD, NORTH, OTHER_GUILD, Players, interaction
from tests.luck.test_decks import Shuffle as Shuffling
from tests.luck.test_decks import ace_on_top, fair, p_values, swapping_with_any

STARTED_AT: Final = datetime(2026, 11, 21, tzinfo=UTC)
Decks = Sequence[Sequence[Card]]


async def save_matches(
    database: Database,
    decks: Decks,
    status: str = "finished",
    guild_id: GuildId = GUILD,
    fairness: str = "none",
) -> None:
    """Save a match for every five decks, with a move after each deal. Set only the columns that the tests need."""
    async with database.write() as transaction:
        for start in range(0, len(decks), 5):
            match: dict[str, Any] = {
                "guild_id": guild_id,
                "channel_id": interaction(),
                "rules": Rules(),
                "channel_deleted": False,
                "status": status,
                "fairness": fairness,
                "version": 0,
                "revision": 0,
                "started_at": STARTED_AT,
                "moved_at": STARTED_AT,
            }
            result = await transaction.execute(insert(tables.match).values(match).returning(tables.match.c.id))
            match_id = result.scalar_one()
            texts = [
                text
                for number, deck in enumerate(decks[start : start + 5], 1)
                for text in (str(Shuffle(number, Seat(0), tuple(deck))), "0 pass")
            ]
            rows = [
                {"match_id": match_id, "number": number, "text": text, "at": STARTED_AT}
                for number, text in enumerate(texts, 1)
            ]
            await transaction.execute(insert(tables.action), rows)


def shuffled_decks(shuffle: Shuffling, decks: int, seed: int = 1) -> Decks:
    """Shuffle this many decks. With the same arguments, `p_values` tests the same decks."""
    random = Random(seed)
    return [shuffle(random) for _ in range(decks)]


async def deck_test(app: Application, guild_id: GuildId | None) -> tuple[int, PValues | None]:
    """Test the decks dealt on one server or on all servers. Return their number and the p-values."""
    report = await app.dealt_decks.test(guild_id)
    return report.decks, report.p_values


@pytest.mark.nightly
async def test_decks_are_tested_by_server_and_together(app: Application, database: Database) -> None:
    """Decks are tested for each server and for all servers together; running matches are excluded."""
    await save_matches(database, shuffled_decks(fair, 300))
    await save_matches(database, shuffled_decks(ace_on_top, 250, 2), guild_id=OTHER_GUILD)
    await save_matches(database, [DECK] * 400, status="running")
    await save_matches(database, [DECK] * 400, status="running", guild_id=OTHER_GUILD)
    assert await deck_test(app, GUILD) == (300, p_values(fair, 300))
    assert await deck_test(app, OTHER_GUILD) == (250, p_values(ace_on_top, 250, 2))
    both = DeckCounts()
    for deck in (*shuffled_decks(fair, 300), *shuffled_decks(ace_on_top, 250, 2)):
        both.add(deck)
    assert await deck_test(app, None) == (550, both.test())


async def test_matches_that_were_called_off_count(app: Application, database: Database) -> None:
    """Called-off matches count, because a host could call off matches with cards that they dislike."""
    await save_matches(database, shuffled_decks(fair, 300), status="cancelled")
    assert (await app.dealt_decks.test(GUILD)).decks == 300


async def test_too_few_decks_have_no_result(app: Application, database: Database) -> None:
    """Fewer than `MIN_DECKS` decks have no test result."""
    await save_matches(database, shuffled_decks(fair, MIN_DECKS - 1))
    assert await deck_test(app, GUILD) == (MIN_DECKS - 1, None)
    await save_matches(database, shuffled_decks(fair, 1, 7))
    assert (await app.dealt_decks.test(GUILD)).p_values is not None


@pytest.mark.thorough
async def test_only_the_newest_decks_are_tested(
    app: Application, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only about `MAX_DECKS` decks are tested: the newest ones."""
    monkeypatch.setattr(dealt_decks, "MAX_DECKS", 240)
    monkeypatch.setattr(dealt_decks, "MATCHES_PER_TRANSACTION", 7)
    await save_matches(database, [DECK] * 300)
    await save_matches(database, shuffled_decks(fair, 245))
    assert await deck_test(app, GUILD) == (245, p_values(fair, 245))


@pytest.mark.thorough
async def test_an_unfair_shuffle_is_detected(app: Application, database: Database) -> None:
    """Decks from an unfair shuffle have a low p-value."""
    await save_matches(database, shuffled_decks(swapping_with_any, 1_000))
    _, values = await deck_test(app, GUILD)
    assert values is not None
    assert values.positions < 0.001 < values.suits


async def test_decks_of_finished_matches_count(app: Application, players: Players, database: Database) -> None:
    """All decks of a finished match count, even the deck of an unfinished deal."""
    match = await players.begin("classic target=500")
    await players.win(match.id)
    assert (await app.dealt_decks.test(GUILD)).decks == 0
    await app.endings.resign(NORTH.id, match.id, interaction())
    assert (await app.dealt_decks.test(GUILD)).decks == 2


async def test_outcomes_of_committed_matches_are_counted(app: Application, database: Database) -> None:
    """Matches with a commitment, posted or not, are counted by outcome, for each server and in total."""
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
