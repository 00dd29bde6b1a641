"""A database in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file that is not there yet."""
    return tmp_path / "games & more.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Open the database, and close it."""
    opened = await Database.open(f"sqlite:///{path}")
    yield opened
    await opened.close()
