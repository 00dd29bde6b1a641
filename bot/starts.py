"""A pause before the gateway for a bot that starts again and again.

Discord allows a bot 1,000 identifies a day, and resets its token beyond that. A supervisor that restarts a bot which
fails at once would use them up within the hour: https://discord.com/developers/docs/events/gateway#session-start-limit.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Final

from bot.play.key_values import KeyValueStore
from bot.values.shards import Shards

PERIOD: Final = timedelta(hours=1)
FREE_STARTS: Final = 9
"""Starts within the period that need not wait."""
FIRST_PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 600.0


async def count_start(store: KeyValueStore, token: str, shards: Shards | None, now: datetime) -> float:
    """Save that a process of a bot starts, and return how many seconds it should wait before it connects.

    `shards` are those that it is to be connected as; None stands for all. The tenth start within an hour waits 30
    seconds, and each further one twice as long as the one before, up to ten minutes: a bot that fails at once starts
    some 300 times a day.
    """
    key = f"starts of {hashlib.sha256(token.encode()).hexdigest()[:16]} {shards or ''}".rstrip()
    known: list[float] = json.loads(await store.get(key) or "[]")
    # A start that lies in the future was saved while the clock was wrong.
    starts = [at for at in known if 0 <= now.timestamp() - at < PERIOD.total_seconds()]
    starts.append(now.timestamp())
    await store.set(key, json.dumps(starts))
    further = len(starts) - FREE_STARTS
    return min(FIRST_PAUSE * 2 ** (further - 1), LONGEST_PAUSE) if further > 0 else 0.0
