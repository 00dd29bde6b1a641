"""The services on a database of their own, with a clock that stands still and chance that does as told."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.house import House
from bot.store.database import Database
from bot.store.migrate import migrate
from tests.helpers.chance import GIN_AT_ONCE, RiggedChance
from tests.helpers.clock import Clock
from tests.helpers.messages import Post
from tests.helpers.table import Players


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an empty database once: copying it is quicker than running the migrations for every test."""
    path = tmp_path_factory.mktemp("empty") / "deadwood.db"
    migrate(path)
    return path


@pytest.fixture
async def database(empty: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """Open an empty database, and close it."""
    shutil.copy(empty, tmp_path / "deadwood.db")
    opened = await Database.open(f"sqlite:///{tmp_path}/deadwood.db")
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    """Give the clock of the house."""
    return Clock()


@pytest.fixture
def house(database: Database, clock: Clock) -> House:
    """Build the services; every deal can be won at once by who acts first."""
    return House(database, chance=RiggedChance(*[GIN_AT_ONCE] * 30), clock=clock)


@pytest.fixture
def players(house: House) -> Players:
    """Have North and South ready to play."""
    return Players(house)


@pytest.fixture
def post(house: House) -> Post:
    """Have somebody deliver the messages."""
    return Post(house)
