"""The pace at which a process sends messages, where several share what Discord allows a bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aiolimiter import AsyncLimiter

REQUESTS: Final = 45.0
"""Requests a second for messages, in all processes together. Discord allows 50 of any kind, but answers to people:
https://discord.com/developers/docs/topics/rate-limits#global-rate-limit."""


class Pace:
    """Keeps a process to its part. One that is alone needs none: discord.py waits when Discord refuses."""

    def __init__(self, processes: Callable[[], int]) -> None:
        """Share with as many processes as `processes` says, this one included."""
        self._processes = processes
        self._among, self._limiter = 1, _limiter(1)

    async def wait(self) -> None:
        """Wait until this process may make another request."""
        # One that has just lost its leases counts none, not even itself.
        among = max(1, self._processes())
        if among != self._among:
            self._among, self._limiter = among, _limiter(among)
        if among > 1:
            await self._limiter.acquire()


def _limiter(among: int) -> AsyncLimiter:
    # One at a time: a limiter that lets a second's requests through at once allows twice as many in its first second.
    return AsyncLimiter(1, among / REQUESTS)
