"""The pace of messages from several processes that share Discord's rate limit for a bot."""

from __future__ import annotations

import asyncio

import pytest

from cogs.delivery.pace import REQUESTS_PER_SECOND, SharedRateLimiter

MESSAGES = 9


async def seconds_for(processes: int) -> float:
    """Return the time, in seconds, that one of several processes waits while it sends `MESSAGES` messages."""
    loop, pace = asyncio.get_running_loop(), SharedRateLimiter(lambda: processes)
    began = loop.time()
    await asyncio.gather(*(pace.wait() for _ in range(MESSAGES)))
    return loop.time() - began


@pytest.mark.parametrize("processes", [2, 4, 100])
async def test_each_process_sends_at_its_share(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process keeps to its share of the rate limit from its second message on; only the first is not delayed."""
    monkeypatch.setattr("cogs.delivery.pace.REQUESTS_PER_SECOND", faster := REQUESTS_PER_SECOND * processes * 2)
    assert await seconds_for(processes) >= 0.99 * (MESSAGES - 1) * processes / faster


@pytest.mark.parametrize("processes", [0, 1])
async def test_a_lone_process_does_not_wait(processes: int) -> None:
    """A single process, or one that has no lease yet (count 0), never waits: discord.py's rate limits are enough."""
    pace = SharedRateLimiter(lambda: processes)
    async with asyncio.timeout(0):
        for _ in range(200):
            await pace.wait()


async def test_a_second_process_halves_the_rate() -> None:
    """As soon as a second process runs, the first one sends at half the rate."""
    processes, loop = 1, asyncio.get_running_loop()
    pace = SharedRateLimiter(lambda: processes)
    await pace.wait()
    processes, began = 2, loop.time()
    for _ in range(4):
        await pace.wait()
    assert loop.time() - began >= 0.99 * 3 * 2 / REQUESTS_PER_SECOND
