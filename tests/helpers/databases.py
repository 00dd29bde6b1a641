"""Databases for tests: copies of one that was migrated once."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest.mock import patch

from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import sqlite
from bot.store.database import Database
from bot.store.migrate import migrate
from bot.store.opening import open_database


@cache
def template() -> Path:
    """Return an empty database, migrated once for each process: copying it is much faster than migrating."""
    directory = Path(mkdtemp(prefix="deadwood-template-"))
    atexit.register(shutil.rmtree, directory)
    migrate(directory / "deadwood.db")
    return directory / "deadwood.db"


def new_database(path: Path) -> str:
    """Copy the empty database to a path, and return its URL."""
    shutil.copy(template(), path)
    os.chmod(path, 0o600)
    return f"sqlite:///{path}"


@contextmanager
def without_fsync() -> Generator[None]:
    """Spare commits the wait for the disk, in tests that are not about killed processes."""
    fast = tuple(pragma.replace("synchronous=FULL", "synchronous=OFF") for pragma in sqlite.PRAGMAS)
    with patch.object(sqlite, "PRAGMAS", fast):
        yield


@cache
def _compiled() -> tuple[Any, Any]:
    engine: Any = create_async_engine("sqlite+aiosqlite://").sync_engine
    return engine.dialect, engine._compiled_cache


@contextmanager
def compiled_once() -> Generator[None]:
    """Let the databases opened meanwhile share the SQL that SQLAlchemy compiles: each would compile it anew."""

    def sharing(create: Callable[..., AsyncEngine]) -> Callable[..., AsyncEngine]:
        def create_sharing(path: Path, *connections: int) -> AsyncEngine:
            created = create(path, *connections)
            engine: Any = created.sync_engine
            engine.dialect, engine._compiled_cache = _compiled()
            return created

        return create_sharing

    with (
        patch.object(sqlite, "create_writer", sharing(sqlite.create_writer)),
        patch.object(sqlite, "create_reader", sharing(sqlite.create_reader)),
    ):
        yield


@asynccontextmanager
async def opened(path: Path) -> AsyncGenerator[Database]:
    """Open a new database that does not wait for the disk, and close it."""
    url = new_database(path)
    # Its tables are as the template's.
    with without_fsync(), compiled_once(), patch("bot.store.database.migrate"):
        database = await open_database(url)
        try:
            yield database
        finally:
            await database.close()


async def fetch(database: Database, query: Executable) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    async with database.read() as transaction:
        return [tuple(row) for row in await transaction.execute(query)]


async def execute(database: Database, statement: Executable) -> None:
    """Run a statement in a transaction of its own."""
    async with database.write() as transaction:
        await transaction.execute(statement)
