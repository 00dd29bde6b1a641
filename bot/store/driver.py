"""aiosqlite with one trip to its thread for each statement.

Beginning, opening a cursor, executing, fetching and closing are a trip each in aiosqlite, and every trip wakes a thread
and then the event loop: for statements as short as ours that was most of what they took.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import aiosqlite


class _Cursor(aiosqlite.Cursor):
    """A cursor that fetches all rows where it executes, and that the garbage collector closes."""

    _rows: Iterable[Any] = ()
    _conn: Connection

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        """Execute one statement."""
        self._rows = await self._execute(self._executed, sql, parameters or ())  # pyright: ignore[reportUnknownMemberType]
        return self

    def _executed(self, sql: str, parameters: Any) -> Iterable[Any]:
        self._conn.begin_now()
        return self._cursor.execute(sql, parameters).fetchall()

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> aiosqlite.Cursor:
        """Execute one statement with each of several sets of parameters."""
        await self._execute(self._executed_many, sql, parameters)  # pyright: ignore[reportUnknownMemberType]
        return self

    def _executed_many(self, sql: str, parameters: Any) -> None:
        self._conn.begin_now()
        self._cursor.executemany(sql, parameters)

    async def fetchall(self) -> Iterable[Any]:
        """The rows."""
        return self._rows

    async def close(self) -> None:
        """Nothing is left to do once all rows are there."""


class Connection(aiosqlite.Connection):
    """A connection whose cursors are those above."""

    def __init__(self, path: Path) -> None:
        # Cursors are made in the event loop's thread and used in the connection's.
        super().__init__(lambda: sqlite3.connect(path, check_same_thread=False), iter_chunk_size=64)
        # A connection that nobody closed must not keep the process from ending; SQLAlchemy does the same.
        self._thread.daemon = True
        self._to_begin: str | None = None

    def begin(self, statement: str) -> None:
        """Begin a transaction with this statement, on the way of the first one in it."""
        self._to_begin = statement

    def begin_now(self) -> None:
        """Begin the transaction that is to begin, in the connection's thread."""
        if self._to_begin is not None:
            statement, self._to_begin = self._to_begin, None
            self._conn.execute(statement)

    async def commit(self) -> None:
        """Commit the transaction, if anything was done in it."""
        if self._to_begin is None:
            await super().commit()
        self._to_begin = None

    async def rollback(self) -> None:
        """Undo the transaction, if anything was done in it."""
        if self._to_begin is None:
            await super().rollback()
        self._to_begin = None

    def cursor(self) -> Any:
        """A cursor; nothing happens in the database for it."""
        return _Cursor(self, self._conn.cursor())


async def connect(path: Path) -> Connection:
    """A connection to a SQLite file; close it."""
    connection = Connection(path)
    await connection
    return connection
