"""Lessons: each person's step is stored, and only the right press advances it."""

from __future__ import annotations

import asyncio

from sqlalchemy import select

from bot.lesson.lesson import positions
from bot.lesson.script import READ_ON
from bot.play.application import Application
from bot.store import lessons, tables
from bot.store.database import Database
from tests.helpers.databases import fetch
from tests.helpers.table import NORTH, SOUTH


async def take(app: Application, steps: int) -> None:
    """Take the first `steps` steps as North."""
    for step, position in enumerate(positions()[:steps]):
        assert await app.lessons.press(NORTH, step, position.press) == step + 1


async def test_the_whole_lesson(app: Application) -> None:
    """Each step is left by its own press, and at the end no press has an effect."""
    end = len(positions())
    await take(app, end)
    assert await app.lessons.step(NORTH.id) == end
    assert await app.lessons.press(NORTH, end, READ_ON) == end


async def test_a_wrong_press_changes_nothing(app: Application, database: Database) -> None:
    """A wrong press changes nothing, and at the first step stores nothing."""
    assert await app.lessons.press(NORTH, 0, "take") == 0
    assert await fetch(database, select(tables.lesson)) == await fetch(database, select(tables.person)) == []
    await take(app, 2)
    for press in ("x 5h", "take", "", "no move at all"):
        assert await app.lessons.press(NORTH, 2, press) == 2


async def test_an_old_press_changes_nothing(app: Application) -> None:
    """The right press of another step returns the current step."""
    await take(app, 3)
    for step in (0, 1, 2, 4, len(positions()), 10**18):
        press = positions()[min(step, len(positions()) - 1)].press
        assert await app.lessons.press(NORTH, step, press) == 3


async def test_pressing_twice_at_once_takes_one_step(app: Application) -> None:
    """Simultaneous presses advance one step."""
    assert await asyncio.gather(*(app.lessons.press(NORTH, 0, READ_ON) for _ in range(5))) == [1] * 5


async def test_starting_over(app: Application, database: Database) -> None:
    """Starting over works from the current step only and deletes the stored step."""
    await take(app, 4)
    assert await app.lessons.start_over(NORTH.id, 3) == 4
    assert await app.lessons.start_over(NORTH.id, 4) == 0
    assert await fetch(database, select(tables.lesson)) == []
    assert await app.lessons.step(NORTH.id) == 0


async def test_everybody_has_a_step_of_their_own(app: Application) -> None:
    """Each person has their own step."""
    await take(app, 2)
    assert await app.lessons.step(SOUTH.id) == 0


async def test_a_step_that_no_longer_exists_is_the_end(app: Application, database: Database) -> None:
    """A stored step beyond the end of a shortened lesson counts as the end."""
    async with database.write() as transaction:
        await lessons.save(transaction, NORTH.id, 99)
    assert await app.lessons.step(NORTH.id) == len(positions())
    assert await app.lessons.start_over(NORTH.id, len(positions())) == 0


async def test_export_and_forgetting(app: Application) -> None:
    """An export has the step, and forgetting deletes it."""
    assert (await app.exports.export(NORTH.id))["lessons"] == []
    await take(app, 5)
    assert (await app.exports.export(NORTH.id))["lessons"] == [{"step": 5}]
    await app.people.forget(NORTH.id)
    assert await app.lessons.step(NORTH.id) == 0
    assert (await app.exports.export(NORTH.id))["lessons"] == []
