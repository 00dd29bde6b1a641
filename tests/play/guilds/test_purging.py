"""A server is purged in small batches that let other writes through and leave consistent data."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from unittest.mock import patch

import pytest
from sqlalchemy import func, insert, select

from bot.play.application import Application
from bot.play.guilds.guilds import KEPT_FOR
from bot.play.loading import batches
from bot.store import tables
from bot.store.database import Database
from bot.values.ids import PersonId
from bot.values.matches import MatchStatus
from bot.values.standings import ALL_TIME, Order
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.table import EAST, ELSEWHERE, GUILD, NORTH, OTHER_GUILD, SOUTH, Person, Players, interaction, place
from tests.helpers.writes import writes_of
from tests.play.finished import save_finished_match

MAX_ROWS = 100
"""Maximum number of rows that a transaction removes in these tests, lower than the default."""
LONG = 250
"""Number of actions of the longest match."""
STANDINGS = 150
"""Number of people on the largest leaderboard."""


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit each transaction to `MAX_ROWS` removed rows."""
    for module in ("bot.play.guilds.guilds", "bot.play.loading.leftovers", "bot.store.challenges"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", MAX_ROWS)


async def counts(database: Database) -> dict[str, int]:
    """Return the number of rows in each table that is not empty."""
    found = {
        name: (await fetch(database, select(func.count()).select_from(table)))[0][0]
        for name, table in tables.metadata.tables.items()
    }
    return {name: count for name, count in found.items() if count}


async def fill(app: Application, database: Database, players: Players, clock: Clock) -> None:
    """Give a server finished and running matches, one of them long, a large leaderboard, and challenges."""
    for number in range(3):
        winner, loser = (Person(PersonId(1000 + 2 * number + seat), f"Somebody {number}") for seat in (0, 1))
        await save_finished_match(database, clock, winner, loser, void=False)
    over = await players.begin("classic target=10")
    await players.win(over.id)
    long = await players.begin("classic target=10000")
    for _ in range(7):
        issued = await app.challenges.issue(EAST, [SOUTH.id], place(), interaction())
        await app.challenges.withdraw(EAST.id, issued.id)
    await app.challenges.issue(EAST, [], place(), interaction(), rules="partners")
    actions = [
        {"match_id": long.id, "number": 10_000 + number, "text": "0 pass", "at": clock.now} for number in range(LONG)
    ]
    board = (await fetch(database, select(tables.board.c.id).limit(1)))[0][0]
    row = dict.fromkeys(
        ("matches", "won", "lost", "drawn", "deals_won", "deals_lost", "points", "gins", "undercuts"), 1
    )
    row |= {"board_id": board, "net": 1, "rated": 1, "by_wins": 1, "by_points": 1}
    async with database.write() as transaction:
        await transaction.execute(insert(tables.action), actions)
        standings = [row | {"person_id": 100_000 + number} for number in range(STANDINGS)]
        await transaction.execute(insert(tables.standing), standings)


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
async def test_no_transaction_removes_many_rows(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """No transaction removes more than `MAX_ROWS` rows, and only people and data of other servers remain."""
    await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    await app.challenges.issue(EAST, [SOUTH.id], place(ELSEWHERE, OTHER_GUILD), interaction())
    before = await counts(database)
    await fill(app, database, players, clock)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    with writes_of(database) as writes:
        await app.guilds.purge()
    assert max(write.rows for write in writes) <= MAX_ROWS
    assert sum(write.rows for write in writes) > LONG + STANDINGS
    gone = {"guild", "person", "offer_ping"}
    after = {name: count for name, count in (await counts(database)).items() if name not in gone}
    assert after == {name: count for name, count in before.items() if name not in gone}


@pytest.mark.both_databases
async def test_others_write_between_the_portions(
    app: Application, database: Database, players: Players, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move in another server is saved before a purge with many batches ends."""
    monkeypatch.setattr("bot.play.guilds.guilds.MAX_ROWS", 40)
    other = await players.begin(channel_id=ELSEWHERE, guild_id=OTHER_GUILD)
    for _ in range(4):
        await save_finished_match(database, clock, NORTH, SOUTH)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    purging = asyncio.create_task(app.guilds.purge())
    await asyncio.sleep(0)
    await players.move(other.id, "pass")
    assert not purging.done()
    await purging
    assert GUILD not in await known(database)


async def known(database: Database) -> set[int]:
    """Return the ids of all servers with any data."""
    found = set[int]()
    for table in tables.metadata.tables.values():
        if "guild_id" in table.c:
            found |= {guild_id for (guild_id,) in await fetch(database, select(table.c.guild_id).distinct())}
    return found | {guild_id for (guild_id,) in await fetch(database, select(tables.guild.c.id))}


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
@pytest.mark.parametrize("portions", nightly_after(1, [9, 3, 1, 5, 7, 11, 13, 15]))
async def test_a_server_may_come_back_in_the_middle(
    app: Application, database: Database, players: Players, clock: Clock, portions: int
) -> None:
    """A purge that is interrupted because the bot is back leaves consistent data and an empty leaderboard."""
    await fill(app, database, players, clock)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))
    with patch.object(batches, "MAX_BATCHES", portions):
        await app.guilds.purge()
    await app.guilds.joined(GUILD)
    matches = await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id == GUILD))
    await app.guilds.purge()
    assert await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id == GUILD)) == matches
    assert await fetch(database, select(tables.match.c.id).where(tables.match.c.guild_id != GUILD)) == []
    seats = select(tables.seat.c.match_id, func.count()).group_by(tables.seat.c.match_id)
    assert [count for _, count in await fetch(database, seats)] == [2] * len(matches)
    named = select(tables.challenge.c.id).where(tables.challenge.c.status == "withdrawn")
    guests = set(await fetch(database, select(tables.guest.c.challenge_id)))
    assert set(await fetch(database, named)) <= guests
    assert (await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS, period=ALL_TIME)).people == 0
    match = await players.begin("classic target=10", channel_id=ELSEWHERE)
    await players.win(match.id)
    assert (await app.leaderboards.page(GUILD, NORTH.id, order=Order.WINS, period=ALL_TIME)).people == 2


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.usefixtures("small_portions")
async def test_a_match_in_part_can_be_reached_by_nobody(
    app: Application, database: Database, players: Players, clock: Clock
) -> None:
    """A match that is partly deleted cannot be reached through its players, its channel or its server."""
    await fill(app, database, players, clock)
    await app.guilds.left(GUILD)
    clock.pass_by(KEPT_FOR + timedelta(seconds=1))

    async def in_part() -> bool:
        aside = select(tables.match.c.id).where(tables.match.c.guild_id != GUILD)
        left = select(func.count()).select_from(tables.action)
        return bool(await fetch(database, aside)) and 0 < (await fetch(database, left))[0][0] < LONG

    await until(in_part, app)
    everything = await fetch(database, select(tables.match.c.status, tables.match.c.channel_id, tables.match.c.number))
    assert set(everything) == {(MatchStatus.CANCELLED, 0, None)}
    assert await fetch(database, select(tables.seat.c.match_id).where(tables.seat.c.person_id.is_not(None))) == []
    assert await app.lookup.hands(NORTH.id) == ()
    await app.luck_counting.count_some()
    await app.leaderboards.tidy()
    assert await app.guilds.running(GUILD) == ()
    assert (await app.exports.export(NORTH.id))["matches"] == []


async def until(happened: Callable[[], Awaitable[bool]], app: Application) -> None:
    """Purge one batch at a time until the condition is true."""
    for _ in range(100):
        with patch.object(batches, "MAX_BATCHES", 1):
            await app.guilds.purge()
        if await happened():
            return
    raise AssertionError("the condition never became true")
