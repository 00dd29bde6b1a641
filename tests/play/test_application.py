"""The application's health check of its database."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.play import application
from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.store.database import CONNECTIONS, Lane
from tests.helpers.databases import opened


@pytest.mark.both_databases
async def test_a_database_that_does_not_answer_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails in time even while its query waits for a connection, and succeeds once a connection is free."""
    monkeypatch.setattr(application, "ANSWERS_WITHIN", 0.2)
    async with opened(tmp_path / "deadwood.db") as database:
        app = Application(database)
        await app.require_database()
        async with AsyncExitStack() as stack:
            for _ in range(CONNECTIONS[Lane.BACKGROUND]):
                transaction = await stack.enter_async_context(database.read(Lane.BACKGROUND))
                await transaction.exec_driver_sql("SELECT 1")
            for _ in range(3):
                with pytest.raises(Unavailable):
                    await app.require_database()
        await app.require_database()
        assert database.health.trouble is None


@pytest.mark.both_databases
async def test_a_caller_that_is_cancelled_cancels_no_other(tmp_path: Path) -> None:
    """If one of two callers that share a check is cancelled, the other still gets its error."""
    async with opened(tmp_path / "deadwood.db") as database, AsyncExitStack() as stack:
        app = Application(database)
        for _ in range(CONNECTIONS[Lane.BACKGROUND]):
            transaction = await stack.enter_async_context(database.read(Lane.BACKGROUND))
            await transaction.exec_driver_sql("SELECT 1")
        first, second = (asyncio.create_task(app.require_database()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(Unavailable):
            await second
        assert first.cancelled()
