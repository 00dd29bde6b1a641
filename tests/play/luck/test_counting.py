"""The luck of each finished match is counted once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from sqlalchemy import delete, text

from bot.engine.moves import Seat
from bot.luck.measures import NOTHING, Luck, luck_in
from bot.play.application import Application
from bot.play.loading.share import Share
from bot.play.loading.unit_of_work import Units
from bot.play.luck import counting
from bot.store import luck, tables
from bot.store.database import Database
from bot.store.errors import DatabaseUnavailableError
from bot.values.ids import GuildId, MatchId
from bot.values.matches import MatchKind
from bot.values.statistics import Category
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch
from tests.helpers.gates import Gate
from tests.helpers.random_matches import RandomMatches
from tests.helpers.table import GUILD, NORTH, OTHER_GUILD, SOUTH, Players, interaction
from tests.helpers.waiting import eventually

Saved = list[tuple[int, int, Luck]]


async def saved(database: Database) -> Saved:
    """Return the stored luck with match id and seat."""
    rows = await fetch(database, tables.luck.select().order_by(tables.luck.c.match_id, tables.luck.c.seat))
    return [(row[0], row[1], Luck(*row[2:])) for row in rows]


async def count_all(app: Application) -> None:
    """Count all matches that are due."""
    while await app.luck_counting.count_some():
        pass


async def evening(database: Database, clock: Clock, matches: int = 12) -> RandomMatches:
    """Play `classic` matches between North and South, some of which end by resignation."""
    playing = RandomMatches(database, clock, (NORTH, SOUTH), Random(4))
    await playing.meet()
    for _ in range(matches):
        await playing.play("classic target=60")
    return playing


async def expected(database: Database, clock: Clock, match_ids: Sequence[MatchId]) -> Saved:
    """Compute the luck of the matches from their logs."""
    found: Saved = []
    for match_id in match_ids:
        async with Units(database, clock).read() as unit:
            match = (await unit.load(match_id)).state
        found += [(match_id, seat, luck_in(match, Seat(seat))) for seat in range(2)]
    return [one for one in found if one[2].deals]


@pytest.mark.thorough
async def test_matches_are_counted_as_their_logs_tell(app: Application, database: Database, clock: Clock) -> None:
    """Each seat's luck is stored once, as computed from the log; a profile has its person's total."""
    playing = await evening(database, clock)
    assert await saved(database) == []
    await count_all(app)
    counted = await saved(database)
    assert counted == await expected(database, clock, playing.played)
    assert len(counted) > 12
    rows = await fetch(database, text("SELECT match_id, seat, person_id FROM seat"))
    of_north = {(row[0], row[1]) for row in rows if row[2] == NORTH.id}
    profile = await app.profiles.profile(NORTH, GUILD)
    assert profile.luck == Luck.total(one for match_id, seat, one in counted if (match_id, seat) in of_north)
    assert profile.luck.deals > 10
    assert not await app.luck_counting.count_some()
    assert await saved(database) == counted


@pytest.mark.nightly
async def test_matches_from_before_are_counted_as_well(app: Application, database: Database, clock: Clock) -> None:
    """After an update from a version without luck, every match is counted."""
    await evening(database, clock)
    await count_all(app)
    kept = await saved(database)
    await execute(database, delete(tables.luck))
    await execute(database, text("UPDATE match SET luck_counted = '0'"))
    await count_all(Application(database))
    assert await saved(database) == kept


async def test_what_does_not_count_is_left_out(app: Application, database: Database, clock: Clock) -> None:
    """Casual and running matches and other rules are not counted, and a profile in another category has no luck."""
    playing = RandomMatches(database, clock, (NORTH, SOUTH), Random(5), resigns=0)
    await playing.meet()
    await playing.play("classic target=10", kind=MatchKind.CASUAL)
    await playing.play("low target=10")
    await playing.play("classic target=10", guild_id=OTHER_GUILD)
    players = Players(app)
    running = await players.begin("classic target=500")
    await players.win(running.id)
    await count_all(app)
    assert {match_id for match_id, _, _ in await saved(database)} == {playing.played[2]}
    assert (await app.profiles.profile(NORTH, GUILD)).luck == NOTHING
    assert (await app.profiles.profile(NORTH, OTHER_GUILD)).luck != NOTHING
    assert (await app.profiles.profile(NORTH, OTHER_GUILD, Category.PENALTY)).luck == NOTHING
    await app.endings.resign(NORTH.id, running.id, interaction())
    await count_all(app)
    assert (await app.profiles.profile(NORTH, GUILD)).luck == Luck(1, 10, 0, 0, 1, 0)


async def test_a_reset_and_being_forgotten_are_heeded(app: Application, players: Players, database: Database) -> None:
    """A reset clears the luck in profiles. A forgotten person's luck stays, without the person."""
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
    assert (await app.profiles.profile(NORTH, GUILD)).luck == NOTHING
    await app.people.forget(SOUTH.id)
    assert len(await saved(database)) == 2
    assert (await app.profiles.profile(SOUTH, GUILD)).luck == NOTHING


