"""Open a SQLite or PostgreSQL database by its URL."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store import key_values
from bot.store.address import database_name, parse_url, sqlite_path
from bot.store.copying import FILLED_FROM
from bot.store.database import Database, Lane
from bot.store.errors import DatabaseError, DatabaseLostError
from bot.store.sqlite import SqliteDatabase, file_exists


async def open_database(
    url: str, *, exclusive: bool = False, must_exist: bool = False, on_progress: Callable[[], None] | None = None
) -> Database:
    """Open a database and migrate its tables.

    Args:
        url: an SQLAlchemy URL such as `sqlite:///deadwood.db` or `postgresql://user@host/deadwood`.
        exclusive: keep other processes from using the database while it is open. This is always so with SQLite.
        must_exist: do not create a database that does not exist.
        on_progress: called every few seconds while a file is being checked for damage.

    Raises:
        DatabaseError: the database cannot be used, comes from a newer version, is damaged, or is a partial copy.
        PrivateFileError: the database file is world-readable.
        DatabaseUnavailableError: the database is temporarily unavailable.
    """
    database = await open_unchecked(url, exclusive=exclusive, must_exist=must_exist, on_progress=on_progress)
    try:
        async with database.read(Lane.BACKGROUND) as transaction:
            source = await key_values.load(transaction, FILLED_FROM)
        if source is not None:
            raise DatabaseError(
                f"{database_name(url)} is only partly filled from {source}: run `deadwood move-database` again"
            )
    except BaseException:
        await database.close()
        raise
    return database


@asynccontextmanager
async def exclusive_database(url: str) -> AsyncGenerator[Database]:
    """Open an existing database that no bot is using, and close it after the block.

    Raise the errors of `open_database`, and `DatabaseLostError` if a file was removed or replaced during the block.
    """
    database = await open_database(url, exclusive=True, must_exist=True)
    try:
        yield database
    finally:
        await database.close()
        if database.loss is not None:
            raise DatabaseLostError(database.loss)


def _require_file(path: Path) -> None:
    try:
        exists = file_exists(path)
    except OSError as error:
        raise DatabaseError(f"cannot use {path}: {error.strerror}") from None
    if not exists:
        raise DatabaseError(f"there is no database {path}")


async def open_unchecked(
    url: str, *, exclusive: bool = True, must_exist: bool = False, on_progress: Callable[[], None] | None = None
) -> Database:
    """Open a database like `open_database`, but also accept one that is only partly filled with the rows of another."""
    if parse_url(url).get_backend_name() == "sqlite":
        if must_exist:
            _require_file(sqlite_path(url))
        return await SqliteDatabase.open(url, on_progress)
    try:
        # Imported here because it needs packages that are optional.
        from bot.store.postgres import PostgresDatabase

        return await PostgresDatabase.open(url, exclusive=exclusive, must_exist=must_exist)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"PostgreSQL needs the package {error.name}: install deadwood[postgres]") from None
