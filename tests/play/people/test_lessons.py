"""Lessons: each person's step is stored, and only a press of the right button advances it."""

from __future__ import annotations

import asyncio

from sqlalchemy import select

from bot.lesson.lesson import positions
from bot.lesson.script import CONTINUE
from bot.play.application import Application
from bot.store import lessons, tables
from bot.store.database import Database
from tests.helpers.databases import fetch
from tests.helpers.table import NORTH, SOUTH


async def take_steps(app: Application, steps: int) -> None:
    """Take the first `steps` steps as North."""
    for step, position in enumerate(positions()[:steps]):
        assert await app.lessons.press(NORTH, step, position.press) == step + 1


async def test_the_whole_lesson(app: Application) -> None:
    """Pressing the right button takes a person from each step to the next; at the end presses have no effect."""
    end = len(positions())
    await take_steps(app, end)
    assert await app.lessons.step(NORTH.id) == end
    assert await app.lessons.press(NORTH, end, CONTINUE) == end


async def test_a_wrong_press_changes_nothing(app: Application, database: Database) -> None:
    """A wrong press does not change the step. At the first step, it stores neither the lesson nor the person."""
    assert await app.lessons.press(NORTH, 0, "take") == 0
    assert await fetch(database, select(tables.lesson)) == await fetch(database, select(tables.person)) == []
    await take_steps(app, 2)
    for press in ("x 5h", "take", "", "no move at all"):
        assert await app.lessons.press(NORTH, 2, press) == 2


async def test_an_old_press_changes_nothing(app: Application) -> None:
    """Pressing a button that belongs to another step, such as an earlier step, changes nothing."""
    await take_steps(app, 3)
    for step in (0, 1, 2, 4, len(positions()), 10**18):
        press = positions()[min(step, len(positions()) - 1)].press
        assert await app.lessons.press(NORTH, step, press) == 3


async def test_simultaneous_presses_take_one_step(app: Application) -> None:
    """Several simultaneous presses advance the lesson by only one step."""
    assert await asyncio.gather(*(app.lessons.press(NORTH, 0, CONTINUE) for _ in range(5))) == [1] * 5


async def test_starting_over(app: Application, database: Database) -> None:
    """Starting over deletes the stored step, but only if the request comes from the person's current step."""
    await take_steps(app, 4)
    assert await app.lessons.start_over(NORTH.id, 3) == 4
    assert await app.lessons.start_over(NORTH.id, 4) == 0
    assert await fetch(database, select(tables.lesson)) == []
    assert await app.lessons.step(NORTH.id) == 0


async def test_each_person_has_their_own_step(app: Application) -> None:
    """Each person has their own step."""
    await take_steps(app, 2)
    assert await app.lessons.step(SOUTH.id) == 0


async def test_a_step_that_no_longer_exists_is_the_end(app: Application, database: Database) -> None:
    """A stored step beyond the end of a shortened lesson counts as the end."""
    async with database.write() as transaction:
        await lessons.save(transaction, NORTH.id, 99)
    assert await app.lessons.step(NORTH.id) == len(positions())
    assert await app.lessons.start_over(NORTH.id, len(positions())) == 0


async def test_export_and_forgetting(app: Application) -> None:
    """An export has the person's step in the lesson, and forgetting the person deletes it."""
    assert (await app.exports.export(NORTH.id))["lessons"] == []
    await take_steps(app, 5)
    assert (await app.exports.export(NORTH.id))["lessons"] == [{"step": 5}]
    await app.people.forget(NORTH.id)
    assert await app.lessons.step(NORTH.id) == 0
    assert (await app.exports.export(NORTH.id))["lessons"] == []