class _KilledError(Exception):
    """Aborts a transaction, as a crash would."""


@pytest.mark.thorough
async def test_whoever_dies_halfway_has_saved_nothing(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The luck and the mark that a match was counted are saved in one transaction, so a crash loses nothing."""
    playing = await evening(database, clock, 3)
    save, times = luck.save, 0

    async def save_one(*args: object) -> None:
        nonlocal times
        times += 1
        if times > 1:
            raise _KilledError
        await save(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(luck, "save", save_one)
    with pytest.raises(_KilledError):
        await app.luck_counting.count_some()
    assert await saved(database) == []
    monkeypatch.undo()
    await count_all(Application(database))
    assert await saved(database) == await expected(database, clock, playing.played)


@pytest.mark.thorough
async def test_two_processes_count_a_match_once(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If two processes find the same matches due, the second saves nothing."""
    playing = await evening(database, clock, 4)
    late, first = await Gate(monkeypatch, luck, "due").hold_up(
        app.luck_counting.count_some(), Application(database).luck_counting.count_some()
    )
    assert (late, first) == (True, True)
    assert await saved(database) == await expected(database, clock, playing.played)


async def test_a_match_that_is_gone_or_cannot_be_replayed_stops_nothing(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deleted or unreadable match is skipped and not tried again."""
    playing = await evening(database, clock, 3)
    broken, removed, sound = playing.played
    await execute(database, text(f"UPDATE action SET text = '0 x Kd' WHERE match_id = {broken} AND number = 3"))
    remove = execute(database, delete(tables.match).where(tables.match.c.id == removed))
    await Gate(monkeypatch, luck, "due").hold_up(app.luck_counting.count_some(), remove)
    assert await saved(database) == await expected(database, clock, [sound])
    assert not await app.luck_counting.count_some()


@pytest.mark.thorough
async def test_the_leading_process_counts_by_itself(
    app: Application, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the leading process counts, at regular intervals, and continues after a database error."""
    playing = await evening(database, clock, 2)
    monkeypatch.setattr(counting, "LOOKS_AFTER", 0.01)
    tries, due = 0, luck.due

    async def fail_first(*args: object) -> object:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise DatabaseUnavailableError("temporarily unavailable")
        return await due(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(luck, "due", fail_first)
    app.share.grant({1: clock.now}, 2)
    looks, has = 0, Share.has

    def note(share: Share, guild_id: GuildId | None) -> bool:
        nonlocal looks
        looks += 1
        return has(share, guild_id)

    monkeypatch.setattr(Share, "has", note)
    running = asyncio.create_task(app.luck_counting.run())
    await eventually(lambda: looks > 3)
    assert tries == 0
    app.share.grant({0: clock.now}, 2)
    await eventually(lambda: tries > 4)
    running.cancel()
    assert await saved(database) == await expected(database, clock, playing.played)
