"""Connections to a SQLite file, and transactions on them.

Each connection has a thread. A call to the thread takes longer than most queries, so a call does as much as possible.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import aiosqlite
from sqlalchemy import AsyncAdaptedQueuePool
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import metrics
from bot.store.aiosqlite_internals import ThreadConnection
from bot.store.statements import Statement
from bot.store.transaction import Query, Transaction, Write

MAX_LOG_SIZE: Final = 16 * 1024 * 1024
"""Size in bytes to which the write-ahead log is truncated once its contents are in the file.

The log usually grows to about 4 MB. It can grow further while another program reads or during a VACUUM.
"""

PRAGMAS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA trusted_schema=OFF",
    "PRAGMA secure_delete=ON",
    # Limit the cache of each of the eight connections to 512 KB. With the default, 2 MB, memory grows for a long time.
    "PRAGMA cache_size=-512",
    f"PRAGMA journal_size_limit={MAX_LOG_SIZE}",
)


class SqliteTransaction(Transaction):
    """A transaction on one connection. It begins with its first statement.

    Statements of `bot.store.statements` go directly to the driver, all others through SQLAlchemy.
    """

    def __init__(self, connection: AsyncConnection, driver: Writer) -> None:
        super().__init__(connection)
        self.driver = driver

    async def fetch_all(self, *queries: Query) -> list[list[dict[str, Any]]]:
        """Run the queued writes and these queries in one call to the thread, and return the rows of each query."""
        compiled = [(statement.compiled(self.dialect), parameters) for statement, parameters in queries]
        reads = [(statement.sql, statement.positional(parameters)) for statement, parameters in compiled]
        results = await self.driver.run_all(self._take_queued(), reads)
        return [statement.rows(rows) for (statement, _), rows in zip(compiled, results, strict=True)]

    async def change(self, statement: Statement, parameters: Mapping[str, Any]) -> int:
        """Run the queued writes and this statement in one call to the thread. Return the number of changed rows."""
        compiled = statement.compiled(self.dialect)
        write = Write(compiled, [compiled.positional(parameters)])
        await self.driver.run_all([*self._take_queued(), write])
        return write.changed

    async def flush(self) -> None:
        """Run the queued writes."""
        if queued := self._take_queued():
            await self.driver.run_all(queued)

    async def commit(self) -> None:
        """Run the queued writes and commit, in one call to the thread."""
        await self.driver.finish(self._take_queued())
        if self._connection.in_transaction():
            # Tell SQLAlchemy that the transaction has ended.
            await self._connection.commit()

    async def roll_back(self) -> None:
        """Discard all changes."""
        if self._connection.in_transaction():
            await self._connection.rollback()
        if not self._connection.invalidated:
            await self.driver.rollback()


class Link:
    """A connection that one transaction at a time uses: SQLAlchemy's, and the driver's below it."""

    def __init__(self, connection: AsyncConnection, driver: Writer) -> None:
        self.connection = connection
        self.driver = driver

    @staticmethod
    async def open(engine: AsyncEngine) -> Link:
        """Take a connection from an engine."""
        connection = await engine.connect()
        return Link(connection, await _driver_of(connection))

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[SqliteTransaction]:
        """Begin a transaction. Commit it after the block, or roll it back after an error."""
        if self.connection.invalidated:
            # SQLAlchemy closed the driver's connection, because a statement was cancelled.
            self.driver = await _driver_of(self.connection)
        transaction = SqliteTransaction(self.connection, self.driver)
        try:
            yield transaction
            await transaction.commit()
        except BaseException:
            await transaction.roll_back()
            raise


async def _driver_of(connection: AsyncConnection) -> Writer:
    return cast(Writer, (await connection.get_raw_connection()).driver_connection)


class ReaderPool:
    """Read-only connections to a file. Each is opened when it is first needed."""

    def __init__(self, path: Path, size: int) -> None:
        self._engine = create_reader(path, size)
        self._free = asyncio.Semaphore(size)
        self._idle: list[Link] = []

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[SqliteTransaction]:
        """Begin a transaction on a connection that no other transaction uses. Wait until there is one."""
        async with self._free:
            link = self._idle.pop() if self._idle else await Link.open(self._engine)
            try:
                async with link.transaction() as transaction:
                    yield transaction
            finally:
                self._idle.append(link)

    async def close(self) -> None:
        """Close all connections. No transaction may be open."""
        for link in self._idle:
            await link.connection.close()
        await self._engine.dispose()


def create_writer(path: Path) -> AsyncEngine:
    """Return an engine with one connection, so that there is only one writer at a time.

    Transactions begin with BEGIN IMMEDIATE, which waits for other processes, up to the busy timeout. A transaction that
    began as a reader would fail at its first write, without waiting.
    """
    return _create_engine(path, 1, Writer)


def create_reader(path: Path, connections: int) -> AsyncEngine:
    """Return an engine with read-only connections. WAL lets them read during a write."""
    return _create_engine(path, connections, _Reader)


class _Cursor(aiosqlite.Cursor):
    """A cursor that executes, fetches all rows and closes in one call to the driver's thread.

    SQLAlchemy would call the thread for each of these steps and for creating the cursor.
    """

    def __init__(self, connection: Writer) -> None:
        self._connection = connection
        self._rows: list[Any] = []

    async def execute(self, sql: str, parameters: Any = ()) -> aiosqlite.Cursor:
        """Execute a query and store the rows of its result."""
        return await self._run_in_thread(sqlite3.Cursor.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Any) -> aiosqlite.Cursor:
        return await self._run_in_thread(sqlite3.Cursor.executemany, sql, parameters)

    async def _run_in_thread(
        self, method: Callable[..., sqlite3.Cursor], sql: str, parameters: Any
    ) -> aiosqlite.Cursor:
        def run() -> None:
            with self._connection.cursor_in_transaction() as self._cursor:
                method(self._cursor, sql, parameters)
                self._rows = self._cursor.fetchall()

        await self._connection.run(run)
        return self

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        """Do nothing: the cursor is already closed."""


class Writer(ThreadConnection):
    """A connection that begins a transaction in the same call to its thread as its first statement."""

    begin = "BEGIN IMMEDIATE"
    extra_pragmas: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        super().__init__(partial(connect, path, (*PRAGMAS, *self.extra_pragmas), existing=True), iter_chunk_size=64)

    def cursor(self) -> Any:
        return _Cursor(self)

    @contextmanager
    def cursor_in_transaction(self) -> Generator[sqlite3.Cursor]:
        """Return a cursor after beginning a transaction, if none is open. Call this in the thread."""
        with closing(self.raw.cursor()) as cursor:
            if not self.raw.in_transaction:
                cursor.execute(self.begin)
            yield cursor

    async def run_all(
        self, writes: Sequence[Write], reads: Sequence[tuple[str, tuple[Any, ...]]] = (), *, commits: bool = False
    ) -> list[list[Any]]:
        """Run writes and then queries (SQL and parameters) in one call to the thread, and commit if `commits`.

        Return the rows of each query. Raise the errors of the writes, see `Write`.
        """

        def run() -> list[list[Any]]:
            with self.cursor_in_transaction() as cursor:
                for write in writes:
                    _run_write(cursor, write)
                results = [_run_read(cursor, sql, parameters) for sql, parameters in reads]
            if commits:
                self._commit()
            return results

        return await self.run(run)

    async def finish(self, writes: Sequence[Write]) -> None:
        """Run writes and commit. If that fails, roll back before raising the error."""
        if writes:
            await self.run_all(writes, commits=True)
        else:
            await self.commit()

    async def commit(self) -> None:
        """Commit the open transaction, if any. If that fails, roll back before raising the error."""
        if self.in_transaction:
            await self.run(self._commit)

    def _commit(self) -> None:
        with metrics.COMMITS.time():
            # sqlite3's context manager rolls back if the commit fails.
            self.raw.__exit__(None, None, None)


class _Reader(Writer):
    """A read-only connection. Its `commit` does not wait for the end of the transaction."""

    begin = "BEGIN"
    extra_pragmas = ("PRAGMA query_only=ON",)

    async def commit(self) -> None:
        """Queue the end of the transaction in the driver's thread."""
        self.queue(self.raw.commit)


