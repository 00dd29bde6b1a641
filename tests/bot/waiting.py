"""Waiting for what a running bot does outside the sandbox."""

from __future__ import annotations

import asyncio

from bot.heartbeat import NO_HEARTBEAT, Heartbeat


async def beating(heart: Heartbeat) -> None:
    """Wait until a heart beats, for twelve seconds at most."""
    async with asyncio.timeout(12):
        while heart.trouble() == NO_HEARTBEAT:  # noqa: ASYNC110 - a file tells nobody that it is there
            await asyncio.sleep(0.01)
