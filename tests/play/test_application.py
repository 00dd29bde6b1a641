"""The application's health check of its database."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.play import application
from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.store.database import CONNECTIONS_PER_LANE, Lane
from tests.helpers.databases import open_new_database


@pytest.mark.both_databases
async def test_health_check_fails_in_time_without_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A health check fails in time even if its query waits for a connection, and succeeds once one is free."""
    monkeypatch.setattr(application, "PING_TIMEOUT", 0.2)
    async with open_new_database(tmp_path / "deadwood.db") as database:
        app = Application(database)
        await app.require_database()
        async with AsyncExitStack() as stack:
            for _ in range(CONNECTIONS_PER_LANE[Lane.BACKGROUND]):
                transaction = await stack.enter_async_context(database.read(Lane.BACKGROUND))
                await transaction.exec_driver_sql("SELECT 1")
            for _ in range(3):
                with pytest.raises(Unavailable):
                    await app.require_database()
        await app.require_database()
        assert database.health.trouble is None


@pytest.mark.both_databases
async def test_cancelling_a_health_check_does_not_cancel_others(tmp_path: Path) -> None:
    """If one of two callers that share a health check is cancelled, the other one still gets the check's error."""
    async with open_new_database(tmp_path / "deadwood.db") as database, AsyncExitStack() as stack:
        app = Application(database)
        for _ in range(CONNECTIONS_PER_LANE[Lane.BACKGROUND]):
            transaction = await stack.enter_async_context(database.read(Lane.BACKGROUND))
            await transaction.exec_driver_sql("SELECT 1")
        first, second = (asyncio.create_task(app.require_database()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(Unavailable):
            await second
        assert first.cancelled()
