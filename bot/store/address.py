"""Parse database addresses (URLs).

Keep the imports of this module few: containers run `deadwood health`, which needs it, twice a minute.
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
"""The accepted URL schemes for each kind of database. All schemes of one kind select the same driver."""

_POSTGRESQL_OPTIONS: Final = frozenset(
    (
        *("host", "port", "user", "password", "passfile", "dbname", "database", "service", "options"),
        *("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs", "krbsrvname", "gsslib"),
    )
)
"""The options of a PostgreSQL address that the driver supports:
https://magicstack.github.io/asyncpg/current/api/index.html#asyncpg.connection.connect."""
_EQUIVALENT_PARTS: Final = {
    "host": "host",
    "port": "port",
    "user": "username",
    "password": "password",
    "dbname": "database",
    "database": "database",
}
"""Options with the `URL` attributes that mean the same. A value before the ? of an address overrides the option."""

_MALFORMED_ADDRESS: Final = "the database's address has an invalid port or an extra @: in a password, write @ as %40"
"""This message does not quote the address, because the wrong part may belong to a password."""


def parse_url(url: str) -> URL:
    """Parse an address.

    Raise `DatabaseError` if it is malformed, has a part that would be ignored, or is for neither SQLite nor PostgreSQL.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise DatabaseError("the database's address is not a URL: write sqlite:///path/to/file.db") from None
    except ValueError:
        raise DatabaseError(_MALFORMED_ADDRESS) from None
    if "@" in (address.host or ""):
        raise DatabaseError(_MALFORMED_ADDRESS)
    if address.drivername == "postgres":
        address = address.set(drivername="postgresql")
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        # Leave the options out of the message: they may include a password.
        raise DatabaseError(
            f"{address.set(query={}).render_as_string()!r} is neither SQLite nor PostgreSQL: "
            "write sqlite:///path/to/file.db or postgresql://user@host/name"
        )
    backend = address.get_backend_name()
    if address.drivername not in _DRIVERS[backend]:
        raise DatabaseError(
            f"the database's address cannot choose a driver: write {backend}: in place of {address.drivername}:"
        )
    if backend == "sqlite":
        _require_only_a_path(url, address)
    else:
        _require_effective_options(url, address)
    return address


def _require_only_a_path(url: str, address: URL) -> None:
    """Raise `DatabaseError` if a SQLite address has parts other than a path, which would be ignored."""
    if "?" in url:
        raise DatabaseError(
            "a SQLite address has no options: leave out the ? and everything after it; in a file's name, write %3F"
        )
    if any(part is not None for part in (address.username, address.password, address.host, address.port)):
        raise DatabaseError(
            "a SQLite address names no host: write sqlite:///file.db, or sqlite:////path/to/file.db from the root"
        )


def _require_effective_options(url: str, address: URL) -> None:
    """Raise `DatabaseError` if an option of a PostgreSQL address would be ignored. The message quotes no values."""
    remainder = url.partition("://")[2]
    if address.username is not None:
        # Skip the user and password: a password may contain a question mark.
        remainder = remainder.partition("@")[2]
    _, question_mark, query = remainder.partition("?")
    seen_names = set[str]()
    for option in query.split("&") if question_mark else ():
        name, _, value = option.partition("=")
        name = unquote_plus(name)
        if not value:
            # Do not show an unknown name: it may be the end of a password that contains a `?`.
            description = f"the option {name!r}" if name in _POSTGRESQL_OPTIONS else "a ? or an option"
            raise DatabaseError(
                f"the database's address has {description} without a value: write NAME=VALUE, or %3F for a ?"
            )
        if name not in _POSTGRESQL_OPTIONS:
            raise DatabaseError(f"the database's address has the option {name!r}, which the bot does not know")
        if name in seen_names:
            raise DatabaseError(f"the database's address has the option {name!r} twice")
        if name in _EQUIVALENT_PARTS and getattr(address, _EQUIVALENT_PARTS[name]):
            raise DatabaseError(f"the database's address has the option {name!r}, which is already given before the ?")
        seen_names.add(name)


def sqlite_path(url: str) -> Path:
    """Return the file of a SQLite URL.

    Raise `DatabaseError` if the URL is invalid, or is for PostgreSQL or an in-memory database.
    """
    address = parse_url(url)
    if address.get_backend_name() != "sqlite" or not address.database or address.database == ":memory:":
        redacted = address.set(query={}).render_as_string()
        raise DatabaseError(f"{redacted!r} is not a SQLite file: write sqlite:///path/to/file.db")
    return Path(address.database)


def database_name(url: str) -> Path | str:
    """Return the name of a database for messages: the file of a SQLite URL, or a PostgreSQL address without secrets.

    Raise the errors of `parse_url` and `sqlite_path`.
    """
    address = parse_url(url)
    if address.get_backend_name() == "sqlite":
        return sqlite_path(url)
    # Keep only the options that name the server. The others configure the connection, and may include a password.
    server_options = {name: address.query[name] for name in ("host", "port") if name in address.query}
    redacted = URL.create(
        "postgresql", address.username, None, address.host, address.port, address.database, server_options
    )
    return redacted.render_as_string()
