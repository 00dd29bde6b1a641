"""Polling for conditions that no event announces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from bot.hosting.heartbeat import NO_HEARTBEAT, Heartbeat

MAX_WAIT: Final = 60.0
"""Timeout for any wait, in seconds. Only a hang takes this long."""


async def eventually(predicate: Callable[[], bool], timeout: float = MAX_WAIT, pause: float = 0.01) -> None:
    """Poll until a condition holds. If the sandbox announces its changes, use `Sandbox.until` instead."""
    async with asyncio.timeout(timeout):
        while not predicate():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(pause)


async def wait_for_heartbeat(heart: Heartbeat) -> None:
    await eventually(lambda: heart.trouble() != NO_HEARTBEAT)
