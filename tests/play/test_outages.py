"""Heartbeats of shards: clocks of matches run only while there are heartbeats, and never before the first one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.play.application import Application
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.table import GUILD, NORTH
from tests.play.matches.times import ClockDriver

HOUR = timedelta(hours=1)


@pytest.mark.both_databases
async def test_no_time_runs_before_the_first_heartbeat(app: Application, database: Database, clock: Clock) -> None:
    """No time runs before a shard's first heartbeat, so a crash before that costs the players no time."""
    times, shard = ClockDriver(app, database, clock), (GUILD >> 22) % 2
    match = await times.begin("12h flag")
    clock.pass_by(timedelta(days=7))
    await app.outages.beat([1 - shard], 2, newly=[1 - shard])
    clock.pass_by(HOUR)
    await app.outages.beat([0, 1], 2, newly=[shard])
    assert await times.time_left(match.id, NORTH) == 12 * HOUR
    clock.pass_by(timedelta(seconds=20))
    await app.outages.beat([0, 1], 2)
    assert await times.time_left(match.id, NORTH) == 12 * HOUR - timedelta(seconds=20)
