"""Fixtures: the application on a new database, with a fake clock and rigged decks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.databases import open_new_database, share_parsed_migrations
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import Players


@pytest.fixture(scope="session", autouse=True)
def quick_migrations_and_slow_connects() -> Iterator[None]:
    """Read the migrations only once, and give a busy PostgreSQL server more time to accept a connection."""
    with share_parsed_migrations(), patch("bot.store.postgres.engines.CONNECT_TIMEOUT", 60.0):
        yield


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_new_database(tmp_path / "deadwood.db") as database:
        yield database


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application with decks that let the player who acts first go gin in the first turn."""
    return Application(database, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 30), clock=clock)


@pytest.fixture
def players(app: Application) -> Players:
    """Return a helper that plays matches of North and South."""
    return Players(app)


@pytest.fixture
def unverifiable(app: Application) -> Players:
    """Return a helper that plays unverifiable matches of North and South, as older versions did."""
    return Players(app, verifiable=False)


@pytest.fixture
def courier(app: Application) -> FakeCourier:
    return FakeCourier(app)
