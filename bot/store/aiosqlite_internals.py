"""All uses of private attributes of aiosqlite.

This module's test checks that those attributes behave as the bot expects.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import aiosqlite

_Result = TypeVar("_Result")


class ThreadConnection(aiosqlite.Connection):
    """A connection whose thread runs whole functions, and does not keep the process alive.

    aiosqlite calls its thread once for each step of a query; a function can do several steps in one call.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(self._open, iter_chunk_size)
        self._open_raw = connect
        self._opened: sqlite3.Connection | None = None
        # A daemon thread, so that the process can exit even if the database was not closed.
        cast(Any, self)._thread.daemon = True  # noqa: SLF001

    def _open(self) -> sqlite3.Connection:
        self._opened = self._open_raw()
        return self._opened

    def _close_opened(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the connection and end the thread.

        If a caller is cancelled while it connects, aiosqlite drops the connection without closing it.
        """
        self.queue(self._close_opened)
        return cast(Any, super()).stop()

    @property
    def raw(self) -> sqlite3.Connection:
        """The connection of the standard library. Use it only in the connection's thread."""
        return self._conn

    def run(self, function: Callable[[], _Result]) -> Awaitable[_Result]:
        """Run a function in the connection's thread, after all functions that were queued before."""
        return cast(Any, self)._execute(function)  # noqa: SLF001

    def queue(self, function: Callable[[], object]) -> None:
        """Queue a function for the connection's thread without waiting for it. Its result and errors are dropped."""
        cast(Any, self)._tx.put_nowait((None, function))  # noqa: SLF001
