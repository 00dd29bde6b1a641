"""Pacing for background work in many batches, so that players do not wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

MIN_PAUSE: Final = 0.01
"""Minimum pause between batches, in seconds."""

MAX_BATCHES: Final = 500
"""Maximum number of batches in one call, so that other chores get their turn."""


async def pause_after(started_at: float) -> None:
    """Pause for as long as a batch took. `started_at` is the start of the batch, by `time.monotonic`."""
    await asyncio.sleep(max(MIN_PAUSE, time.monotonic() - started_at))


async def in_batches(step: Callable[[], Awaitable[bool]]) -> bool:
    """Do work in batches, with pauses. Return True if all is done, False if work remains for the next call.

    `step` does one batch, and returns False if nothing is left. It is called at most `MAX_BATCHES` times.
    """
    for _ in range(MAX_BATCHES):
        started_at = time.monotonic()
        if not await step():
            return True
        await pause_after(started_at)
    return False
