"""Benchmark of a move in the database (time, statements, written bytes), and of the cost of a chain for a deal.

The time of a move is compared with a plain transaction of equally many statements through the same engine. Statements
and bytes are compared with the smallest transaction that could save a move: an update and an insert. A deal of a
verifiable match is compared with the same cards and moves in a match without a chain. Everything that is compared is
measured alternately in the same run.
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
from time import perf_counter, process_time
from typing import Any, Final

from sqlalchemy import Engine, TextClause, event, text

from bot.engine.chance import Cards
from bot.engine.fair import Event
from bot.engine.moves import Move
from bot.play.application import Application
from bot.store.database import Database
from bot.store.opening import open_database
from bot.values.ids import ChannelId, PersonId
from bot.values.matches import MatchInfo
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import Players, interaction, sensible

MOVES: Final = 400
DEALS: Final = 40
"""Number of deals to play with a chain, and also without."""
WEIGHED: Final = 10
"""Interval between measurements of written bytes, in moves. They first empty the log, so other moves are timed."""

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MILLISECOND = 1e-3
_LOOK = text("SELECT value FROM key_value WHERE key = 'bare'")
_CHANGE = text("UPDATE key_value SET value = value + 1 WHERE key = 'bare'")
_ADD = text("INSERT INTO key_value (key, value) SELECT count(*), '0 draw' FROM key_value")


def measure() -> list[Row]:
    """Measure moves in a match in which both hands are sent by direct message, and whole deals."""
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_measured(Path(folder) / "benchmark.db"))
        return [*rows, asyncio.run(_with_and_without_chain(Path(folder) / "deals.db"))]


async def _measured(path: Path) -> list[Row]:
    database = await open_database(f"sqlite:///{path}")
    await _bare(database, [text("INSERT INTO key_value (key, value) VALUES ('bare', '0')")])
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
            bare_weights.append(await _weigh(path, lambda: _bare(database, [_CHANGE, _ADD])))
        else:
            with _counted() as sent:
                seconds.append(await _time(move))
            statements.append(len(sent))
            bare = [_LOOK, _CHANGE, *[_ADD] * (len(sent) - 2)]
            bare_seconds.append(await _time(lambda bare=bare: _bare(database, bare)))
    await database.close()
    return [
        ("commit of one move", median(seconds) / _MILLISECOND, median(bare_seconds) / _MILLISECOND, "ms"),
        ("statements of one move", mean(statements), 2, "statements"),
        ("bytes written for one move", mean(weights), mean(bare_weights), "B"),
    ]


class _SameCards(RiggedShuffler):
    """A shuffler that computes the deck of an event but then deals the same cards as without events."""

    def for_event(self, event: Event) -> Cards:
        """Compute the event's deck, discard it, and return the rigged cards."""
        event.deck()
        return self


async def _with_and_without_chain(path: Path) -> Row:
    """Return the CPU time of a deal with and without a chain, in milliseconds."""
    database = await open_database(f"sqlite:///{path}")
    seconds: dict[bool, list[float]] = {True: [], False: []}
    tables = dict[bool, tuple[Players, MatchInfo, Random]]()
    for verifiable in seconds:
        app = Application(database, shuffler=_SameCards(seed=1))
        players = Players(app, verifiable=verifiable)
        match = await players.begin("classic target=10000", ChannelId(1 + verifiable))
        tables[verifiable] = players, match, Random(1)
    for _ in range(DEALS):
        for verifiable, table in tables.items():
            seconds[verifiable].append(await _deal(*table))
    await database.close()
    with_chain, without = (median(seconds[verifiable]) / _MILLISECOND for verifiable in (True, False))
    return ("commits of a deal, beside the same without a chain", with_chain, without, "ms")


async def _deal(players: Players, match: MatchInfo, random: Random) -> float:
    """Play a deal, and return the CPU time of its moves in seconds. Disk time, which is equal for all, is excluded."""
    number, seconds = (await players.app.lookup.table(match.id)).view.number, 0.0
    while (table := await players.app.lookup.table(match.id)).view.number == number:
        assert table.view.turn is not None
        mover = players.people[table.view.turn]
        move = sensible((await players.app.lookup.hand(mover.id, match.id)).view, random)
        begun = process_time()
        await players.app.turns.move(mover.id, match.id, move, interaction())
        seconds += process_time() - begun
    return seconds


async def _moves(database: Database) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """Yield the moves of a long match as functions that make the move."""
    players, random = Players(Application(database, shuffler=RiggedShuffler(seed=1))), Random(1)
    await players.reach(*players.people)
    match = await players.begin("classic target=10000")

    def made(person_id: PersonId, move: Move) -> Callable[[], Awaitable[Any]]:
        return lambda: players.app.turns.move(person_id, match.id, move, interaction())

    for _ in range(MOVES):
        mover = await players.to_act(match.id)
        hand = await players.app.lookup.hand(mover.id, match.id)
        yield made(mover.id, sensible(hand.view, random))


async def _bare(database: Database, statements: list[TextClause]) -> None:
    """Run only these statements in a transaction."""
    async with database.write() as transaction:
        for statement in statements:
            await transaction.execute(statement)


async def _time(work: Callable[[], Awaitable[Any]]) -> float:
    begun = perf_counter()
    await work()
    return perf_counter() - begun


async def _weigh(path: Path, work: Callable[[], Awaitable[Any]]) -> int:
    """Return the number of bytes that a piece of work adds to the write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await work()
        return _size(path.with_name(path.name + "-wal"))


def _size(path: Path) -> int:
    return path.stat().st_size


@contextmanager
def _counted() -> Generator[list[str]]:
    """Collect the statements that are sent to the driver, without BEGIN and COMMIT."""
    sent: list[str] = []

    def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", before)
