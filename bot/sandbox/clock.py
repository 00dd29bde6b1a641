"""Time as the local Discord tells it, and the ids that carry it."""

import time
from datetime import UTC, datetime

# Snowflakes count milliseconds from the first second of 2015: Discord's API reference, "Snowflakes".
DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Wall time plus an offset in seconds that tests move to make things old."""

    def __init__(self) -> None:
        self.offset = 0.0
        self._issued = 0

    def now(self) -> float:
        """Tell the simulated time in seconds since 1970."""
        return time.time() + self.offset

    def advance(self, seconds: float) -> None:
        """Let simulated time pass; tokens and messages grow older by it."""
        self.offset += seconds

    def snowflake(self) -> int:
        """Issue a new id that carries the simulated time."""
        self._issued += 1
        milliseconds = int(self.now() * 1000) - DISCORD_EPOCH_MS
        return milliseconds << 22 | self._issued & 0x3FFFFF


def iso(seconds: float) -> str:
    """Write a time as Discord writes it: ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
