"""Rate limiting of messages when several processes share Discord's rate limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aiolimiter import AsyncLimiter

REQUESTS_PER_SECOND: Final = 45.0
"""Maximum number of requests per second for messages, in all processes together. Discord allows a bot 50 requests per
second, not counting answers to interactions:
https://discord.com/developers/docs/topics/rate-limits#global-rate-limit."""


class SharedRateLimiter:
    """Limits a process to its share of requests. A single process has no limit: discord.py handles rate limits."""

    def __init__(self, processes: Callable[[], int]) -> None:
        """`processes` returns the number of processes, including this one."""
        self._processes = processes
        self._process_count, self._limiter = 1, _limiter(1)

    async def wait(self) -> None:
        """Wait until this process is allowed to make another request."""
        # A process that has just lost its leases counts zero processes, not even itself.
        process_count = max(1, self._processes())
        if process_count != self._process_count:
            self._process_count, self._limiter = process_count, _limiter(process_count)
        if process_count > 1:
            await self._limiter.acquire()


def _limiter(process_count: int) -> AsyncLimiter:
    # The capacity is one request: a larger capacity would allow a burst on top of the steady rate.
    return AsyncLimiter(1, process_count / REQUESTS_PER_SECOND)
