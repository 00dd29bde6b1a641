"""How fast processes send messages that share what Discord allows a bot."""

from __future__ import annotations

import asyncio

import pytest

from cogs.support.pace import REQUESTS, Pace

MESSAGES = 9


async def seconds_for(processes: int) -> float:
    """Return how long one of so many processes takes for some messages that are due at once."""
    loop, pace = asyncio.get_running_loop(), Pace(lambda: processes)
    began = loop.time()
    await asyncio.gather(*(pace.wait() for _ in range(MESSAGES)))
    return loop.time() - began


@pytest.mark.parametrize("processes", [2, 4, 100])
async def test_each_process_keeps_to_its_part(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, and from the first second on; the first message waits for nothing."""
    monkeypatch.setattr("cogs.support.pace.REQUESTS", faster := REQUESTS * processes * 2)
    assert await seconds_for(processes) >= 0.99 * (MESSAGES - 1) * processes / faster


@pytest.mark.parametrize("processes", [0, 1])
async def test_a_process_that_is_alone_does_not_wait(processes: int) -> None:
    """discord.py waits for it when Discord refuses. None counts before a process has its first lease."""
    pace = Pace(lambda: processes)
    async with asyncio.timeout(0):
        for _ in range(200):
            await pace.wait()


async def test_another_process_halves_the_part() -> None:
    """The part follows the number of live processes at once."""
    processes, loop = 1, asyncio.get_running_loop()
    pace = Pace(lambda: processes)
    await pace.wait()
    processes, began = 2, loop.time()
    for _ in range(4):
        await pace.wait()
    assert loop.time() - began >= 0.99 * 3 * 2 / REQUESTS
