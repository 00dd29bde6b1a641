"""Retries that continue until data is saved, even if the database is unavailable for a long time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar

from bot.play.refusals import Unavailable

MIN_PAUSE: Final = 1.0
"""Minimum pause between two attempts to save data, in seconds."""
MAX_PAUSE: Final = 30.0
"""Maximum pause between two attempts to save data, in seconds."""

_Done = TypeVar("_Done")


def pauses() -> Iterator[float]:
    """Yield the pauses between retries, in seconds, without end. They double each time, up to `MAX_PAUSE`."""
    pause = MIN_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, MAX_PAUSE)


async def retry_until_done(
    step: Callable[[], Awaitable[_Done]], retry_on: tuple[type[Exception], ...] = (Unavailable,)
) -> _Done:
    """Return the result of `step`. Retry it with exponential backoff while it raises a `retry_on` exception."""
    delays = pauses()
    while True:
        try:
            return await step()
        except retry_on:
            await asyncio.sleep(next(delays))
