"""The rate at which a process sends messages, if several processes share Discord's rate limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aiolimiter import AsyncLimiter

REQUESTS: Final = 45.0
"""Maximum number of requests per second for messages, in all processes together. Discord allows a bot 50 requests per
second, not counting answers to interactions:
https://discord.com/developers/docs/topics/rate-limits#global-rate-limit."""


class Pace:
    """Limits a process to its share of requests. A single process has no limit: discord.py handles rate limits."""

    def __init__(self, processes: Callable[[], int]) -> None:
        """`processes` returns the number of processes, including this one."""
        self._processes = processes
        self._among, self._limiter = 1, _limiter(1)

    async def wait(self) -> None:
        """Wait until this process may make another request."""
        # A process that has just lost its leases counts zero processes, not even itself.
        among = max(1, self._processes())
        if among != self._among:
            self._among, self._limiter = among, _limiter(among)
        if among > 1:
            await self._limiter.acquire()


def _limiter(among: int) -> AsyncLimiter:
    # A limiter with a capacity of a second's requests would allow twice as many in its first second.
    return AsyncLimiter(1, among / REQUESTS)
