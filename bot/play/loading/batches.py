"""Pacing for background work in many batches, so that players do not wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

PAUSE: Final = 0.01
"""Minimum pause between batches, in seconds."""

MAX_BATCHES: Final = 500
"""Maximum number of batches in one call, so that other chores get their turn."""


async def pause_after(began: float) -> None:
    """Pause for as long as a batch took. `began` is its start, by `time.monotonic`."""
    await asyncio.sleep(max(PAUSE, time.monotonic() - began))


async def in_batches(step: Callable[[], Awaitable[bool]]) -> bool:
    """Repeat a step until it returns False, with pauses. Return False if it was not done after `MAX_BATCHES`.

    The next call then does the rest.
    """
    for _ in range(MAX_BATCHES):
        began = time.monotonic()
        if not await step():
            return True
        await pause_after(began)
    return False
