"""What the address of a database says, whichever kind it is.

`deadwood health`, which containers run all the time, needs this much of the store and no more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.errors import DatabaseError

_WRONG_PARTS: Final = "the database's address has a wrong port, or an @ too many: in a password write @ as %40"
"""That does not repeat what may be a part of a password."""


def parsed(url: str) -> URL:
    """Return the parts of an address. Raise `DatabaseError` if it is not one, or of another kind of database."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise DatabaseError("the database's address is not a URL: write sqlite:///path/to/file.db") from None
    except ValueError:
        raise DatabaseError(_WRONG_PARTS) from None
    if "@" in (address.host or ""):
        raise DatabaseError(_WRONG_PARTS)
    if address.drivername == "postgres":
        address = address.set(drivername="postgresql")
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        # The query may hold a password, too.
        raise DatabaseError(
            f"{address.set(query={}).render_as_string()!r} is neither SQLite nor PostgreSQL: "
            "write sqlite:///path/to/file.db or postgresql://user@host/name"
        )
    return address


def path_of(url: str) -> Path:
    """Return the file of a SQLite URL.

    Raise `DatabaseError` if the URL is invalid, or names another kind of database, or one in memory.
    """
    address = parsed(url)
    if address.get_backend_name() != "sqlite" or not address.database or address.database == ":memory:":
        shown = address.set(query={}).render_as_string()
        raise DatabaseError(f"{shown!r} is not a SQLite file: write sqlite:///path/to/file.db")
    return Path(address.database)


def place_of(url: str) -> Path | str:
    """Return where a database is: the file of a SQLite URL, or the address of a PostgreSQL database without secrets.

    Raise `DatabaseError` as `parsed` and `path_of` do.
    """
    address = parsed(url)
    if address.get_backend_name() == "sqlite":
        return path_of(url)
    # Everything else in the query says how to connect, and may be a password.
    server = {name: address.query[name] for name in ("host", "port") if name in address.query}
    one = URL.create("postgresql", address.username, None, address.host, address.port, address.database, server)
    return one.render_as_string()
