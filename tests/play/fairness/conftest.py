"""Services whose shuffles are real."""

from __future__ import annotations

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.fair_play import FairPlay
from tests.helpers.messages import FakeCourier


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    """Build the application, with the shuffles of people's matches."""
    return Application(database, clock=clock)


@pytest.fixture
def fair(app: Application, courier: FakeCourier) -> FairPlay:
    """Let North and South play verifiable matches."""
    return FairPlay(app, courier)
