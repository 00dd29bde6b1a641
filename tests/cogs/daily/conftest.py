"""Fixtures for the interface of the deal of the day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.cogs.scenes import Scene, open_scene
from tests.helpers.clock import Clock
from tests.helpers.daily_players import DAY, DailyPlayers
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.thinkers import make_reviews_brief, use_local_thinker


@pytest.fixture
def clock() -> Clock:
    """Return a clock on a day on which people act first."""
    clock = Clock()
    clock.pass_by(DAY)
    return clock


@pytest.fixture
async def scene(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """Run a bot in whose deals of the day the first player goes gin at once."""
    use_local_thinker(monkeypatch)
    make_reviews_brief(monkeypatch)
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 60, clock=clock) as scene:
        yield scene


@pytest.fixture
def daily_players(scene: Scene, clock: Clock) -> DailyPlayers:
    return DailyPlayers(scene.bot.app, scene.bot.database, clock)
