"""The limits on starting sessions. Source: Discord's API reference, "Identifying" and "Sharding"."""

import time
from dataclasses import dataclass, field

from bot.sandbox.world.clock import Clock
from bot.sandbox.world.json_values import Json

DAY = 86_400.0


@dataclass(slots=True)
class SessionStarts:
    """What a bot is told of starting sessions, and how its attempts are counted. Tests set what they need.

    `shards` is the number of shards that Discord recommends, `total` the number of attempts in 24 hours of the
    simulated clock, and `max_guilds` the number of guilds that one session can have. Between two attempts for shards
    with the same number modulo `max_concurrency` there must be `interval` real seconds: 5 on Discord, none by default
    here. `too_early` counts the attempts that came before that.
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
    _newest: dict[int, float] = field(default_factory=dict[int, float])

    @property
    def remaining(self) -> int:
        """The number of attempts left until the count begins again."""
        return max(0, self.total - self._used) if self.clock.now() < self._resets_at else self.total

    def as_json(self) -> Json:
        """Return the session start limit object."""
        left = max(0.0, self._resets_at - self.clock.now())
        return {
            "total": self.total,
            "remaining": self.remaining,
            "reset_after": round(left * 1000),
            "max_concurrency": self.max_concurrency,
        }

    def spend(self) -> bool:
        """Count an attempt. Return False if none was left."""
        if self.clock.now() >= self._resets_at:
            self._used, self._resets_at = 0, self.clock.now() + DAY
        self._used += 1
        return self._used <= self.total

    def admit(self, shard: int) -> bool:
        """Let an attempt for a shard through, and note its time. Return False, and count it, if it comes too early."""
        key, now = shard % self.max_concurrency, time.monotonic()
        if now - self._newest.get(key, float("-inf")) < self.interval:
            self.too_early += 1
            return False
        self._newest[key] = now
        return True
