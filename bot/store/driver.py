"""aiosqlite with one trip to its thread for each statement.

Opening a cursor, executing, fetching and closing are a trip each in aiosqlite, and every trip wakes a thread and then
the event loop: for statements as short as ours that was most of what they took.
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

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        """Execute one statement."""
        self._rows = await self._execute(self._executed, sql, parameters or ())  # pyright: ignore[reportUnknownMemberType]
        return self

    def _executed(self, sql: str, parameters: Any) -> Iterable[Any]:
        return self._cursor.execute(sql, parameters).fetchall()

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

    def cursor(self) -> Any:
        """A cursor; nothing happens in the database for it."""
        return _Cursor(self, self._conn.cursor())


async def connect(path: Path) -> Connection:
    """A connection to a SQLite file; close it."""
    connection = Connection(path)
    await connection
    return connection
