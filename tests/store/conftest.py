"""Fixtures for an empty database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.store.database import Database
from tests.helpers.databases import migrations_read_once, opened


@pytest.fixture(scope="session", autouse=True)
def easy_openings() -> Iterator[None]:
    """Read the migrations only once, and give a busy server enough time to connect."""
    with migrations_read_once(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database file that does not exist yet."""
    return tmp_path / "games & more.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Open an empty database, and close it after the test."""
    async with opened(path) as database:
        yield database
