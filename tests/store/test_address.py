"""Addresses of databases, and what may be shown of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.address import parsed, path_of, place_of
from bot.store.errors import DatabaseError


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("sqlite:///deadwood.db", Path("deadwood.db")),
        ("sqlite:////var/lib/deadwood.db?timeout=3", Path("/var/lib/deadwood.db")),
        ("postgresql://bot:secret@host:5433/deadwood", "postgresql://bot@host:5433/deadwood"),
        ("postgresql+asyncpg://host/deadwood?password=secret", "postgresql://host/deadwood"),
        ("postgres://bot:secret@host/deadwood", "postgresql://bot@host/deadwood"),
        ("postgresql:///deadwood?host=/run/postgresql&passfile=x", "postgresql:///deadwood?host=%2Frun%2Fpostgresql"),
    ],
)
def test_the_place_of_a_database_has_no_secrets(url: str, place: Path | str) -> None:
    """It is the file, or what leads to the server and the database there."""
    assert place_of(url) == place


@pytest.mark.parametrize("password", ["sec@ret", "s@ec:ret"])
def test_a_password_that_is_not_escaped_is_refused(password: str) -> None:
    """The message says how to write it, and shows no part of it."""
    with pytest.raises(DatabaseError) as caught:
        place_of(f"postgresql://bot:{password}@127.0.0.1/deadwood")
    assert "%40" in str(caught.value)
    assert "sec" not in str(caught.value)
    assert "ret" not in str(caught.value)


@pytest.mark.parametrize("url", ["deadwood", "sqlite://", "mysql://bot:secret@host/deadwood?password=secret"])
def test_what_is_no_address_is_refused(url: str) -> None:
    """The reason says what to write, and shows no password."""
    with pytest.raises(DatabaseError, match="write sqlite:///") as caught:
        place_of(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["postgresql://host/deadwood", "sqlite://", "sqlite:///:memory:", "deadwood.db", "", "sqlite+oops"]
)
def test_an_address_that_is_not_a_file_is_refused(url: str) -> None:
    """Anything but a SQLite file is refused, and the message says what to write."""
    with pytest.raises(DatabaseError, match="write sqlite:///"):
        path_of(url)


def test_a_refused_address_shows_no_password() -> None:
    """The message about a wrong address is fit for a log."""
    with pytest.raises(DatabaseError) as caught:
        path_of("postgresql://bot:secret@host/deadwood")
    assert "secret" not in str(caught.value)


def test_all_of_an_address_reaches_the_driver() -> None:
    """What is not shown is still there."""
    assert parsed("postgresql://bot:secret@host/deadwood?sslmode=require").query == {"sslmode": "require"}
