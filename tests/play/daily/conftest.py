"""Fixtures: people who play the deals of the day."""

from __future__ import annotations

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.thinkers import LocalThinker


@pytest.fixture
def daily_players(database: Database, clock: Clock) -> DailyPlayers:
    """Return people who act first on the first day, and then on every other day."""
    clock.pass_by(DAY)
    app = Application(database, thinker=LocalThinker(), shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 99), clock=clock)
    return DailyPlayers(app, database, clock)
