"""The database work of a move does not depend on the number of other matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import aiosqlite
import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from bot.engine.deals.moves import Verb
from bot.model.ids import InteractionId, MatchId, PersonId
from bot.play.application import Application
from bot.store.opening import open_database
from tests.helpers.databases import DatabaseKind, new_database
from tests.helpers.messages import FakeCourier
from tests.load.filling import FIRST_PERSON, fill

MOVE_COUNT: Final = 3
SERVER_COUNT: Final = 5


@contextmanager
def counted_steps() -> Generator[count[int]]:
    """Count the steps that SQLite's virtual machine takes on connections opened in this context."""
    steps = count()

    def step() -> int:
        next(steps)
        return 0

    async def count_on(driver: aiosqlite.Connection) -> None:
        await driver.set_progress_handler(step, 1)

    def watch(connection: Any, _: object) -> None:
        # Migrations use a plain `sqlite3` connection and are not counted.
        if not isinstance(connection, sqlite3.Connection):
            connection.run_async(count_on)

    event.listen(Pool, "connect", watch)
    try:
        yield steps
    finally:
        event.remove(Pool, "connect", watch)


async def steps_of_moves(folder: Path, matches: int) -> int:
    """Return how many steps SQLite takes for `MOVE_COUNT` moves and their messages while this many matches are open."""
    url = new_database(folder / f"{matches}.db", DatabaseKind.SQLITE)
    await fill(url, SERVER_COUNT, matches, played=1)
    with counted_steps() as steps:
        database = await open_database(url)
        app = Application(database)
        courier, match_id = FakeCourier(app), MatchId(1)
        await courier.deliver()
        before = next(steps)
        for number in range(MOVE_COUNT):
            view = (await app.lookup.table(match_id)).view
            assert view.turn is not None
            mover = PersonId(FIRST_PERSON + 2 + view.turn)
            moves = (await app.lookup.hand(mover, match_id)).view.moves
            # A knock would end the deal, which costs more.
            move = next(move for move in reversed(moves) if move.verb is not Verb.KNOCK)
            await app.turns.move(mover, match_id, move, InteractionId(100 + number))
            await courier.deliver()
        steps_taken = next(steps) - before
        await database.close()
    return steps_taken


@pytest.mark.thorough
async def test_the_number_of_matches_does_not_slow_moves(tmp_path: Path) -> None:
    """A move and its messages take at most 10% more SQLite steps among a thousand matches than among ten."""
    few, many = await steps_of_moves(tmp_path, 10), await steps_of_moves(tmp_path, 1_000)
    assert few > 1_000
    assert many <= 1.1 * few, (few, many)
