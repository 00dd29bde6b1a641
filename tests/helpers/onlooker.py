"""Synchronous access to the database of a running bot, even inside coroutines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import AsyncAdaptedQueuePool, Connection, Engine, NullPool, create_engine, inspect, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_Result = TypeVar("_Result")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True, name="onlooker").start()
    return loop


@cache
def _sqlite_engine(url: str) -> Engine:
    return create_engine(url, poolclass=NullPool)


@cache
def _postgres_engine(url: str) -> AsyncEngine:
    # Check connections before use (`pool_pre_ping`): a test may close them, and a later test reuse the database.
    address = make_url(url).set(drivername="postgresql+asyncpg")
    return create_async_engine(
        address, poolclass=AsyncAdaptedQueuePool, pool_size=1, max_overflow=0, pool_pre_ping=True
    )


class DatabaseInspector:
    """Reads and changes a database that the bot is using, over a connection of its own."""

    def __init__(self, url: str) -> None:
        self._url = url

    @property
    def dialect(self) -> str:
        """The kind of database: `sqlite` or `postgresql`."""
        return make_url(self._url).get_backend_name()

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""
        return self._do(lambda connection: [column["name"] for column in inspect(connection).get_columns(table)])

    def rows(self, query: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Parameters are written as `:name` and given by keyword."""
        return self._do(lambda connection: [tuple(row) for row in connection.execute(text(query), parameters)])

    def change(self, statement: str, **parameters: object) -> None:
        """Run a statement in its own transaction."""
        self._do(lambda connection: connection.execute(text(statement), parameters))

    def _do(self, work: Callable[[Connection], _Result]) -> _Result:
        if self.dialect == "sqlite":
            with _sqlite_engine(self._url).begin() as connection:
                return work(connection)

        async def run() -> _Result:
            async with _postgres_engine(self._url).begin() as connection:
                return await connection.run_sync(work)

        return asyncio.run_coroutine_threadsafe(run(), _loop()).result()
