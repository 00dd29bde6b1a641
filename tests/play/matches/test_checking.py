"""`find_fault` detects rows that do not match the log."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import Executable, delete, insert, update

from bot.play.application import Application
from bot.play.matches.checking import find_fault
from bot.store import matches, tables
from bot.store.database import Database
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.people import Person
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.table import NORTH, Players, interaction

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))


async def faults(database: Database) -> dict[MatchId, str]:
    """Return the faults of all matches that have one."""
    async with database.read() as transaction:
        found = {one: await find_fault(transaction, one) for one in await matches.after(transaction, 0, 1000)}
    return {match_id: fault for match_id, fault in found.items() if fault is not None}


@pytest.mark.thorough
async def test_matches_of_all_formats_are_what_their_logs_lead_to(database: Database) -> None:
    """Matches of all formats, played out, resigned or lost on time, have no fault."""
    random = RandomMatches(database, Clock(), PEOPLE, Random(7), resigns=0.01)
    await random.meet()
    for rules, seats in FORMATS:
        await random.play(rules, seats)
    assert await faults(database) == {}


async def test_matches_that_run_or_were_called_off_are_too(
    app: Application, players: Players, database: Database
) -> None:
    """Running, cancelled and resigned matches have no fault."""
    running = await players.begin("classic target=10")
    assert await faults(database) == {}
    await app.endings.cancel(running.id, running.guild_id, NORTH.id)  # pyright: ignore[reportArgumentType]
    assert await faults(database) == {}
    resigned = await players.begin("classic target=10")
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    assert await faults(database) == {}


DAMAGE: dict[str, Executable] = {
    "its log cannot be replayed": update(tables.action).where(tables.action.c.number == 3).values(text="1 fly"),
    "its rows cannot be read": update(tables.match).values(status=MatchStatus.FINISHED, clock="a sundial"),
    "its version is not the length of its log": update(tables.match).values(version=tables.match.c.version + 1),
    "its status is not that of its log": update(tables.match).values(status=MatchStatus.RUNNING),
    "its finished deals are not those of its log": update(tables.deal).values(points=tables.deal.c.points + 1),
    "its result is not that of its log": update(tables.seat).values(gins=tables.seat.c.gins + 1),
    "nobody has a seat in it": delete(tables.seat),
}


@pytest.mark.parametrize("fault", thorough_after(3, DAMAGE))
async def test_what_is_wrong_is_told(players: Players, database: Database, fault: str) -> None:
    """Each kind of damage has its own message, without cards."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await execute(database, DAMAGE[fault])
    assert await faults(database) == {match.id: fault}


async def test_a_deal_more_than_the_log_has_is_found(players: Players, database: Database) -> None:
    """A deal that is not in the log is a fault."""
    match = await players.begin("classic target=10")
    deal = {"kind": "gin", "winner": 0, "points": 20, "version": 1, "ended_at": match.moved_at}
    await execute(database, insert(tables.deal).values(match_id=match.id, number=1, **deal))
    assert await faults(database) == {match.id: "its finished deals are not those of its log"}
