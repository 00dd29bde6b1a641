"""`find_fault` detects rows that do not match the log."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import Executable, delete, insert, update

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person
from bot.play.application import Application
from bot.play.matches.checking import find_fault
from bot.store import matches, tables
from bot.store.database import Database
from tests.helpers.cases import thorough_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute
from tests.helpers.random_matches import FORMATS, RandomMatches
from tests.helpers.table import NORTH, Players, interaction

PEOPLE = tuple(Person(PersonId(1000 + number), f"Player {number}") for number in range(4))


async def faults(database: Database) -> dict[MatchId, str]:
    """Return the fault of each match that has one, by match id."""
    async with database.read() as transaction:
        faults_by_match = {
            next_id_: await find_fault(transaction, next_id_)
            for next_id_ in await matches.next_ids(transaction, 0, 1000)
        }
    return {match_id: fault for match_id, fault in faults_by_match.items() if fault is not None}


@pytest.mark.thorough
async def test_matches_of_all_formats_have_no_fault(database: Database) -> None:
    """Matches of all formats, played out, resigned or lost on time, have no fault."""
    random = RandomMatches(database, Clock(), PEOPLE, Random(7), resigns=0.01)
    await random.save_names()
    for rules, seats in FORMATS:
        await random.play(rules, seats)
    assert await faults(database) == {}


async def test_running_and_cancelled_matches_have_no_fault(
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
    "its status does not match its log": update(tables.match).values(status=MatchStatus.RUNNING),
    "its finished deals do not match its log": update(tables.deal).values(points=tables.deal.c.points + 1),
    "its result does not match its log": update(tables.seat).values(gins=tables.seat.c.gins + 1),
    "it has no seats": delete(tables.seat),
}


@pytest.mark.parametrize("fault", thorough_after(3, DAMAGE))
async def test_each_kind_of_damage_has_its_message(players: Players, database: Database, fault: str) -> None:
    """Each kind of damage to stored data has its own fault message, which shows no cards."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await execute(database, DAMAGE[fault])
    assert await faults(database) == {match.id: fault}


async def test_a_deal_that_is_not_in_the_log_is_a_fault(players: Players, database: Database) -> None:
    """A stored deal that is missing from the log is a fault."""
    match = await players.begin("classic target=10")
    deal = {"kind": "gin", "winner": 0, "points": 20, "version": 1, "ended_at": match.moved_at}
    await execute(database, insert(tables.deal).values(match_id=match.id, number=1, **deal))
    assert await faults(database) == {match.id: "its finished deals do not match its log"}
