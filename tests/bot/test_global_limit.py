"""Global rate limits end, whatever becomes of the request that met one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import RateLimited
from tests.helpers.living import living
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.slow


async def test_requests_go_on_after_a_cancelled_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The request that met the limit was cancelled while it slept; others, waiting or new, are sent all the same."""
    async with living(tmp_path) as alive:
        alive.sandbox.faults.requests(RateLimited(30, everywhere=True), on="GET /gateway/bot", times=1)
        met = asyncio.create_task(alive.client.http.get_bot_gateway())
        await eventually(lambda: "Global rate limit has been hit" in caplog.text)
        waiting = asyncio.create_task(alive.client.http.get_bot_gateway())
        await asyncio.sleep(0.1)
        assert not waiting.done()
        met.cancel()
        async with asyncio.timeout(5):
            await waiting
            await alive.client.http.get_bot_gateway()
