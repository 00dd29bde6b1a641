"""A server is purged in small batches that let other writes through and leave consistent data."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from unittest.mock import patch

import pytest
from sqlalchemy import func, insert, select

from bot.model.ids import PersonId
from bot.model.matches import MatchStatus
from bot.model.standings import ALL_TIME, Order
from bot.play.application import Application
from bot.play.guilds.guilds import RETENTION
from bot.play.loading import batches
from bot.store import tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.table import EAST, ELSEWHERE, GUILD, NORTH, OTHER_GUILD, SOUTH, Person, Players, interaction, place
from tests.helpers.writes import collect_writes
from tests.play.finished import save_finished_match

MAX_ROWS = 100
"""Maximum number of rows that a transaction removes in these tests, lower than the default."""
LONG_MATCH_ACTIONS = 250
"""Number of actions of the longest match."""
LARGE_BOARD_PEOPLE = 150
"""Number of people on the largest leaderboard."""


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit each transaction to `MAX_ROWS` removed rows."""
    for module in ("bot.play.guilds.guilds", "bot.play.loading.leftovers", "bot.store.challenges"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", MAX_ROWS)


async def nonempty_row_counts(database: Database) -> dict[str, int]:
    """Return the number of rows in each table that is not empty."""
    row_counts = {
        name: (await fetch(database, select(func.count()).select_from(table)))[0][0]
        for name, table in tables.metadata.tables.items()
    }
    return {name: count for name, count in row_counts.items() if count}


async def fill(app: Application, database: Database, players: Players, clock: Clock) -> None:
    """Fill a server with finished and running matches (one of them long), a large leaderboard and challenges."""
    for number in range(3):
        winner, loser = (Person(PersonId(1000 + 2 * number + seat), f"Somebody {number}") for seat in (0, 1))
        await save_finished_match(database, clock, winner, loser, void=False)
    finished = await players.begin("classic target=10")
    await players.win(finished.id)
    long_match = await players.begin_in_thread(rules="classic target=10000")
    for _ in range(7):
        challenge = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
        await app.challenges.withdraw(EAST.id, challenge.id)
    await app.challenges.issue(EAST, [], place(), interaction(), rules="partners")
    actions = [
        {"match_id": long_match.id, "number": 10_000 + number, "text": "0 pass", "at": clock.now}
        for number in range(LONG_MATCH_ACTIONS)
    ]
    board = (await fetch(database, select(tables.board.c.id).limit(1)))[0][0]
    row = dict.fromkeys(
        ("matches", "won", "lost", "drawn", "deals_won", "deals_lost", "points", "gins", "undercuts"), 1
    )
    row |= {"board_id": board, "net": 1, "rated": 1, "by_wins": 1, "by_points": 1}
    async with database.write() as transaction:
        await transaction.execute(insert(tables.action), actions)
        standings = [row | {"person_id": 100_000 + number} for number in range(LARGE_BOARD_PEOPLE)]
        await transaction.execute(insert(tables.standing), standings)


@pytest.mark.nightly
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
async def test_no_transaction_removes_many_rows(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """No transaction removes more than `MAX_ROWS` rows. In the end only people and other servers' data remain."""
    await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    await app.challenges.issue(EAST, [SOUTH.id], place(ELSEWHERE, OTHER_GUILD), interaction())
    before = await nonempty_row_counts(database)
    await fill(app, database, players, clock)
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))
    with collect_writes(database) as writes:
        await app.guilds.purge()
    assert max(write.rows for write in writes) <= MAX_ROWS
    assert sum(write.rows for write in writes) > LONG_MATCH_ACTIONS + LARGE_BOARD_PEOPLE
    changing_tables = {"guild", "person", "offer_ping"}
    after = {
        name: count for name, count in (await nonempty_row_counts(database)).items() if name not in changing_tables
    }
    assert after == {name: count for name, count in before.items() if name not in changing_tables}


