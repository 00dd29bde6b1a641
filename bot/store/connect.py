"""How connections to a SQLite file are set up, and how their transactions begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
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
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_size=1, max_overflow=0)
    _prepare(engine.sync_engine, "BEGIN IMMEDIATE")
    return engine


def reader_of(path: Path) -> AsyncEngine:
    """A few connections for reads, which WAL lets go on beside the writer."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_size=_READERS, max_overflow=0)
    _prepare(engine.sync_engine, "BEGIN")
    return engine


def engine_of(path: Path) -> Engine:
    """A blocking engine for migrations, which rebuild tables and so run without foreign keys."""
    engine = create_engine(f"sqlite:///{path}")
    _prepare(engine, "BEGIN IMMEDIATE", "PRAGMA foreign_keys=OFF")
    return engine


def _prepare(engine: Engine, begin: str, *more: str) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver must not begin transactions of its own accord: the listener below says how they begin.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (*_PRAGMAS, *more):
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql(begin)
