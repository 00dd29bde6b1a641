"""Discord's global rate limit, if the request that hit it is cancelled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import RateLimited
from tests.helpers.living import running_bot
from tests.helpers.waiting import MAX_WAIT, eventually


async def test_requests_continue_after_a_cancelled_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If the request that hit the global limit is cancelled during its wait, all other requests are still sent."""
    async with running_bot(tmp_path) as alive:
        alive.sandbox.faults.requests(RateLimited(10 * MAX_WAIT, is_global=True), on="GET /gateway/bot", times=1)
        alive.client.http.max_ratelimit_timeout = None
        before = alive.sandbox.journal.routes["GET /gateway/bot"]
        limited = asyncio.create_task(alive.client.http.get_bot_gateway())
        await eventually(lambda: "Global rate limit has been hit" in caplog.text)
        waiting = asyncio.create_task(alive.client.http.get_bot_gateway())
        for _ in range(10):
            await asyncio.sleep(0)
        assert alive.sandbox.journal.routes["GET /gateway/bot"] == before + 1
        limited.cancel()
        async with asyncio.timeout(MAX_WAIT):
            await waiting
            await alive.client.http.get_bot_gateway()
