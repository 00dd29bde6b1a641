"""The luck of each finished match is counted once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from sqlalchemy import delete, text

from bot.engine.deals.moves import Seat
from bot.luck.measures import NO_LUCK, Luck, luck_in
from bot.model.ids import GuildId, MatchId
from bot.model.matches import MatchKind
from bot.model.statistics import Category
from bot.play.application import Application
from bot.play.loading.share import Share
from bot.play.loading.unit_of_work import Units
from bot.play.luck import counting
from bot.store import luck, tables
from bot.store.database import Database
from bot.store.errors import DatabaseUnavailableError
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.gates import Gate
from tests.helpers.random_matches import RandomMatches
from tests.helpers.table import GUILD, NORTH, OTHER_GUILD, SOUTH, Players, interaction
from tests.helpers.waiting import eventually

StoredLuck = list[tuple[int, int, Luck]]


async def stored_luck(database: Database) -> StoredLuck:
    """Return the stored luck of every seat, with the match id and the seat."""
    rows = await fetch(database, tables.luck.select().order_by(tables.luck.c.match_id, tables.luck.c.seat))
    return [(row[0], row[1], Luck(*row[2:])) for row in rows]


async def count_all(app: Application) -> None:
    """Count the luck in all matches in which it was not counted yet."""
    while await app.luck_counting.count_some():
        pass


async def play_random_matches(database: Database, clock: Clock, matches: int = 12) -> RandomMatches:
    """Play `classic` matches between North and South, some of which end by resignation."""
    random_matches = RandomMatches(database, clock, (NORTH, SOUTH), Random(4))
    await random_matches.save_names()
    for _ in range(matches):
        await random_matches.play("classic target=60")
    return random_matches


async def luck_from_logs(database: Database, clock: Clock, match_ids: Sequence[MatchId]) -> StoredLuck:
    """Compute the luck of the matches from their logs."""
    rows: StoredLuck = []
    for match_id in match_ids:
        async with Units(database, clock).read() as unit:
            match = (await unit.load(match_id)).state
        rows += [(match_id, seat, luck_in(match, Seat(seat))) for seat in range(2)]
    return [row for row in rows if row[2].deals]


@pytest.mark.nightly
async def test_luck_is_counted_from_logs(app: Application, database: Database, clock: Clock) -> None:
    """Each seat's luck is computed from the log and stored once. A profile shows the person's total luck."""
    random_matches = await play_random_matches(database, clock)
    assert await stored_luck(database) == []
    await count_all(app)
    counted = await stored_luck(database)
    assert counted == await luck_from_logs(database, clock, random_matches.played)
    assert len(counted) > 12
    rows = await fetch(database, text("SELECT match_id, seat, person_id FROM seat"))
    of_north = {(row[0], row[1]) for row in rows if row[2] == NORTH.id}
    profile = await app.profiles.profile(NORTH, GUILD)
    assert profile.luck == Luck.total(luck for match_id, seat, luck in counted if (match_id, seat) in of_north)
    assert profile.luck.deals > 10
    assert not await app.luck_counting.count_some()
    assert await stored_luck(database) == counted


@pytest.mark.nightly
async def test_earlier_matches_are_counted(app: Application, database: Database, clock: Clock) -> None:
    """After an update from a version that did not count luck, it is counted in all earlier matches."""
    await play_random_matches(database, clock)
    await count_all(app)
    original = await stored_luck(database)
    await execute(database, delete(tables.luck))
    await execute(database, text("UPDATE match SET luck_counted = '0'"))
    await count_all(Application(database))
    assert await stored_luck(database) == original


async def test_casual_and_running_matches_are_not_counted(app: Application, database: Database, clock: Clock) -> None:
    """Luck is counted only in finished, non-casual `classic` matches.

    A profile shows it only in the category of `classic`.
    """
    playing = RandomMatches(database, clock, (NORTH, SOUTH), Random(5), resigns=0)
    await playing.save_names()
    await playing.play("classic target=10", kind=MatchKind.CASUAL)
    await playing.play("low target=10")
    await playing.play("classic target=10", guild_id=OTHER_GUILD)
    players = Players(app)
    running = await players.begin("classic target=500")
    await players.win(running.id)
    await count_all(app)
    assert {match_id for match_id, _, _ in await stored_luck(database)} == {playing.played[2]}
    assert (await app.profiles.profile(NORTH, GUILD)).luck == NO_LUCK
    assert (await app.profiles.profile(NORTH, OTHER_GUILD)).luck != NO_LUCK
    assert (await app.profiles.profile(NORTH, OTHER_GUILD, Category.PENALTY)).luck == NO_LUCK
    await app.endings.resign(NORTH.id, running.id, interaction())
    await count_all(app)
    assert (await app.profiles.profile(NORTH, GUILD)).luck == Luck(1, 10, 0, 0, 1, 0)


async def test_resets_and_forgetting_clear_luck(app: Application, players: Players, database: Database) -> None:
    """A reset clears the luck in profiles. A forgotten person's luck stays stored, without a link to the person."""
    await players.win((await players.begin("classic target=10")).id)
    await count_all(app)
    assert (await app.profiles.profile(NORTH, GUILD)).luck.deals == 1
    exported = await app.exports.export(NORTH.id)
    assert exported["matches"][0]["luck"] == {
        "deals": 1,
        "opening": 10,
        "draws": 0,
        "useful": 0,
        "gins": 1,
        "undercuts": 0,
    }
    await app.leaderboards.reset(GUILD)
    assert (await app.profiles.profile(NORTH, GUILD)).luck == NO_LUCK
    await app.people.forget(SOUTH.id)
    assert len(await stored_luck(database)) == 2
    assert (await app.profiles.profile(SOUTH, GUILD)).luck == NO_LUCK


