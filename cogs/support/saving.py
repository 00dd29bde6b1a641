"""Retries for data that must be saved, however long the database is unavailable."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar

from bot.play.refusals import Unavailable

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
"""Minimum and maximum pause between two attempts, in seconds."""

_Done = TypeVar("_Done")


def pauses() -> Iterator[float]:
    """Yield the pauses between attempts, in seconds: exponential backoff up to `MAX_PAUSE`."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)


async def until_done(
    step: Callable[[], Awaitable[_Done]], trouble: tuple[type[Exception], ...] = (Unavailable,)
) -> _Done:
    """Retry `step` with exponential backoff until it raises none of the `retry_on` exceptions."""
    seconds = pauses()
    while True:
        try:
            return await step()
        except trouble:
            await asyncio.sleep(next(seconds))
