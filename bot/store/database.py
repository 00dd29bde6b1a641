"""The database: opened once, migrated, locked against a second bot, and used in whole transactions.

Writers go one at a time through an engine of one connection whose transactions begin with BEGIN IMMEDIATE; readers have
an engine of their own. A transaction runs in a task that no cancellation reaches: it commits whole or rolls back whole.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.connect import reader_of, writer_of
from bot.store.files import DatabaseError, file_of, lock_beside, make_private
from bot.store.migrate import migrate

Transaction = AsyncConnection
"""What a unit of work gets; the queries beside this module take it first."""

Result = TypeVar("Result")

OLDEST_SQLITE: Final = (3, 37, 0)
"""STRICT tables came with this version."""


class Database:
    """A SQLite file in use by this process alone. Make one with `Database.open`, and close it."""

    def __init__(self, url: str, lock: int, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self.url = url
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._writing = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()
        self._closing: asyncio.Task[None] | None = None

    @staticmethod
    async def open(url: str) -> Database:
        """Lock the file, bring its tables up to date (keeping a copy of what they were), and open it.

        Args:
            url: a SQLAlchemy URL of SQLite, such as `sqlite:///deadwood.db`.

        Raises:
            DatabaseError: it is no SQLite file, another bot has it, or it comes from a newer version.
        """
        path = file_of(url)
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise DatabaseError(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or newer is needed")
        lock = lock_beside(path)
        try:
            make_private(path)
            await asyncio.to_thread(migrate, path)
            return Database(url, lock, writer_of(path), reader_of(path))
        except BaseException:
            os.close(lock)
            raise

    async def write(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        """Run a unit of work in one transaction: committed when it returns, rolled back when it raises.

        Only the database may be awaited inside. Cancelling the caller does not stop the work.

        Raises:
            DatabaseError: the database is closed.
        """
        return await self._run(self._write(work))

    async def _write(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        async with self._writing, self._writer.begin() as transaction:
            return await work(transaction)

    async def read(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        """Run queries in one read transaction, which sees one state of the database and can change none.

        Raises:
            DatabaseError: the database is closed.
        """
        return await self._run(self._read(work))

    async def _read(self, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
        async with self._reader.begin() as transaction:
            return await work(transaction)

    async def _run(self, transaction: Coroutine[Any, Any, Result]) -> Result:
        """Run a transaction in a task of its own, out of reach of a cancellation of the caller."""
        if self._closing is not None:
            transaction.close()
            raise DatabaseError("the database is closed")
        task = asyncio.create_task(transaction)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def ping(self) -> None:
        """Answer a query, or raise whatever keeps the database from answering."""

        async def select(transaction: Transaction) -> None:
            await transaction.execute(text("SELECT 1"))

        await self.read(select)

    async def close(self) -> None:
        """Finish running transactions, tidy the file up, and let it go; cancelling the caller does not stop this."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        while self._running:
            await asyncio.wait(self._running)
        async with AsyncExitStack() as held:
            held.callback(os.close, self._lock)
            held.push_async_callback(self._writer.dispose)
            held.push_async_callback(self._reader.dispose)
            async with self._writing, self._writer.connect() as connection:
                raw = await connection.get_raw_connection()
                driver = raw.driver_connection
                if driver is not None:
                    await driver.execute("PRAGMA optimize")
                    await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
