"""Tables of PostgreSQL that somebody keeps locked: the bot waits, says so, and plays on afterwards."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import pytest
from structlog.testing import capture_logs

from bot.running import find_trouble
from bot.store.postgres import engines
from tests.cogs.scenes import Scene, at_table
from tests.helpers.databases import new_database
from tests.helpers.living import Living, sandbox_of
from tests.helpers.processes import settings_for, started
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]

PATIENCE: Final = "200ms"
"""How long the bot waits for a lock here."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot wait for a lock for a moment only."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)


async def test_a_locked_table_is_waited_for(tmp_path: Path) -> None:
    """Moves are refused kindly and no background task ends; health says so, and afterwards the same button works."""
    async with at_table(tmp_path) as scene:
        client = scene.alive.client
        hand = await scene.turn(scene.north)
        await scene.quiet()
        host: Any = await asyncpg.connect(str(scene.alive.database._address.render_as_string(hide_password=False)))
        with capture_logs() as lines:
            async with host.transaction():
                await host.execute("LOCK TABLE match IN ACCESS EXCLUSIVE MODE")
                for _ in range(2):
                    assert "did not count" in (await scene.press(scene.north, hand, "Pass")).text
                assert "cannot reach my records" in (await scene.ask(scene.north, "hand"))
                client.app.look_for_work() if hasattr(client.app, "look_for_work") else None
                for _ in range(3):
                    assert "database" in str(await find_trouble(client))
                    await asyncio.sleep(0.3)
            assert await find_trouble(client) is None
            assert "Waiting for" in (await scene.press(scene.north, hand, "Pass")).text
        await host.close()
        assert not client.background_failure.done()
        print([line for line in lines])
