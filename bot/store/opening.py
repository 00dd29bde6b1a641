"""Open a database by its address: a SQLite file, or a PostgreSQL database."""

from __future__ import annotations

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.sqlite import SqliteDatabase


def parsed(url: str) -> URL:
    """Return the parts of an address. Raise `DatabaseError` if it is not one, or of another kind of database."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise DatabaseError("the database's address is not a URL: write sqlite:///path/to/file.db") from None
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(
            f"{address.render_as_string()!r} is neither SQLite nor PostgreSQL: write sqlite:///path/to/file.db"
        )
    return address


async def open_database(url: str) -> Database:
    """Open a database, and bring its tables up to date.

    The URL is one of SQLAlchemy's, such as `sqlite:///deadwood.db` or `postgresql://user@host/deadwood`. Raise
    `DatabaseError` if it cannot be used, comes from a newer version, or is damaged; `PrivateFileError` if everyone may
    read its file; `DatabaseUnavailableError` for trouble that may pass.
    """
    if parsed(url).get_backend_name() == "sqlite":
        return await SqliteDatabase.open(url)
    # Imported only here: SQLite needs nothing of it.
    from bot.store.postgres import PostgresDatabase

    try:
        return await PostgresDatabase.open(url)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"PostgreSQL needs the package {error.name}: install deadwood[postgres]") from None
