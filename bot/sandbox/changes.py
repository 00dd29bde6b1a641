"""Waiting for something to become true without asking again and again."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Changes:
    """Wakes every waiter whenever anything in the sandbox changes; `count` tells how often that was."""

    def __init__(self) -> None:
        self.count = 0
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Say that something changed."""
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

    async def until(self, predicate: Callable[[], T], timeout: float = 5.0) -> T:
        """Wait until the predicate gives something true and hand it on; raise `TimeoutError`."""
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self.next()
            return found

    async def settled(self, quiet: float = 0.05, timeout: float = 5.0) -> None:
        """Wait until nothing has changed for `quiet` seconds; raise `TimeoutError` after `timeout` seconds."""
        async with asyncio.timeout(timeout):
            while True:
                try:
                    await asyncio.wait_for(self.next(), quiet)
                except TimeoutError:
                    return
