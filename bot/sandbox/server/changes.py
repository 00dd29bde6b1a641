"""Waiting for a condition, without polling."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

DEFAULT_TIMEOUT = 60.0
"""Default timeout of waits, in real seconds. It is long, so that a wait times out
only because of a bug, not because the machine is busy."""


class Changes:
    """A signal sent after every change in the sandbox. `count` is the number of changes so far."""

    def __init__(self) -> None:
        self.count = 0
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Count a change, and wake all waiters."""
        self.count += 1
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def next(self) -> None:
        """Wait for the next change."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)

    async def until(self, predicate: Callable[[], T], timeout: float | None = DEFAULT_TIMEOUT) -> T:
        """Wait until the predicate returns a true value, and return that value.

        Raises `TimeoutError` after `timeout` real seconds. With None, there is no timeout.
        """
        async with asyncio.timeout(timeout):
            while not (result := predicate()):
                await self.next()
            return result
