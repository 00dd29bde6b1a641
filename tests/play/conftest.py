"""The services on a database of their own, with a stopped clock and rigged decks."""

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
    """Read the migrations once, and give a server that has little of the processor time to answer."""
    with migrations_read_once(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """Open an empty database."""
    async with opened(tmp_path / "deadwood.db") as database:
        yield database


@pytest.fixture
def clock() -> Clock:
    """Return the application's clock."""
    return Clock()


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application. Whoever acts first can win every deal at once."""
    return Application(database, shuffler=RiggedShuffler(*[GIN_AT_ONCE] * 30), clock=clock)


@pytest.fixture
def players(app: Application) -> Players:
    """Let North and South be ready to play."""
    return Players(app)


@pytest.fixture
def unverifiable(app: Application) -> Players:
    """Let North and South play matches that were agreed on before deals were verifiable."""
    return Players(app, verifiable=False)


@pytest.fixture
def courier(app: Application) -> FakeCourier:
    """Return a courier that delivers the messages."""
    return FakeCourier(app)