class _KilledError(Exception):
    """Raised in a transaction to abort it, as a crash would."""


@pytest.mark.thorough
async def test_a_crash_while_counting_loses_nothing(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction saves a match's luck and marks the match as counted, so a crash loses nothing."""
    playing = await play_random_matches(database, clock, 3)
    save, calls = luck.save, 0

    async def save_one(*args: object) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise _KilledError
        await save(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(luck, "save", save_one)
    with pytest.raises(_KilledError):
        await app.luck_counting.count_some()
    assert await stored_luck(database) == []
    monkeypatch.undo()
    await count_all(Application(database))
    assert await stored_luck(database) == await luck_from_logs(database, clock, playing.played)


@pytest.mark.thorough
async def test_two_processes_count_a_match_once(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If two processes count the luck in the same matches, the second one saves nothing."""
    playing = await play_random_matches(database, clock, 4)
    late, first = await Gate(monkeypatch, luck, "uncounted_matches").interleave(
        app.luck_counting.count_some(), Application(database).luck_counting.count_some()
    )
    assert (late, first) == (True, True)
    assert await stored_luck(database) == await luck_from_logs(database, clock, playing.played)


async def test_deleted_and_unreadable_matches_are_skipped(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deleted or unreadable match is skipped and not tried again."""
    playing = await play_random_matches(database, clock, 3)
    broken, removed, intact = playing.played
    await execute(database, text(f"UPDATE action SET text = '0 x Kd' WHERE match_id = {broken} AND number = 3"))
    remove = execute(database, delete(tables.match).where(tables.match.c.id == removed))
    await Gate(monkeypatch, luck, "uncounted_matches").interleave(app.luck_counting.count_some(), remove)
    assert await stored_luck(database) == await luck_from_logs(database, clock, [intact])
    assert not await app.luck_counting.count_some()


@pytest.mark.thorough
async def test_only_the_leading_process_counts(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the leading process counts luck. It does so at regular intervals, and continues after a database error."""
    playing = await play_random_matches(database, clock, 2)
    monkeypatch.setattr(counting, "SEARCH_INTERVAL", 0.01)
    queries, due = 0, luck.uncounted_matches

    async def fail_first(*args: object) -> object:
        nonlocal queries
        queries += 1
        if queries == 1:
            raise DatabaseUnavailableError("temporarily unavailable")
        return await due(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(luck, "uncounted_matches", fail_first)
    app.share.grant({1: clock.now}, 2)
    checks, original_has = 0, Share.has

    def counting_has(share: Share, guild_id: GuildId | None) -> bool:
        nonlocal checks
        checks += 1
        return original_has(share, guild_id)

    monkeypatch.setattr(Share, "has", counting_has)
    running = asyncio.create_task(app.luck_counting.run())
    await eventually(lambda: checks > 3)
    assert queries == 0
    app.share.grant({0: clock.now}, 2)
    await eventually(lambda: queries > 4)
    running.cancel()
    assert await stored_luck(database) == await luck_from_logs(database, clock, playing.played)
