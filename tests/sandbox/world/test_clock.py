"""The clock and its timers."""

import asyncio

from bot.sandbox import Clock


def test_stopped_clock() -> None:
    """A stopped clock moves only when it is advanced, and its ids encode its time."""
    clock = Clock(running=False)
    before, first = clock.now(), clock.snowflake()
    assert clock.now() == before
    assert clock.snowflake() > first
    clock.advance(60)
    assert clock.now() == before + 60
    assert (clock.snowflake() >> 22) - (first >> 22) == 60_000


def test_timers_fire_in_order() -> None:
    """Advancing the clock fires due timers in order of their due times, but no cancelled timers."""
    clock, fired = Clock(running=False), list[str]()
    clock.call_later(2, lambda: fired.append("second"))
    clock.call_later(1, lambda: fired.append("first"))
    clock.call_later(1.5, lambda: fired.append("cancelled")).cancel()
    clock.call_later(4, lambda: fired.append("later"))
    clock.advance(3)
    assert fired == ["first", "second"]
    clock.advance(1)
    assert fired == ["first", "second", "later"]


async def test_running_clock() -> None:
    """On a running clock, timers fire when they are due. Advancing the clock makes them fire earlier."""
    clock, fired = Clock(), asyncio.Event()
    clock.call_later(0.01, fired.set)
    await fired.wait()
    sleeper = asyncio.create_task(clock.sleep(3600))
    await asyncio.sleep(0)
    clock.advance(3600)
    await sleeper
    assert not clock.timers
