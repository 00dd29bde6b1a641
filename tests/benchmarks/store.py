"""What a move costs in the database: its time, its statements, and the bytes it writes.

A move stands beside a bare transaction of as many statements through the same engine, turn about in the same run; its
statements and bytes beside the least transaction that could keep a move at all: an update and an insert.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any, Final

from sqlalchemy import Engine, event, text

from bot.engine.moves import Move
from bot.play.application import Application
from bot.store.database import Database, Transaction
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import Players, interaction, sensible

MOVES: Final = 400
WEIGHED: Final = 10
"""One move in so many is weighed, the others are timed: to weigh one the write-ahead log must be emptied first."""

Row = tuple[str, float, float, str]
"""A figure: its name, ours, the reference's, and the unit of both."""

_MILLISECOND = 1e-3
_LOOK = text("SELECT value FROM setting WHERE name = 'bare'")
_CHANGE = text("UPDATE setting SET value = value + 1 WHERE name = 'bare'")
_ADD = text("INSERT INTO setting (name, value) SELECT count(*), '0 draw' FROM setting")


def measure() -> list[Row]:
    """The figures of one move in a running match, where both hands go out by direct message."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder) / "benchmark.db"))


async def _measured(path: Path) -> list[Row]:
    database = await Database.open(f"sqlite:///{path}")
    await database.write(_bare([text("INSERT INTO setting (name, value) VALUES ('bare', '0')")]))
    seconds: list[float] = []
    bare_seconds: list[float] = []
    statements: list[int] = []
    weights: list[int] = []
    bare_weights: list[int] = []
    number = 0
    async for move in _moves(database):
        number += 1
        if number % WEIGHED == 0:
            weights.append(await _weigh(path, move))
            bare_weights.append(await _weigh(path, lambda: database.write(_bare([_CHANGE, _ADD]))))
        else:
            with _counted() as sent:
                seconds.append(await _time(move))
            statements.append(len(sent))
            bare = _bare([_LOOK, _CHANGE, *[_ADD] * (len(sent) - 2)])
            bare_seconds.append(await _time(lambda bare=bare: database.write(bare)))
    await database.close()
    return [
        ("commit of one move", median(seconds) / _MILLISECOND, median(bare_seconds) / _MILLISECOND, "ms"),
        ("statements of one move", mean(statements), 2, "statements"),
        ("bytes written for one move", mean(weights), mean(bare_weights), "B"),
    ]


async def _moves(database: Database) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """So many moves of one long match, each as a function that makes it."""
    players, random = Players(Application(database, shuffler=RiggedShuffler(seed=1))), Random(1)
    await players.reach(*players.people)
    card = await players.begin("classic target=10000")

    def made(person_id: int, move: Move) -> Callable[[], Awaitable[Any]]:
        return lambda: players.app.turns.move(person_id, card.id, move, interaction())

    for _ in range(MOVES):
        mover = await players.to_act(card.id)
        hand = await players.app.lookup.hand(mover[0], card.id)
        yield made(mover[0], sensible(hand.view, random))


def _bare(queries: list[Any]) -> Callable[[Transaction], Awaitable[None]]:
    """A transaction of these statements and nothing else."""

    async def work(transaction: Transaction) -> None:
        for query in queries:
            await transaction.execute(query)

    return work


async def _time(work: Callable[[], Awaitable[Any]]) -> float:
    begun = perf_counter()
    await work()
    return perf_counter() - begun


async def _weigh(path: Path, work: Callable[[], Awaitable[Any]]) -> int:
    """The bytes of the write-ahead log that a piece of work takes."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await work()
        return _size(path.with_name(path.name + "-wal"))


def _size(path: Path) -> int:
    return path.stat().st_size


@contextmanager
def _counted() -> Generator[list[str]]:
    """The statements that go to the driver, beside BEGIN and COMMIT."""
    sent: list[str] = []

    def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("BEGIN"):
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", before)
