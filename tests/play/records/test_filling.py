"""Backfilling the records from matches that ended before the records tables existed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import delete, text

from bot.model.ids import MatchId
from bot.model.records import HeldRecord, RecordKind, Streak
from bot.play.application import Application
from bot.play.loading import batches
from bot.play.records import filling
from bot.play.records.filling import RecordsBackfill
from bot.store import key_values, records, tables
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.gates import Gate
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, interaction, play_deal, sensible_move

HeldRecords = Mapping[RecordKind, tuple[HeldRecord, ...]]


async def play_random_matches(app: Application, clock: Clock, matches: int = 8, seed: int = 7) -> None:
    """Play matches on two servers, each between two of three people. Some matches end by resignation."""
    random = Random(seed)
    for number in range(matches):
        people = tuple(random.sample((NORTH, SOUTH, EAST), 2))
        table = Players(app, people)
        guild_id = OTHER_GUILD if number % 4 == 3 else GUILD
        match = await table.begin("classic target=120", guild_id=guild_id)
        while (view := (await app.lookup.table(match.id)).view).turn is not None:
            if view.number > 3:
                await app.endings.resign(people[view.turn].id, match.id, interaction())
                break
            await play_deal(app, match.id, lambda view: sensible_move(view, random))
        clock.pass_by(timedelta(minutes=7))


async def all_records_and_streaks(app: Application, database: Database) -> tuple[list[HeldRecords], list[Streak]]:
    """Return all records and streaks."""
    held = [await app.server_records.by_kind(guild_id) for guild_id in (GUILD, OTHER_GUILD)]
    async with database.read() as transaction:
        streaks = [
            streak.streak
            for person in (NORTH, SOUTH, EAST)
            for streak in await records.streaks_of(transaction, person.id)
        ]
    return held, streaks


async def empty_records_tables(database: Database) -> None:
    """Empty the records tables and the progress of their backfill, as if a migration had just created them."""
    for table in (tables.server_record, tables.streak):
        await execute(database, delete(table))
    await execute(database, text("DELETE FROM key_value"))


async def backfill(app: Application) -> int:
    """Run the backfill to its end, and return the number of batches."""
    batch_count = 0
    while await app.records_backfill.step() is not None:
        batch_count += 1
    return batch_count


@pytest.mark.nightly
async def test_a_backfill_finds_the_same_records(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backfill in small batches finds the records that the matches set when they ended.

    The result is the same if the backfill is repeated, or if matches end while it runs.
    """
    monkeypatch.setattr(filling, "MATCHES_PER_TRANSACTION", 3)
    monkeypatch.setattr(filling, "PEOPLE_PER_TRANSACTION", 2)
    await play_random_matches(app, clock)
    original = await all_records_and_streaks(app, database)
    assert all(original[0][0].values())
    await empty_records_tables(database)
    assert not await app.server_records.is_complete()
    assert await backfill(app) > 4
    assert await all_records_and_streaks(app, database) == original
    assert await app.server_records.is_complete()
    assert await app.records_backfill.step() is None
    # After a crash, finished batches are repeated.
    await execute(database, text("DELETE FROM key_value"))
    await backfill(app)
    assert await all_records_and_streaks(app, database) == original
    await empty_records_tables(database)
    await app.records_backfill.step()
    await play_random_matches(app, clock, 1)
    await backfill(app)
    later = await all_records_and_streaks(app, database)
    await empty_records_tables(database)
    await backfill(app)
    assert await all_records_and_streaks(app, database) == later


async def test_a_backfill_ignores_matches_before_a_reset(
    app: Application, database: Database, clock: Clock, players: Players
) -> None:
    """A backfill ignores matches that ended before a reset."""
    for seconds in (1, 1, 0):
        match = await players.begin("classic target=10")
        await players.win(match.id)
        clock.pass_by(timedelta(seconds=seconds))
        if seconds == 1 and match.id == 2:
            await app.leaderboards.reset(GUILD)
            clock.pass_by(timedelta(seconds=1))
    original = await all_records_and_streaks(app, database)
    await empty_records_tables(database)
    await backfill(app)
    assert await all_records_and_streaks(app, database) == original
    assert [listed.match.id for listed in original[0][0][RecordKind.LARGEST_DEAL]] == [3]


async def test_an_unreadable_match_is_skipped(app: Application, database: Database, players: Players) -> None:
    """The backfill skips a match that cannot be replayed."""
    for _ in range(2):
        match = await players.begin("classic target=10")
        await players.win(match.id)
    await empty_records_tables(database)
    await execute(database, text("UPDATE action SET text = '0 x Kd' WHERE match_id = 1 AND number = 3"))
    fresh = Application(database)
    assert await backfill(fresh) >= 2
    found = (await fresh.server_records.by_kind(GUILD))[RecordKind.FASTEST_GIN]
    assert [listed.match.id for listed in found] == [MatchId(2)]


async def test_a_backfill_of_a_new_database_is_marked_done(
    app: Application, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a new database the backfill stores that it is done, so that the next start skips it."""
    monkeypatch.setattr(batches, "MIN_PAUSE", 0)
    await app.records_backfill.run()
    async with database.read() as transaction:
        assert await key_values.load(transaction, filling.KEY) == filling.DONE
    assert isinstance(app.records_backfill, RecordsBackfill)


@pytest.mark.thorough
async def test_a_late_batch_does_not_set_back_the_backfill(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process has continued the backfill, a late batch saves nothing and leaves the progress unchanged."""
    monkeypatch.setattr(filling, "MATCHES_PER_TRANSACTION", 2)
    await play_random_matches(app, clock, 4)
    await empty_records_tables(database)

    async def fill_two() -> None:
        for _ in range(2):
            await Application(database).records_backfill.step()

    late, _ = await Gate(monkeypatch, records, "finished_matches_after").interleave(
        app.records_backfill.step(), fill_two()
    )
    async with database.read() as transaction:
        assert late == await key_values.load(transaction, filling.KEY) == f"{filling.MATCHES} 4"
