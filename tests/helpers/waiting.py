"""Waiting for what nobody tells of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from bot.heartbeat import NO_HEARTBEAT, Heartbeat

MAX_WAIT: Final = 60.0
"""Seconds after which a wait ends that should have ended long before: only a hang takes so long."""


async def eventually(predicate: Callable[[], bool], timeout: float = MAX_WAIT, pause: float = 0.01) -> None:
    """Wait until something holds, and look again after each pause: for what the sandbox does not tell of."""
    async with asyncio.timeout(timeout):
        while not predicate():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(pause)


async def beating(heart: Heartbeat) -> None:
    """Wait until a heart beats."""
    await eventually(lambda: heart.trouble() != NO_HEARTBEAT)
