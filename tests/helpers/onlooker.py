"""Reading the bot's database beside it, at once and from anywhere in a test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import AsyncAdaptedQueuePool, NullPool, inspect, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_Result = TypeVar("_Result")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True, name="onlooker").start()
    return loop


@cache
def _engine(url: str) -> AsyncEngine:
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return create_async_engine(address.set(drivername="sqlite+aiosqlite"), poolclass=NullPool)
    address = address.set(drivername="postgresql+asyncpg")
    # Tests end connections, and databases are used again.
    return create_async_engine(
        address, poolclass=AsyncAdaptedQueuePool, pool_size=1, max_overflow=0, pool_pre_ping=True
    )


def _wait(work: Coroutine[Any, Any, _Result]) -> _Result:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


class Onlooker:
    """Somebody who looks into a database while the bot uses it."""

    def __init__(self, url: str) -> None:
        """Look into the database with an address."""
        self._url = url

    @property
    def dialect(self) -> str:
        """What kind of database it is: `sqlite` or `postgresql`."""
        return make_url(self._url).get_backend_name()

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""

        async def ask() -> list[str]:
            async with _engine(self._url).connect() as connection:
                return await connection.run_sync(
                    lambda one: [column["name"] for column in inspect(one).get_columns(table)]
                )

        return _wait(ask())

    def rows(self, query: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query, whose parameters are named as in `:name`."""

        async def ask() -> list[tuple[Any, ...]]:
            async with _engine(self._url).connect() as connection:
                return [tuple(row) for row in await connection.execute(text(query), parameters)]

        return _wait(ask())

    def change(self, statement: str, **parameters: object) -> None:
        """Run a statement in a transaction of its own."""

        async def run() -> None:
            async with _engine(self._url).begin() as connection:
                await connection.execute(text(statement), parameters)

        _wait(run())
