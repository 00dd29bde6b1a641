"""A database in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import Database
from bot.store.opening import open_database
from tests.helpers.databases import new_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file that does not exist yet."""
    return tmp_path / "games & more.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Open an empty database as the program would, and close it."""
    database = await open_database(new_database(path))
    yield database
    await database.close()
