"""The pace of work that is done in many batches beside those who play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

PAUSE: Final = 0.01
"""The fewest seconds between two batches."""

MAX_BATCHES: Final = 500
"""Maximum number of batches in one call, so that the next chore has its turn."""


async def pause_after(began: float) -> None:
    """Leave the time to those who play for as long as a batch took, which began at a moment of `time.monotonic`."""
    await asyncio.sleep(max(PAUSE, time.monotonic() - began))


async def in_batches(step: Callable[[], Awaitable[bool]]) -> bool:
    """Take a step until it returns False, with pauses. Return False if `MAX_BATCHES` were not enough for that.

    The rest is left to the next call.
    """
    for _ in range(MAX_BATCHES):
        began = time.monotonic()
        if not await step():
            return True
        await pause_after(began)
    return False
