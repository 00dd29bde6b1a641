"""The pace of messages from several processes that share Discord's rate limit for a bot."""

from __future__ import annotations

import asyncio

import pytest

from cogs.support.pace import REQUESTS, Pace

MESSAGES = 9


async def seconds_for(processes: int) -> float:
    """Return the seconds that one of several processes takes to send messages that are due at the same time."""
    loop, pace = asyncio.get_running_loop(), Pace(lambda: processes)
    began = loop.time()
    await asyncio.gather(*(pace.wait() for _ in range(MESSAGES)))
    return loop.time() - began


@pytest.mark.parametrize("processes", [2, 4, 100])
async def test_each_process_keeps_to_its_part(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process sends at its share of the rate from the start, and the first message is not delayed."""
    monkeypatch.setattr("cogs.support.pace.REQUESTS", faster := REQUESTS * processes * 2)
    assert await seconds_for(processes) >= 0.99 * (MESSAGES - 1) * processes / faster


@pytest.mark.parametrize("processes", [0, 1])
async def test_a_process_that_is_alone_does_not_wait(processes: int) -> None:
    """A lone process relies on discord.py's rate limits. The count is 0 before a process has its first lease."""
    pace = Pace(lambda: processes)
    async with asyncio.timeout(0):
        for _ in range(200):
            await pace.wait()


async def test_another_process_halves_the_part() -> None:
    """The rate follows the number of live processes immediately."""
    processes, loop = 1, asyncio.get_running_loop()
    pace = Pace(lambda: processes)
    await pace.wait()
    processes, began = 2, loop.time()
    for _ in range(4):
        await pace.wait()
    assert loop.time() - began >= 0.99 * 3 * 2 / REQUESTS
