"""The periodic measurements for the metrics."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import discord
import pytest
from prometheus_client import REGISTRY

from bot import metrics
from bot.connection.connections import Connections
from bot.connection.measurements import measure
from bot.play.application import Application
from bot.play.census import Backlog, Census
from tests.bot.test_metrics import free_port
from tests.helpers.databases import open_new_database


@pytest.mark.thorough
@pytest.mark.parametrize("is_served", [False, True])
async def test_the_database_is_queried_only_if_metrics_are_served(
    tmp_path: Path, is_served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is queried only if metrics are served, because counting is expensive."""
    counts, backlog = list[Backlog](), Census.backlog

    async def count_backlog(census: Census) -> Backlog:
        counts.append(await backlog(census))
        return counts[-1]

    monkeypatch.setattr(Census, "backlog", count_backlog)
    monkeypatch.setattr("bot.connection.measurements.MEASURE_INTERVAL", 0.01)
    address = ("127.0.0.1", free_port()) if is_served else None
    client: Any = discord.AutoShardedClient(intents=discord.Intents.none())
    with metrics.serve_metrics(address):
        async with open_new_database(tmp_path / "deadwood.db") as database:
            app = Application(database)
            await app.key_values.set("key", "value")
            metrics.DATABASE_LOG.set(-1)
            measuring = asyncio.create_task(measure(client, app, Connections()))
            await asyncio.wait([measuring], timeout=0.2)
            assert measuring.done() is not is_served
            assert bool(counts) is is_served
            size = REGISTRY.get_sample_value("deadwood_database_log_bytes")
            assert size == (database.log_size if is_served else -1)
            measuring.cancel()
            await asyncio.wait([measuring])
