"""Rate limits: a fixed window for each route and major parameter, announced in Discord's headers, and a global limit.

Source: Discord's API reference, "Rate Limits". The default limits are generous; tests set stricter ones, for example
`limits[route] = (5, 5.0)`. Windows use real time, because clients wait in real time.
"""

import hashlib
import math
import time
from dataclasses import dataclass, field

DEFAULT_LIMIT = (1000, 1.0)
# Routes that contain this text do not announce their real limits in headers, so clients get a 429 without warning.
# Source: Discord's API reference, "Emoji Resource".
UNANNOUNCED_ROUTE = "/emojis"
# Each interaction token has its own window, so windows accumulate. If there are more than this many, expired ones are
# removed.
MAX_WINDOWS = 2000


@dataclass(slots=True)
class RateLimits:
    """All rate limits, with counts of the requests. `limits` maps `METHOD /route/{template}` to (requests, seconds).

    `per_second` is the global limit: 50 on Discord, off by default here. It counts requests authorized by the bot's
    token, not by an interaction's token.
    """

    limits: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    per_second: int | None = None
    _global_window: tuple[float, int] = (0.0, 0)
    _windows: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict[tuple[str, str], tuple[float, int]])

    def spend_globally(self) -> float | None:
        """Count a request made with the bot's token. Return the seconds to wait if it exceeds the global limit."""
        now = time.monotonic()
        reset, used = self._global_window
        reset, used = (reset, used + 1) if now < reset else (now + 1.0, 1)
        self._global_window = reset, used
        return reset - now if self.per_second is not None and used > self.per_second else None

    def spend(self, route: str, major: str) -> tuple[dict[str, str], float | None]:
        """Count a request. Return the headers for its answer, and the seconds to wait if it exceeds the limit."""
        limit, seconds = self.limits.get(route, DEFAULT_LIMIT)
        now = time.time()
        reset, used = self._windows.get((route, major), (0.0, 0))
        if now >= reset:
            reset, used = now + seconds, 0
            if len(self._windows) > MAX_WINDOWS:
                self._windows = {key: window for key, window in self._windows.items() if window[0] > now}
        used += 1
        self._windows[route, major] = reset, used
        wait = reset - now
        announced_limit = DEFAULT_LIMIT[0] if UNANNOUNCED_ROUTE in route else limit
        headers = {
            "X-RateLimit-Limit": str(announced_limit),
            "X-RateLimit-Remaining": str(max(0, announced_limit - used)),
            "X-RateLimit-Reset": f"{reset:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": hashlib.blake2s(route.encode(), digest_size=8).hexdigest(),
        }
        if used <= limit:
            return headers, None
        return headers | {"Retry-After": str(math.ceil(wait)), "X-RateLimit-Scope": "user"}, wait
