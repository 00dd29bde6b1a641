"""How connections to a SQLite file are set up, and how their transactions begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_PRAGMAS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA trusted_schema=OFF",
)

_READERS: Final = 3


def writer_of(path: Path) -> AsyncEngine:
    """One connection for all writes; BEGIN IMMEDIATE takes the write lock at once, where the busy timeout applies."""
    return _engine(path, 1, "BEGIN IMMEDIATE")


def reader_of(path: Path) -> AsyncEngine:
    """A few connections that can only read, which WAL lets go on beside the writer."""
    return _engine(path, _READERS, "BEGIN", "PRAGMA query_only=ON")


def engine_of(path: Path) -> Engine:
    """A blocking engine for migrations, which rebuild tables and so run without foreign keys."""
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True)
    _prepare(engine, "PRAGMA foreign_keys=OFF")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _engine(path: Path, connections: int, begin: str, *more: str) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        pool_size=connections,
        max_overflow=0,
        # The parameters of a query that fails may be a whole deck, and its error reaches the log.
        hide_parameters=True,
        # Connections are only used in `begin()` blocks, which leave no transaction open that a reset could end.
        pool_reset_on_return=None,
    )
    _prepare(engine.sync_engine, *more)

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql(begin)

    return engine


def _prepare(engine: Engine, *more: str) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver must not begin transactions of its own accord: the engines above say how they begin.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (*_PRAGMAS, *more):
            cursor.execute(pragma)
        cursor.close()
