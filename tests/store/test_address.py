"""Tests of database addresses: parsing, and messages without secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.address import database_name, parse_url, sqlite_path
from bot.store.errors import DatabaseError


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("sqlite:///deadwood.db", Path("deadwood.db")),
        ("sqlite:////var/lib/a%3Fb.db", Path("/var/lib/a?b.db")),
        ("sqlite+aiosqlite:////var/lib/deadwood.db", Path("/var/lib/deadwood.db")),
        ("postgresql://bot:secret@host:5433/deadwood", "postgresql://bot@host:5433/deadwood"),
        ("postgresql://bot:what?a=b@host/deadwood", "postgresql://bot@host/deadwood"),
        ("postgresql://host/deadwood?port=5433", "postgresql://host/deadwood?port=5433"),
        ("postgresql+asyncpg://host/deadwood?password=secret", "postgresql://host/deadwood"),
        ("postgresql:///deadwood?host=a,b&port=5432,5433", "postgresql:///deadwood?host=a%2Cb&port=5432%2C5433"),
        ("postgres://bot:secret@host/deadwood", "postgresql://bot@host/deadwood"),
        ("postgresql:///deadwood?host=/run/postgresql&passfile=x", "postgresql:///deadwood?host=%2Frun%2Fpostgresql"),
    ],
)
def test_database_name_has_no_secrets(url: str, place: Path | str) -> None:
    """`database_name` returns the file, or the address of the server and database without secrets."""
    assert database_name(url) == place


@pytest.mark.parametrize("password", ["sec@ret", "s@ec:ret"])
def test_unescaped_password_is_refused(password: str) -> None:
    """An unescaped @ in a password is refused. The message says how to escape an @, and does not quote the password."""
    with pytest.raises(DatabaseError) as caught:
        database_name(f"postgresql://bot:{password}@127.0.0.1/deadwood")
    assert "%40" in str(caught.value)
    assert "sec" not in str(caught.value)
    assert "ret" not in str(caught.value)


@pytest.mark.parametrize("url", ["deadwood", "sqlite://", "mysql://bot:secret@host/deadwood?password=secret"])
def test_malformed_address_is_refused(url: str) -> None:
    """A malformed or unsupported address is refused. The message gives an example, and contains no password."""
    with pytest.raises(DatabaseError, match="write sqlite:///") as caught:
        database_name(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["postgresql://host/deadwood", "sqlite://", "sqlite:///:memory:", "deadwood.db", "", "sqlite+oops"]
)
def test_sqlite_path_requires_a_file(url: str) -> None:
    """`sqlite_path` refuses everything except a SQLite file, and the message gives an example."""
    with pytest.raises(DatabaseError, match="write sqlite:///"):
        sqlite_path(url)


def test_a_refused_address_shows_no_password() -> None:
    """The message about a refused address contains no password."""
    with pytest.raises(DatabaseError) as caught:
        sqlite_path("postgresql://bot:secret@host/deadwood")
    assert "secret" not in str(caught.value)


def test_parsing_keeps_hidden_options() -> None:
    """`parse_url` keeps options that `database_name` does not show."""
    assert parse_url("postgresql://bot:secret@host/deadwood?sslmode=require").query == {"sslmode": "require"}


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////data/a?b.db",
        "sqlite:////data/a.db?",
        "sqlite:///c.db?mode=ro",
        "sqlite:///c.db?timeout=3",
        "sqlite:///file:c.db?mode=ro&uri=true",
        "sqlite://data/c.db",
        "sqlite://somebody@/c.db",
        "sqlite+oops:///c.db",
    ],
)
def test_sqlite_address_is_only_a_path(url: str) -> None:
    """A SQLite address with options, a host, a user or a driver is refused, because these parts would be ignored."""
    for use in (parse_url, sqlite_path, database_name):
        with pytest.raises(DatabaseError):
            use(url)


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("postgresql://host/dead?wood", "%3F"),
        ("postgresql://host/deadwood?", "%3F"),
        ("postgresql://host/deadwood?sslmode", "sslmode"),
        ("postgresql://host/deadwood?sslmode=", "sslmode"),
        ("postgresql://host/deadwood?sslmode=require&sslmode=disable", "sslmode"),
        ("postgresql://host/deadwood?host=other", "host"),
        ("postgresql://host:5432/deadwood?port=5433", "port"),
        ("postgresql://host/deadwood?dbname=other", "dbname"),
        ("postgresql://host/deadwood?database=other", "database"),
        ("postgresql://bot@host/deadwood?user=other", "user"),
        ("postgresql://host/deadwood?ssl_mode=require", "ssl_mode"),
        ("postgresql://host/deadwood?channel_binding=require", "channel_binding"),
        ("postgresql://host/deadwood?lock_timeout=0", "lock_timeout"),
        ("postgresql://host/deadwood?SSLMODE=require", "SSLMODE"),
        ("postgresql+psycopg2://host/deadwood", "psycopg2"),
    ],
)
def test_ignored_postgresql_option_is_refused(url: str, named: str) -> None:
    """A PostgreSQL option that is empty, duplicate, unknown or already set elsewhere in the address is refused.

    The error names the option.
    """
    for use in (parse_url, database_name):
        with pytest.raises(DatabaseError) as caught:
            use(url)
        assert named in str(caught.value)


@pytest.mark.parametrize("option", ["secret", "password=secret&password=secret", "oops=secret", "sslmode=a&secret"])
def test_a_refused_option_shows_no_value(option: str) -> None:
    """The message about a refused option contains no values, which may be passwords or parts of them."""
    with pytest.raises(DatabaseError) as caught:
        parse_url(f"postgresql://bot:hidden@host/deadwood?{option}")
    assert "hidden" not in str(caught.value)
    assert "=secret" not in str(caught.value)
