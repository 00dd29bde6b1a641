"""The database: opened once, migrated, locked against a second bot, and used in whole transactions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import datetime
from enum import Enum, auto
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import sqlite
from bot.store.health import DatabaseHealth, Use
from bot.store.migrate import migrate

Transaction = AsyncConnection
"""What queries run in; the query functions of this package take it first."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Lane(Enum):
    """A kind of reader. Each has connections of its own, so that nobody waits behind what others ask."""

    PLAY = auto()
    """People who wait for an answer."""
    BACKGROUND = auto()
    """The courier, the housekeeping and the heartbeat."""
    LONG = auto()
    """Work that takes seconds, such as an export."""


CONNECTIONS: Final = {Lane.PLAY: 3, Lane.BACKGROUND: 2, Lane.LONG: 2}


class Database:
    """A database used by this process alone. Make one with `Database.open`, and close it.

    A transaction that meets trouble that may pass, such as a full disk, raises `DatabaseUnavailableError`; one that
    finds the file damaged raises `DatabaseDamagedError`. Neither saves anything.
    """

    def __init__(
        self, url: str, lock: sqlite.FileLock, writer: Transaction, readers: Mapping[Lane, AsyncEngine]
    ) -> None:
        self.url = url
        self.health = DatabaseHealth(sqlite.path_of(url))
        self._lock = lock
        self._writer = writer
        self._writing = asyncio.Lock()
        self._readers = readers
        self._open_transactions = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._closing: asyncio.Task[None] | None = None

    @staticmethod
    async def open(url: str) -> Database:
        """Lock the file, check it, bring its tables up to date (keeping a copy of the file as it was), and open it.

        The URL is one of SQLAlchemy's, such as `sqlite:///deadwood.db`. Raise `DatabaseError` if it is not a SQLite
        file, cannot be read or written, another bot uses it, it comes from a newer version, or it is damaged;
        `PrivateFileError` if everyone may read it; `DatabaseUnavailableError` for trouble that may pass.
        """
        path = sqlite.path_of(url)
        sqlite.require_version()
        lock = sqlite.FileLock(path)
        try:
            sqlite.require_usable(path)
            await asyncio.to_thread(sqlite.check, path)
            await asyncio.to_thread(migrate, path)
            readers = {lane: sqlite.create_reader(path, connections) for lane, connections in CONNECTIONS.items()}
            return Database(url, lock, await sqlite.create_writer(path).connect(), readers)
        except BaseException:
            lock.release()
            raise

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction that commits at the end of the block, and rolls back if the block raises.

        Writers take turns. Await nothing but the database inside. Raise `DatabaseError` if the database is closed.
        """
        with self._in_use(), self.health.watch(Use.WRITE):
            async with self.health.turn(self._writing), self._writer.begin():
                yield self._writer
                if self.health.trouble is not None:
                    await sqlite.change_something(self._writer)

    @asynccontextmanager
    async def read(self, lane: Lane = Lane.PLAY) -> AsyncGenerator[Transaction]:
        """Begin a transaction that sees one state of the database and cannot change it.

        Raise `DatabaseError` if the database is closed.
        """
        with self._in_use(), self.health.watch(Use.READ):
            async with self._readers[lane].begin() as transaction:
                yield transaction

    @contextmanager
    def _in_use(self) -> Generator[None]:
        if self._closing is not None:
            raise sqlite.DatabaseError("the database is closed")
        self._open_transactions += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._open_transactions -= 1
            if not self._open_transactions:
                self._unused.set()

    @property
    def idle(self) -> bool:
        """True if no transaction is open."""
        return not self._open_transactions

    async def ping(self) -> None:
        """Run a query, or raise whatever keeps the database from answering. If it has trouble, try to write too."""
        if self.health.trouble is not None:
            async with self.write():
                pass
        async with self.read(Lane.BACKGROUND) as transaction:
            await transaction.execute(text("SELECT 1"))

    async def erase_traces(self) -> None:
        """Remove what deleted rows left in the files; see `sqlite.erase_traces`. Writers wait meanwhile.

        Raise `DatabaseError` if something remains, or the database is closed.
        """
        path = sqlite.path_of(self.url)
        with self._in_use():
            async with self._writing:
                try:
                    await asyncio.to_thread(sqlite.erase_traces, path)
                except sqlite.DatabaseError as error:
                    self.health.note_damage(error.__cause__)
                    raise

    async def remove_copies(self, until: datetime) -> None:
        """Remove the copies from before updates that were made until a moment. Raise `DatabaseError` if one stays."""
        await asyncio.to_thread(sqlite.remove_copies, sqlite.path_of(self.url), until)

    async def close(self) -> None:
        """Wait for running transactions, tidy up, and release the file. Cancelling the caller does not stop this."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._unused.wait()
        async with AsyncExitStack() as at_end:
            at_end.callback(self._lock.release)
            at_end.push_async_callback(self._writer.engine.dispose)
            at_end.push_async_callback(self._writer.close)
            for reader in self._readers.values():
                at_end.push_async_callback(reader.dispose)
            if self.health.trouble is None:
                await sqlite.tidy_up(self._writer)


_running: set[asyncio.Task[Any]] = set()
"""Shielded calls in progress: the event loop itself only keeps weak references to tasks."""


def shielded(
    function: Callable[Parameters, Coroutine[Any, Any, Result]],
) -> Callable[Parameters, Coroutine[Any, Any, Result]]:
    """Run a coroutine function in a task of its own, so that cancelling its caller does not stop it halfway."""

    @wraps(function)
    async def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        task = asyncio.create_task(function(*args, **kwargs))
        _running.add(task)
        task.add_done_callback(_running.discard)
        return await asyncio.shield(task)

    return run
