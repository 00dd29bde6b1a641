"""Fixtures for matches with real, verifiable shuffles."""

from __future__ import annotations

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.fair_play import FairPlay
from tests.helpers.messages import FakeCourier


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application with the shuffler of real matches."""
    return Application(database, clock=clock)


@pytest.fixture
def fair(app: Application, courier: FakeCourier) -> FairPlay:
    """Return a helper that plays verifiable matches of North and South."""
    return FairPlay(app, courier)
