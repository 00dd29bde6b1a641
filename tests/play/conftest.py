"""The application on a database of its own, with a fake clock and rigged decks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import migrations_read_once, opened
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import GIN_AT_ONCE, RiggedShuffler
from tests.helpers.table import Players


@pytest.fixture(scope="session", autouse=True)
def easy_openings() -> Iterator[None]:
    """Read the migrations only once, and give a busy PostgreSQL server more time to accept a connection."""
    with migrations_read_once(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened(tmp_path / "deadwood.db") as database:
        yield database


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application. The player who acts first can win every deal immediately."""
    return Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock)


@pytest.fixture
def players(app: Application) -> Players:
    """Make North and South ready to play."""
    return Players(app)


@pytest.fixture
def unverifiable(app: Application) -> Players:
    """Make North and South play matches from before deals were verifiable."""
    return Players(app, verifiable=False)


@pytest.fixture
def courier(app: Application) -> FakeCourier:
    return FakeCourier(app)
