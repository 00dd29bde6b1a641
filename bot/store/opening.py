"""Open a SQLite or PostgreSQL database by its URL."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from bot.store import key_values
from bot.store.address import parsed, path_of, place_of
from bot.store.copying import BEING_FILLED
from bot.store.database import Database, Lane
from bot.store.errors import DatabaseError, DatabaseLostError
from bot.store.sqlite import SqliteDatabase


async def open_database(
    url: str, *, alone: bool = False, existing: bool = False, checking: Callable[[], None] | None = None
) -> Database:
    """Open a database and migrate its tables.

    Args:
        url: an SQLAlchemy URL such as `sqlite:///deadwood.db` or `postgresql://user@host/deadwood`.
        alone: keep other processes from using the database while it is open. SQLite always does.
        existing: do not create a database that does not exist.
        checking: called every few seconds while a file is being checked for damage.

    Raises:
        DatabaseError: the database cannot be used, comes from a newer version, is damaged, or is only partly filled.
        PrivateFileError: the database file is world-readable.
        DatabaseUnavailableError: the database is temporarily unavailable.
    """
    database = await open_to_fill(url, alone=alone, existing=existing, checking=checking)
    try:
        async with database.read(Lane.BACKGROUND) as transaction:
            source = await key_values.load(transaction, BEING_FILLED)
        if source is not None:
            raise DatabaseError(
                f"{place_of(url)} is only partly filled from {source}: run `deadwood move-database` again to its end"
            )
    except BaseException:
        await database.close()
        raise
    return database


@asynccontextmanager
async def alone_with(url: str) -> AsyncGenerator[Database]:
    """Open an existing database that no bot is using, and close it after the block.

    Raise the errors of `open_database`, and `DatabaseLostError` if a file was removed or replaced during the block.
    """
    database = await open_database(url, alone=True, existing=True)
    try:
        yield database
    finally:
        await database.close()
        if database.loss is not None:
            raise DatabaseLostError(database.loss)


async def open_to_fill(
    url: str, *, alone: bool = True, existing: bool = False, checking: Callable[[], None] | None = None
) -> Database:
    """Open a database like `open_database`, but also accept a partly filled one."""
    if parsed(url).get_backend_name() == "sqlite":
        if existing and not path_of(url).exists():
            raise DatabaseError(f"there is no database {path_of(url)}")
        return await SqliteDatabase.open(url, checking)
    try:
        # Imported here because its packages are optional.
        from bot.store.postgres import PostgresDatabase

        return await PostgresDatabase.open(url, alone=alone, existing=existing)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"PostgreSQL needs the package {error.name}: install deadwood[postgres]") from None
