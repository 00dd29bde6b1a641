"""A database in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.store.database import Database
from tests.helpers.databases import migrations_read_once, opened


@pytest.fixture(scope="session", autouse=True)
def easy_openings() -> Iterator[None]:
    """Read the migrations once, and give a server that has little of the processor time to answer."""
    with migrations_read_once(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file that does not exist yet."""
    return tmp_path / "games & more.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Open an empty database, and close it."""
    async with opened(path) as database:
        yield database
