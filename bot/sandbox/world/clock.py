"""The sandbox's clock: simulated time, timers, and snowflake ids, which encode the time."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime

# The start of 2015. Snowflake ids encode the milliseconds since then: Discord's API reference, "Snowflakes".
DISCORD_EPOCH_MS = 1_420_070_400_000


class Timer:
    """A callback that is due at a simulated time, in seconds since 1970."""

    def __init__(self, clock: "Clock", due: float, callback: Callable[[], object]) -> None:
        self.due = due
        self._clock = clock
        self._callback = callback
        self._handle: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        """Remove the timer without calling the callback."""
        self._clock.timers.discard(self)
        self._stop_waiting()

    def fire(self) -> None:
        """Call the callback now instead of at the due time."""
        self.cancel()
        self._callback()

    def wait(self, seconds: float) -> None:
        """Fire after this many real seconds. This replaces an earlier wait."""
        self._stop_waiting()
        self._handle = asyncio.get_running_loop().call_later(seconds, self.fire)

    def _stop_waiting(self) -> None:
        if self._handle is not None:
            self._handle.cancel()


class Clock:
    """Simulated time, with timers.

    A running clock follows the wall clock. A stopped clock (`Clock(running=False)`) moves only by `advance`, so that no
    deadline passes just because the machine is busy. `newest_id` is the last id issued.
    """

    def __init__(self, *, running: bool = True) -> None:
        self.timers: set[Timer] = set()
        self.newest_id = 0
        self._running = running
        self._started = time.time()
        self._advanced = 0.0

    def now(self) -> float:
        """Return the simulated time in seconds since 1970."""
        return (time.time() if self._running else self._started) + self._advanced

    def advance(self, seconds: float) -> None:
        """Move the time forward, and fire all due timers in order of their due time."""
        self._advanced += seconds
        for timer in sorted(self.timers, key=lambda timer: timer.due):
            if timer not in self.timers:
                continue
            remaining = timer.due - self.now()
            if remaining <= 0:
                timer.fire()
            elif self._running:
                timer.wait(remaining)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call the callback after this many simulated seconds."""
        timer = Timer(self, self.now() + seconds, callback)
        self.timers.add(timer)
        if self._running:
            timer.wait(seconds)
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait for this many simulated seconds."""
        woken = asyncio.Event()
        timer = self.call_later(seconds, woken.set)
        try:
            await woken.wait()
        finally:
            timer.cancel()

    def continue_from(self, newest_id: int) -> None:
        """Make all future ids greater than this one."""
        self.newest_id = max(self.newest_id, newest_id)

    def snowflake(self) -> int:
        """Issue a new id that encodes the simulated time. Ids always increase, even if the clock is set back."""
        milliseconds = int(self.now() * 1000) - DISCORD_EPOCH_MS
        self.newest_id = max(milliseconds << 22, self.newest_id + 1)
        return self.newest_id


def iso(seconds: float) -> str:
    """Format a time, in seconds since 1970, as Discord does: ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
