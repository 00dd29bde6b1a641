"""The limits on starting sessions. Source: Discord's API reference, "Identifying" and "Sharding"."""

import time
from dataclasses import dataclass, field

from bot.sandbox.world.clock import Clock
from bot.sandbox.world.json_values import Json

DAY_SECONDS = 86_400.0


@dataclass(slots=True)
class SessionStarts:
    """The limits on starting sessions, which tests can change, and a count of the attempts.

    `shards` is the number of shards that Discord recommends, `total` the number of attempts in 24 hours of the
    simulated clock, and `max_guilds` the maximum number of guilds in a session. Two attempts for shards with the same
    number modulo `max_concurrency` must be at least `interval` real seconds apart (5 on Discord, 0 by default here).
    `too_early` counts the attempts that violate this.
    """

    clock: Clock
    shards: int = 1
    total: int = 1000
    max_concurrency: int = 1
    interval: float = 0.0
    max_guilds: int = 2500
    too_early: int = 0
    _used: int = 0
    _resets_at: float = 0.0
    _last_admitted_at: dict[int, float] = field(default_factory=dict[int, float])

    @property
    def remaining(self) -> int:
        """Number of attempts left until the count resets."""
        return max(0, self.total - self._used) if self.clock.now() < self._resets_at else self.total

    def as_json(self) -> Json:
        """Return Discord's session start limit object."""
        seconds_left = max(0.0, self._resets_at - self.clock.now())
        return {
            "total": self.total,
            "remaining": self.remaining,
            "reset_after": round(seconds_left * 1000),
            "max_concurrency": self.max_concurrency,
        }

    def spend(self) -> bool:
        """Count an attempt. Return False if it exceeds the daily limit."""
        if self.clock.now() >= self._resets_at:
            self._used, self._resets_at = 0, self.clock.now() + DAY_SECONDS
        self._used += 1
        return self._used <= self.total

    def admit(self, shard: int) -> bool:
        """Record an attempt for a shard and return True, or count it as too early and return False."""
        key, now = shard % self.max_concurrency, time.monotonic()
        if now - self._last_admitted_at.get(key, float("-inf")) < self.interval:
            self.too_early += 1
            return False
        self._last_admitted_at[key] = now
        return True
