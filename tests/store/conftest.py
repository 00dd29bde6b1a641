"""Fixtures for an empty database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.store.database import Database
from tests.helpers.databases import open_new_database, share_parsed_migrations


@pytest.fixture(scope="session", autouse=True)
def easy_openings() -> Iterator[None]:
    """Make opening databases fast and reliable.

    Migrations are parsed only once for all tests, and a busy server has more time to accept connections.
    """
    with share_parsed_migrations(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database file that does not exist yet."""
    return tmp_path / "games & more.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Open an empty database, and close it after the test."""
    async with open_new_database(path) as database:
        yield database
