"""A growing pause before a bot that restarts too often connects to the gateway.

Discord allows a bot 1,000 identifies a day, and resets its token beyond that. A bot that fails immediately and is
restarted would use them up within an hour: https://discord.com/developers/docs/events/gateway#session-start-limit.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Final

from bot.model.shards import Shards
from bot.play.key_values import KeyValueStore

PERIOD: Final = timedelta(hours=1)
FREE_STARTS: Final = 9
"""Number of starts within `PERIOD` that get no pause."""
FIRST_PAUSE: Final = 30.0
MAX_PAUSE: Final = 600.0


async def count_start(store: KeyValueStore, token: str, shards: Shards | None, now: datetime) -> float:
    """Record a start of a process, and return the pause before it may connect, in seconds.

    `shards` are the shards that the process runs; None means all. The tenth start within an hour waits 30 seconds, and
    each further one twice as long as the previous one, up to ten minutes. So a bot that fails immediately starts some
    300 times a day.
    """
    key = f"starts of {hashlib.sha256(token.encode()).hexdigest()[:16]} {shards or ''}".rstrip()
    stored_starts: list[float] = json.loads(await store.get(key) or "[]")
    # A start with a time in the future was saved while the clock was wrong.
    starts = [at for at in stored_starts if 0 <= now.timestamp() - at < PERIOD.total_seconds()]
    starts.append(now.timestamp())
    await store.set(key, json.dumps(starts))
    excess = len(starts) - FREE_STARTS
    return min(FIRST_PAUSE * 2 ** (excess - 1), MAX_PAUSE) if excess > 0 else 0.0
