"""Backfilling the records from matches that ended before the records tables existed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import delete, text

from bot.play.application import Application
from bot.play.loading import batches
from bot.play.records import filling
from bot.play.records.filling import RecordsFilling
from bot.store import key_values, records, tables
from bot.store.database import Database
from bot.values.ids import MatchId
from bot.values.records import HeldRecord, RecordKind, Streak
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.gates import Gate
from tests.helpers.table import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, Players, interaction, play_deal, sensible

Held = Mapping[RecordKind, tuple[HeldRecord, ...]]


async def evening(app: Application, clock: Clock, matches: int = 8, seed: int = 7) -> None:
    """Play matches between changing people on two servers, some of which end by resignation."""
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
            await play_deal(app, match.id, lambda view: sensible(view, random))
        clock.pass_by(timedelta(minutes=7))


async def everything(app: Application, database: Database) -> tuple[list[Held], list[Streak]]:
    """Return all records and streaks."""
    held = [await app.server_records.held(guild_id) for guild_id in (GUILD, OTHER_GUILD)]
    async with database.read() as transaction:
        streaks = [
            one.streak for person in (NORTH, SOUTH, EAST) for one in await records.streaks_of(transaction, person.id)
        ]
    return held, streaks


async def as_before_the_update(database: Database) -> None:
    """Empty the records tables, as in a database from before they existed."""
    for table in (tables.server_record, tables.streak):
        await execute(database, delete(table))
    await execute(database, text("DELETE FROM key_value"))


async def fill(app: Application) -> int:
    """Backfill the tables, and return the number of batches."""
    batches = 0
    while await app.records_filling.step() is not None:
        batches += 1
    return batches


@pytest.mark.thorough
async def test_what_is_found_later_is_what_was_kept(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backfill in small batches finds the same records, also if it is repeated or matches end during it."""
    monkeypatch.setattr(filling, "MATCHES_AT_ONCE", 3)
    monkeypatch.setattr(filling, "PEOPLE_AT_ONCE", 2)
    await evening(app, clock)
    kept = await everything(app, database)
    assert all(kept[0][0].values())
    await as_before_the_update(database)
    assert not await app.server_records.complete()
    assert await fill(app) > 4
    assert await everything(app, database) == kept
    assert await app.server_records.complete()
    assert await app.records_filling.step() is None
    # After a crash, finished batches are repeated.
    await execute(database, text("DELETE FROM key_value"))
    await fill(app)
    assert await everything(app, database) == kept
    await as_before_the_update(database)
    await app.records_filling.step()
    await evening(app, clock, 1)
    await fill(app)
    later = await everything(app, database)
    await as_before_the_update(database)
    await fill(app)
    assert await everything(app, database) == later


async def test_a_reset_is_heeded(app: Application, database: Database, clock: Clock, players: Players) -> None:
    """A backfill ignores matches that ended before a reset."""
    for seconds in (1, 1, 0):
        match = await players.begin("classic target=10")
        await players.win(match.id)
        clock.pass_by(timedelta(seconds=seconds))
        if seconds == 1 and match.id == 2:
            await app.leaderboards.reset(GUILD)
            clock.pass_by(timedelta(seconds=1))
    kept = await everything(app, database)
    await as_before_the_update(database)
    await fill(app)
    assert await everything(app, database) == kept
    assert [one.match.id for one in kept[0][0][RecordKind.LARGEST_DEAL]] == [3]


async def test_a_match_that_cannot_be_replayed_is_left_out(
    app: Application, database: Database, players: Players
) -> None:
    """A match that cannot be replayed is skipped."""
    for _ in range(2):
        match = await players.begin("classic target=10")
        await players.win(match.id)
    await as_before_the_update(database)
    await execute(database, text("UPDATE action SET text = '0 x Kd' WHERE match_id = 1 AND number = 3"))
    fresh = Application(database)
    assert await fill(fresh) >= 2
    found = (await fresh.server_records.held(GUILD))[RecordKind.FASTEST_GIN]
    assert [one.match.id for one in found] == [MatchId(2)]


async def test_the_filling_ends_by_itself(
    app: Application, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a new database the backfill stores that it is done, so that the next start skips it."""
    monkeypatch.setattr(batches, "PAUSE", 0)
    await app.records_filling.run()
    async with database.read() as transaction:
        assert await key_values.load(transaction, filling.KEY) == filling.DONE
    assert isinstance(app.records_filling, RecordsFilling)


@pytest.mark.thorough
async def test_what_another_process_did_meanwhile_is_not_undone(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late batch enters nothing and does not set back the progress of the backfill."""
    monkeypatch.setattr(filling, "MATCHES_AT_ONCE", 2)
    await evening(app, clock, 4)
    await as_before_the_update(database)

    async def fill_two() -> None:
        for _ in range(2):
            await Application(database).records_filling.step()

    late, _ = await Gate(monkeypatch, records, "finished_after").hold_up(app.records_filling.step(), fill_two())
    async with database.read() as transaction:
        assert late == await key_values.load(transaction, filling.KEY) == f"{filling.MATCHES} 4"