def _run_write(cursor: sqlite3.Cursor, write: Write) -> None:
    with _naming(write.statement.sql):
        try:
            if len(write.parameters) == 1:
                cursor.execute(write.statement.sql, write.parameters[0])
            else:
                cursor.executemany(write.statement.sql, write.parameters)
        except sqlite3.IntegrityError as error:
            raise write.on_violation(str(error)) or error from error
    write.note_changed(cursor.rowcount)


def _run_read(cursor: sqlite3.Cursor, sql: str, parameters: tuple[Any, ...]) -> list[Any]:
    with _naming(sql):
        return cursor.execute(sql, parameters).fetchall()


@contextmanager
def _naming(sql: str) -> Generator[None]:
    """Add the statement to errors in the block, but no parameters, which may hold a whole deck."""
    try:
        yield
    except Exception as error:
        error.add_note(f"statement: {sql}")
        raise


def _create_engine(path: Path, connections: int, connection: type[Writer]) -> AsyncEngine:
    def connect(*_: object, **__: object) -> Writer:
        return connection(path)

    return create_async_engine(
        "sqlite+aiosqlite://",
        poolclass=AsyncAdaptedQueuePool,
        pool_size=connections,
        max_overflow=0,
        # Writers wait for the connection without a timeout.
        pool_timeout=None,
        # Errors are logged, and must not show parameters of queries, which may hold a whole deck.
        hide_parameters=True,
        # Connections are used only for whole transactions, so there is never an open transaction to reset.
        pool_reset_on_return=None,
        connect_args={"async_creator_fn": connect},
    )


def connect(path: Path, pragmas: Sequence[str], *, existing: bool = False) -> sqlite3.Connection:
    """Connect to a file. SQLite creates a missing file unless `existing` is True."""
    uri = f"{path.absolute().as_uri()}?mode={'rw' if existing else 'rwc'}"
    # The driver must not begin transactions automatically.
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        for pragma in pragmas:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection
