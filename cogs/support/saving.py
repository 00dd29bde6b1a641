"""Saving what must not be forgotten, however long the database cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar

from bot.play.refusals import Unavailable

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
"""Seconds between two attempts."""

_Done = TypeVar("_Done")


def pauses() -> Iterator[float]:
    """Yield the seconds to wait after each attempt that fails: twice as many each time, up to the longest pause."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)


async def until_done(
    step: Callable[[], Awaitable[_Done]], trouble: tuple[type[Exception], ...] = (Unavailable,)
) -> _Done:
    """Take a step again and again, until it meets no trouble that passes: that the database cannot be used."""
    seconds = pauses()
    while True:
        try:
            return await step()
        except trouble:
            await asyncio.sleep(next(seconds))
