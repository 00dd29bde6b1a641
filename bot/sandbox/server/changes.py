"""Waiting until something becomes true, without polling."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Default timeout of waits, in real seconds: long, so that only a fault ends them and not a busy machine."""


class Changes:
    """A signal that fires whenever anything in the sandbox changes. `count` is the number of changes so far."""

    def __init__(self) -> None:
        self.count = 0
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Wake all waiters."""
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

    async def until(self, predicate: Callable[[], T], timeout: float | None = PATIENCE) -> T:
        """Wait until the predicate returns something true, and return that.

        Raises `TimeoutError` after `timeout` real seconds; None waits forever.
        """
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self.next()
            return found
