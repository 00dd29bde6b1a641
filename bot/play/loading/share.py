"""This process's share of the background work."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

from bot.model.ids import GuildId
from bot.model.shards import Shards, shard_of

GIVE_BACK_TIMEOUT: Final = 5.0
"""Time limit for work in progress on a shard that is being given back, in seconds. No process works for the shard
during this time, and without a limit, a request to Discord could take 90 seconds."""


def uptime() -> float:
    """Return the seconds since the machine started. On Linux, this includes time spent asleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Share:
    """The shards for whose servers this process delivers messages and plays for computers.

    A lone process has all shards. A granted share expires unless it is renewed. So a process that hung knows, without
    asking the database, that another process might have taken over its work.
    """

    def __init__(self, since: datetime) -> None:
        """Start with all shards, as a lone process. `since` is the time at which this process got them."""
        self._count = 1
        self._since: dict[int, datetime] = {0: since}
        self._ends_at: float | None = None
        self._giving_back: dict[int, float] = {}
        """The shards that are being given back, each with the `uptime` at which its work in progress is cancelled."""
        self._in_progress = defaultdict[int, set[asyncio.Timeout]](set)
        """For each shard, one timeout for each piece of work in progress. The timeout can cancel the work."""
        self._done = asyncio.Event()

    @property
    def shards(self) -> Shards:
        """The shards in this share now."""
        has_expired = self._ends_at is not None and uptime() >= self._ends_at
        return Shards(
            frozenset() if has_expired else frozenset(self._since.keys() - self._giving_back.keys()), self._count
        )

    @property
    def is_leader(self) -> bool:
        """True if this process is the leader, because it has the first shard.

        The leader does the work that only one process may do.
        """
        return self.has(None)

    def has(self, guild_id: GuildId | None) -> bool:
        """Return True if the work for a server is in this share. None means work that belongs to no server."""
        return self.shards.contains(guild_id)

    def since(self, guild_id: GuildId | None) -> datetime | None:
        """Return the time at which this process got a server's shard; None if the shard is not in this share."""
        return self._since.get(shard_of(guild_id, self._count)) if self.has(guild_id) else None

    def grant(self, since: Mapping[int, datetime], count: int, ends_at: float | None = None) -> None:
        """Set the shards of this process, and the time at which it got each of them. There are `count` shards in all.

        The share expires when `uptime` reaches `ends_at`.
        """
        self._since, self._count, self._ends_at = dict(since), count, ends_at
        self._giving_back = {shard: at for shard, at in self._giving_back.items() if shard in since}
        for shard in self._in_progress:
            self._update_timeouts(shard)

    @asynccontextmanager
    async def working_for(self, guild_id: GuildId | None) -> AsyncGenerator[bool]:
        """Let the `with` block work for a server. Yield False if the work is not in this share and must not be done.

        Raise `TimeoutError` if the share expires during the block: another process may do the work then. Also raise
        `TimeoutError` if `give_back` is called for the shard, and the block takes too long after that.
        """
        if not self.has(guild_id):
            yield False
            return
        shard = shard_of(guild_id, self._count)
        limit = asyncio.timeout_at(self._deadline(shard))
        try:
            async with limit:
                self._in_progress[shard].add(limit)
                yield True
        finally:
            self._in_progress[shard].discard(limit)
            self._done.set()

    def _update_timeouts(self, shard: int) -> None:
        """Update the time at which the work in progress for a shard is cancelled."""
        for limit in self._in_progress[shard]:
            if not limit.expired():
                limit.reschedule(self._deadline(shard))

    def _deadline(self, shard: int) -> float | None:
        """Return the time at which work for a shard is cancelled, by the event loop's clock; None for no limit."""
        now = asyncio.get_running_loop().time()
        if shard not in self._since:
            return now
        ends = [at for at in (self._ends_at, self._giving_back.get(shard)) if at is not None]
        return now + min(ends) - uptime() if ends else None

    async def give_back(self, shard: int) -> None:
        """Start no more work for a shard, and wait until its work in progress is done or cancelled."""
        self._giving_back[shard] = uptime() + GIVE_BACK_TIMEOUT
        self._update_timeouts(shard)
        while self._in_progress[shard]:
            self._done.clear()
            await self._done.wait()
