"""Parse the addresses (URLs) of databases.

Containers run `deadwood health` frequently, so it imports only this module of the store.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote_plus

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.errors import DatabaseError

_DRIVERS: Final = {
    "sqlite": ("sqlite", "sqlite+aiosqlite", "sqlite+pysqlite"),
    "postgresql": ("postgresql", "postgresql+asyncpg"),
}
"""The accepted schemes for each kind of database. The driver is always the program's own."""

_POSTGRESQL_OPTIONS: Final = frozenset(
    (
        *("host", "port", "user", "password", "passfile", "dbname", "database", "service", "options"),
        *("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs", "krbsrvname", "gsslib"),
    )
)
"""The options that the driver supports:
https://magicstack.github.io/asyncpg/current/api/index.html#asyncpg.connection.connect."""
_PART_OF: Final = {
    "host": "host",
    "port": "port",
    "user": "username",
    "password": "password",
    "dbname": "database",
    "database": "database",
}
"""The part of the address with the same meaning as an option. It takes precedence."""

_WRONG_PARTS: Final = "the database's address has a wrong port, or an @ too many: in a password write @ as %40"
"""This message does not quote the address, because the wrong part may belong to a password."""


def parsed(url: str) -> URL:
    """Parse an address.

    Raise `DatabaseError` if it is malformed, names another kind of database, or has a part that would be ignored.
    """
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
        # The query may also contain a password.
        raise DatabaseError(
            f"{address.set(query={}).render_as_string()!r} is neither SQLite nor PostgreSQL: "
            "write sqlite:///path/to/file.db or postgresql://user@host/name"
        )
    kind = address.get_backend_name()
    if address.drivername not in _DRIVERS[kind]:
        raise DatabaseError(
            f"the database's address cannot choose a driver: write {kind}: in place of {address.drivername}:"
        )
    if kind == "sqlite":
        _require_only_a_path(url, address)
    else:
        _require_options_that_count(url, address)
    return address


def _require_only_a_path(url: str, address: URL) -> None:
    """Raise `DatabaseError` if a SQLite address has other parts than a path, which would be ignored."""
    if "?" in url:
        raise DatabaseError(
            "a SQLite address has no options: leave out ? and what follows; in a file's name, write %3F"
        )
    if any(part is not None for part in (address.username, address.password, address.host, address.port)):
        raise DatabaseError(
            "a SQLite address names no host: write sqlite:///file.db, or sqlite:////path/to/file.db from the root"
        )


def _require_options_that_count(url: str, address: URL) -> None:
    """Raise `DatabaseError` if an option of a PostgreSQL address would be ignored. The message contains no values."""
    rest = url.partition("://")[2]
    if address.username is not None:
        # A password may contain a question mark.
        rest = rest.partition("@")[2]
    _, question_mark, query = rest.partition("?")
    seen = set[str]()
    for option in query.split("&") if question_mark else ():
        name, _, value = option.partition("=")
        name = unquote_plus(name)
        if not value:
            # Do not show an unknown name, which may be part of a password.
            shown = f"the option {name!r}" if name in _POSTGRESQL_OPTIONS else "a ? or an option"
            raise DatabaseError(f"the database's address has {shown} without a value: write NAME=VALUE, or %3F for a ?")
        if name not in _POSTGRESQL_OPTIONS:
            raise DatabaseError(f"the database's address has the option {name!r}, which the bot does not know")
        if name in seen:
            raise DatabaseError(f"the database's address has the option {name!r} twice")
        if name in _PART_OF and getattr(address, _PART_OF[name]):
            raise DatabaseError(f"the database's address has the option {name!r}, which is already given before the ?")
        seen.add(name)


def path_of(url: str) -> Path:
    """Return the file of a SQLite URL.

    Raise `DatabaseError` if the URL is invalid, or names another kind of database or an in-memory one.
    """
    address = parsed(url)
    if address.get_backend_name() != "sqlite" or not address.database or address.database == ":memory:":
        shown = address.set(query={}).render_as_string()
        raise DatabaseError(f"{shown!r} is not a SQLite file: write sqlite:///path/to/file.db")
    return Path(address.database)


def place_of(url: str) -> Path | str:
    """Return the name of a database for messages: the file of a SQLite URL, or a PostgreSQL address without secrets.

    Raise the errors of `parsed` and `path_of`.
    """
    address = parsed(url)
    if address.get_backend_name() == "sqlite":
        return path_of(url)
    # The other options are connection settings, and may contain a password.
    server = {name: address.query[name] for name in ("host", "port") if name in address.query}
    one = URL.create("postgresql", address.username, None, address.host, address.port, address.database, server)
    return one.render_as_string()
