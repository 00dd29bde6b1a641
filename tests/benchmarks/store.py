"""Benchmark of a move in the database (time, statements, written bytes), and of the cost of a hash chain.

The time of a move is compared with a simple transaction of equally many statements through the same engine. Statements
and bytes are compared with the smallest transaction that could save a move: an update and an insert. A deal of a
verifiable match is compared with the same cards and moves in a match without a hash chain. A figure and its reference
are measured alternately in the same run.
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

from bot.engine.deals.moves import Move
from bot.engine.fairness.fair import Event
from bot.engine.matches.chance import CardSource
from bot.model.ids import ChannelId, PersonId
from bot.model.matches import MatchInfo
from bot.play.application import Application
from bot.store.database import Database
from bot.store.opening import open_database
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import Players, interaction, sensible_move

MOVES: Final = 400
DEALS: Final = 40
"""Number of deals to play with a hash chain, and again without one."""
WEIGH_INTERVAL: Final = 10
"""Number of moves from one measurement of written bytes to the next.

A move whose bytes are measured is not timed, because the write-ahead log is emptied before it.
"""

Row = tuple[str, float, float, str]
"""A figure: name, measured value, reference value, and unit."""

_MILLISECOND = 1e-3
_LOOK = text("SELECT value FROM key_value WHERE key = 'bare'")
_CHANGE = text("UPDATE key_value SET value = value + 1 WHERE key = 'bare'")
_ADD = text("INSERT INTO key_value (key, value) SELECT count(*), '0 draw' FROM key_value")


def measure() -> list[Row]:
    """Measure single moves of a match with both hands sent by direct message, and whole deals of other matches."""
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_measure(Path(folder) / "benchmark.db"))
        return [*rows, asyncio.run(_measure_chain(Path(folder) / "deals.db"))]


async def _measure(path: Path) -> list[Row]:
    database = await open_database(f"sqlite:///{path}")
    await _run_minimal(database, [text("INSERT INTO key_value (key, value) VALUES ('bare', '0')")])
    seconds: list[float] = []
    minimal_seconds: list[float] = []
    statements: list[int] = []
    byte_counts: list[int] = []
    minimal_byte_counts: list[int] = []
    number = 0
    async for move in _moves(database):
        number += 1
        if number % WEIGH_INTERVAL == 0:
            byte_counts.append(await _bytes_written(path, move))
            minimal_byte_counts.append(await _bytes_written(path, lambda: _run_minimal(database, [_CHANGE, _ADD])))
        else:
            with _collecting_statements() as sent:
                seconds.append(await _time(move))
            statements.append(len(sent))
            bare = [_LOOK, _CHANGE, *[_ADD] * (len(sent) - 2)]
            minimal_seconds.append(await _time(lambda bare=bare: _run_minimal(database, bare)))
    await database.close()
    return [
        ("commit of one move", median(seconds) / _MILLISECOND, median(minimal_seconds) / _MILLISECOND, "ms"),
        ("statements of one move", mean(statements), 2, "statements"),
        ("bytes written for one move", mean(byte_counts), mean(minimal_byte_counts), "B"),
    ]


class _SameCards(RiggedShuffler):
    """A shuffler that deals the same cards in verifiable matches as in others.

    It still computes the decks of verifiable matches, so that their computation is included in the measured time.
    """

    def for_event(self, event: Event) -> CardSource:
        """Compute the event's deck, discard it, and return the rigged cards."""
        event.deck()
        return self


async def _measure_chain(path: Path) -> Row:
    """Return the CPU times of a deal with and without a hash chain, in milliseconds."""
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
    """Play a deal, and return the CPU time of its moves in seconds.

    Disk time is excluded, because it is the same with and without a hash chain.
    """
    number, seconds = (await players.app.lookup.table(match.id)).view.number, 0.0
    while (table := await players.app.lookup.table(match.id)).view.number == number:
        assert table.view.turn is not None
        mover = players.people[table.view.turn]
        move = sensible_move((await players.app.lookup.hand(mover.id, match.id)).view, random)
        started_at = process_time()
        await players.app.turns.move(mover.id, match.id, move, interaction())
        seconds += process_time() - started_at
    return seconds


async def _moves(database: Database) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """Yield the moves of a long match, each as a function that makes the move."""
    players, random = Players(Application(database, shuffler=RiggedShuffler(seed=1))), Random(1)
    await players.open_dms(*players.people)
    match = await players.begin("classic target=10000")

    def made(person_id: PersonId, move: Move) -> Callable[[], Awaitable[Any]]:
        return lambda: players.app.turns.move(person_id, match.id, move, interaction())

    for _ in range(MOVES):
        mover = await players.to_act(match.id)
        hand = await players.app.lookup.hand(mover.id, match.id)
        yield made(mover.id, sensible_move(hand.view, random))


async def _run_minimal(database: Database, statements: list[TextClause]) -> None:
    """Run these statements in a transaction, and nothing else."""
    async with database.write() as transaction:
        for statement in statements:
            await transaction.execute(statement)


async def _time(work: Callable[[], Awaitable[Any]]) -> float:
    started_at = perf_counter()
    await work()
    return perf_counter() - started_at


async def _bytes_written(path: Path, work: Callable[[], Awaitable[Any]]) -> int:
    """Return the number of bytes that a piece of work adds to the write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await work()
        return _size(path.with_name(path.name + "-wal"))


def _size(path: Path) -> int:
    return path.stat().st_size


@contextmanager
def _collecting_statements() -> Generator[list[str]]:
    """Collect the statements that are sent to the driver, without BEGIN and COMMIT."""
    sent: list[str] = []

    def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", before)
