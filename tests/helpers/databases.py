"""Databases for tests: copies of a migrated SQLite file, or PostgreSQL databases that are emptied and reused."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import Executable, NullPool, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import sqlite, sqlite_connections
from bot.store.database import Database
from bot.store.migrate import SCRIPT_LOCATION
from bot.store.opening import open_database
from bot.store.sqlite import SqliteDatabase
from tests.helpers.postgres import server


@cache
def template() -> Path:
    """Return an empty, migrated SQLite file to copy. Create it once per process: copying is faster than migrating."""
    directory = Path(mkdtemp(prefix="deadwood-template-"))
    atexit.register(shutil.rmtree, directory)
    sqlite.migrate_file(directory / "deadwood.db")
    return directory / "deadwood.db"


class DatabaseKind(StrEnum):
    """The kinds of databases that tests use."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


_kind = DatabaseKind.SQLITE
_durable = False
_free: list[str] = []
_numbers = count()
_used: dict[Path, str] = {}
_DELETE_ALL_ROWS: Final = """
DO $$ DECLARE named text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR named IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', named);
    END LOOP;
    FOR named IN SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', named);
    END LOOP;
END $$
"""


@contextmanager
def use_database(kind: DatabaseKind, *, durable: bool = False) -> Generator[None]:
    """During the block, let `new_database` use this kind of database. With `durable`, PostgreSQL waits for the disk."""
    global _kind, _durable
    previous, _kind, _durable = (_kind, _durable), kind, durable
    try:
        yield
    finally:
        for name in _used.values():
            # Do not empty and reuse durable databases: they hold too much data to delete in one transaction.
            if not durable:
                _run(name, _DELETE_ALL_ROWS)
                _free.append(name)
        _used.clear()
        _kind, _durable = previous


def new_database(path: Path, kind: DatabaseKind | None = None) -> str:
    """Create an empty database and return its URL: a file at the path, or a database on the PostgreSQL server.

    Without `kind`, it has the kind that `use_database` chose for the test.
    """
    if (kind or _kind) is DatabaseKind.POSTGRESQL:
        name = _used[path] = _free.pop() if _free and not _durable else _create()
        return f"{server(durable=_durable)}/{name}"
    shutil.copy(template(), path)
    os.chmod(path, 0o600)
    return f"sqlite:///{path}"


def _create() -> str:
    name = f"deadwood_{os.getpid()}_{next(_numbers)}"
    _run("postgres", f"CREATE DATABASE {name}")

    async def bring_up_to_date() -> None:
        await (await open_database(f"{server(durable=_durable)}/{name}")).close()

    _in_thread(bring_up_to_date())
    return name


def _run(database: str, sql: str) -> None:
    """Run a statement outside a transaction on a database of the PostgreSQL server."""

    async def run() -> None:
        url = make_url(f"{server(durable=_durable)}/{database}").set(drivername="postgresql+asyncpg")
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        async with engine.connect() as connection:
            await connection.exec_driver_sql(sql)

    _in_thread(run())


def _in_thread(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end in another thread, because an event loop may be running in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@contextmanager
def without_fsync() -> Generator[None]:
    """During the block, let SQLite skip fsync on commit."""
    fast = tuple(pragma.replace("synchronous=FULL", "synchronous=OFF") for pragma in sqlite.PRAGMAS)
    with patch.object(sqlite_connections, "PRAGMAS", fast):
        yield


@cache
def _compiled() -> tuple[Any, Any]:
    engine: Any = create_async_engine("sqlite+aiosqlite://").sync_engine
    return engine.dialect, engine._compiled_cache


@contextmanager
def share_compiled_sql() -> Generator[None]:
    """During the block, let new databases share the SQL that SQLAlchemy has compiled."""

    def sharing(create: Callable[..., AsyncEngine]) -> Callable[..., AsyncEngine]:
        def create_sharing(path: Path, *connections: int) -> AsyncEngine:
            created = create(path, *connections)
            engine: Any = created.sync_engine
            engine.dialect, engine._compiled_cache = _compiled()
            return created

        return create_sharing

    with (
        patch.object(sqlite, "create_writer", sharing(sqlite.create_writer)),
        patch.object(sqlite_connections, "create_reader", sharing(sqlite_connections.create_reader)),
    ):
        yield


@contextmanager
def share_parsed_migrations() -> Generator[None]:
    """During the block, let new databases share Alembic's parsed migrations: parsing takes half the time of opening."""
    from alembic.script import ScriptDirectory

    read, cached = ScriptDirectory.from_config, dict[str, ScriptDirectory]()

    def read_once(config: Any) -> ScriptDirectory:
        location = config.get_main_option("script_location")
        if location != SCRIPT_LOCATION:
            return read(config)
        if location not in cached:
            cached[location] = read(config)
        return cached[location]

    with patch.object(ScriptDirectory, "from_config", read_once):
        yield


@asynccontextmanager
async def open_new_database(path: Path) -> AsyncGenerator[Database]:
    """Open a new database that does not wait for the disk. Close it at the end of the block."""
    url = new_database(path)
    # The template is already migrated.
    with without_fsync(), share_compiled_sql(), patch("bot.store.sqlite.migrate_file"):
        database = await open_database(url)
    try:
        yield database
    finally:
        await database.close()


def file_of(database: Database) -> Path:
    """Return the file of a SQLite database."""
    assert isinstance(database, SqliteDatabase)
    return database.path


def url_of(database: Database) -> str:
    """Return the address of a PostgreSQL database, including its password."""
    # Import this module only here: tests with SQLite do not need it.
    from bot.store.postgres import PostgresDatabase

    assert isinstance(database, PostgresDatabase)
    return database._address.render_as_string(hide_password=False)  # pyright: ignore[reportPrivateUsage]


async def fetch(database: Database, query: Executable) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    async with database.read() as transaction:
        return [tuple(row) for row in await transaction.execute(query)]


async def execute(database: Database, statement: Executable) -> None:
    """Run a statement in its own transaction."""
    async with database.write() as transaction:
        await transaction.execute(statement)
