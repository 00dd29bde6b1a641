"""The private parts of aiosqlite that the store relies on."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.store.aiosqlite_internals import ThreadConnection
from tests.helpers.waiting import eventually


@asynccontextmanager
async def connected(path: Path) -> AsyncGenerator[ThreadConnection]:
    connection = ThreadConnection(partial(sqlite3.connect, path), 64)
    await connection
    yield connection
    await connection.close()


async def test_functions_run_in_one_daemon_thread(tmp_path: Path) -> None:
    """`_execute` runs functions in order in the connection's own thread (`_thread`), and returns their results."""
    async with connected(tmp_path / "test.db") as connection:
        threads = [await connection.run(threading.current_thread) for _ in range(2)]
        assert threads[0] is threads[1]
        assert threads[0] is not threading.current_thread()
        assert threads[0].daemon
        assert await connection.run(lambda: connection.raw.execute("SELECT 1").fetchone()) == (1,)


async def test_an_error_in_the_thread_is_raised(tmp_path: Path) -> None:
    """`_execute` raises the error of the function."""
    async with connected(tmp_path / "test.db") as connection:
        with pytest.raises(sqlite3.OperationalError):
            await connection.run(lambda: connection.raw.execute("SELECT"))


async def test_a_queued_function_runs_without_a_caller(tmp_path: Path) -> None:
    """An item of `_tx` without a future runs after the earlier ones; its error does not end the thread."""
    ran = threading.Event()
    async with connected(tmp_path / "test.db") as connection:

        def fail() -> None:
            raise ValueError

        connection.queue(fail)
        connection.queue(ran.set)
        await eventually(ran.is_set)
        assert await connection.run(lambda: 1) == 1


async def test_a_connection_that_nobody_waits_for_is_closed(tmp_path: Path) -> None:
    """If its caller is cancelled while connecting, `stop` closes the connection, even if it opens later."""
    connections: list[sqlite3.Connection] = []
    cancelled = threading.Event()

    def connect() -> sqlite3.Connection:
        cancelled.wait()
        connections.append(sqlite3.connect(tmp_path / "test.db", check_same_thread=False))
        return connections[0]

    def is_closed() -> bool:
        try:
            connections[0].total_changes  # noqa: B018
        except (IndexError, sqlite3.ProgrammingError):
            return bool(connections)
        return False

    async def wait_for_connection() -> None:
        await ThreadConnection(connect, 64)

    caller = asyncio.create_task(wait_for_connection())
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait((caller,))
    cancelled.set()
    await eventually(is_closed)