@pytest.mark.both_databases
async def test_other_writes_run_between_batches(
    app: Application, database: Database, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move in another server is saved before a purge with many batches ends."""
    monkeypatch.setattr("bot.play.guilds.guilds.MAX_ROWS", 40)
    other = await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    for _ in range(4):
        await save_finished_match(database, clock, NORTH, SOUTH)
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))
    purging = asyncio.create_task(app.guilds.purge())
    await asyncio.sleep(0)
    await players.move(other.id, "pass")
    assert not purging.done()
    await purging
    assert GUILD not in await servers_with_data(database)


async def servers_with_data(database: Database) -> set[int]:
    """Return the ids of all servers with any data."""
    guild_ids = set[int]()
    for table in tables.metadata.tables.values():
        if "guild_id" in table.c:
            guild_ids |= {guild_id for (guild_id,) in await fetch(database, select(table.c.guild_id).distinct())}
    return guild_ids | {guild_id for (guild_id,) in await fetch(database, select(tables.guild.c.id))}


@pytest.mark.nightly
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
@pytest.mark.parametrize("max_batches", nightly_after(1, [9, 3, 1, 5, 7, 11, 13, 15]))
async def test_an_interrupted_purge_leaves_consistent_data(
    app: Application, database: Database, players: Players, clock: Clock, max_batches: int
) -> None:
    """A purge that is interrupted because the bot is back leaves consistent data and an empty leaderboard."""
    await fill(app, database, players, clock)
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))
    with patch.object(batches, "MAX_BATCHES", max_batches):
        await app.guilds.purge()
    await app.guilds.save_joined(GUILD)
    matches = await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id == GUILD))
    await app.guilds.purge()
    assert await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id == GUILD)) == matches
    assert await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id != GUILD)) == []
    seats = select(tables.seat.c.match_id, func.count()).group_by(tables.seat.c.match_id)
    assert [count for _, count in await fetch(database, seats)] == [2] * len(matches)
    withdrawn = select(tables.challenge.c.id).where(tables.challenge.c.status == "withdrawn")
    guests = set(await fetch(database, select(tables.guest.c.challenge_id)))
    assert set(await fetch(database, withdrawn)) <= guests
    assert (await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS, period=ALL_TIME)).people == 0
    match = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(match.id)
    assert (await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS, period=ALL_TIME)).people == 2


@pytest.mark.nightly
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
async def test_a_partly_deleted_match_cannot_be_reached(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """A match that is partly deleted cannot be reached through its players, its channel or its server."""
    await fill(app, database, players, clock)
    await app.guilds.save_left(GUILD)
    clock.pass_by(RETENTION + timedelta(seconds=1))

    async def is_partly_deleted() -> bool:
        detached = select(tables.match.c.id).where(tables.match.c.guild_id != GUILD)
        remaining = select(func.count()).select_from(tables.action)
        return (
            bool(await fetch(database, detached)) and 0 < (await fetch(database, remaining))[0][0] < LONG_MATCH_ACTIONS
        )

    await purge_until(is_partly_deleted, app)
    match = tables.match.c
    matches = await fetch(database, select(match.status, match.channel_id, match.number, match.card_channel_id))
    assert set(matches) == {(MatchStatus.CANCELLED, 0, None, None)}
    assert await fetch(database, select(tables.seat.c.match_id).where(tables.seat.c.person_id.is_not(None))) == []
    assert await app.lookup.hands(NORTH.id) == ()
    await app.luck_counting.count_some()
    await app.leaderboards.run_upkeep()
    assert await app.guilds.running(GUILD) == ()
    assert (await app.exports.export(NORTH.id))["matches"] == []


async def purge_until(condition: Callable[[], Awaitable[bool]], app: Application) -> None:
    """Purge one batch at a time until the condition is true."""
    for _ in range(100):
        with patch.object(batches, "MAX_BATCHES", 1):
            await app.guilds.purge()
        if await condition():
            return
    raise AssertionError("the condition never became true")
