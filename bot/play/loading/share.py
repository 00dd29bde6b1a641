"""The share of the work that a process does."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

from bot.values.ids import GuildId
from bot.values.shards import Shards, shard_of

BROKEN_OFF_AFTER: Final = 5.0
"""Seconds that what is under way for a shard may still take once that is to be given back: nothing else is done for it
meanwhile, and what Discord lets wait may wait for a minute and a half."""


def uptime() -> float:
    """Return the seconds since the machine started, those in which it slept included where the system counts them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Share:
    """The shards for whose servers a process delivers messages and moves computers; those of all, if it is alone.

    A share that was granted ends at a moment unless it is granted again: a process that hung then knows by itself that
    another one may have begun to do its work.
    """

    def __init__(self, since: datetime) -> None:
        """Have all of the work since a moment."""
        self._count = 1
        self._since: dict[int, datetime] = {0: since}
        self._ends_at: float | None = None
        self._returned: dict[int, float] = {}
        """The shards that are being given back, and the `uptime` at which what is under way for each is broken off."""
        self._under_way = defaultdict[int, set[asyncio.Timeout]](set)
        """What is done for each shard now: when it is broken off."""
        self._done = asyncio.Event()

    @property
    def shards(self) -> Shards:
        """The shards in this share now."""
        over = self._ends_at is not None and uptime() >= self._ends_at
        return Shards(frozenset() if over else frozenset(self._since.keys() - self._returned.keys()), self._count)

    @property
    def leads(self) -> bool:
        """True if this process does what only one may do: that of the first shard."""
        return self.has(None)

    def has(self, guild_id: GuildId | None) -> bool:
        """Return whether the work for a server is in this share; None stands for what belongs to no server."""
        return self.shards.have(guild_id)

    def since(self, guild_id: GuildId | None) -> datetime | None:
        """Return since when the work for a server is in this share; None if it is not."""
        return self._since.get(shard_of(guild_id, self._count)) if self.has(guild_id) else None

    def grant(self, since: Mapping[int, datetime], count: int, ends_at: float | None = None) -> None:
        """Have some of `count` shards, each since a moment, and no others, until `uptime` reaches `ends_at`."""
        self._since, self._count, self._ends_at = dict(since), count, ends_at
        self._returned = {shard: at for shard, at in self._returned.items() if shard in since}
        for shard in self._under_way:
            self._limit(shard)

    @asynccontextmanager
    async def at_work_for(self, guild_id: GuildId | None) -> AsyncGenerator[bool]:
        """Do something for a server in the block, unless this yields False: its work is not in this share.

        Raise `TimeoutError` once the share ends during the block: another process may do it then. Raise it as well if
        the block takes too long after the shard is to be given back.
        """
        if not self.has(guild_id):
            yield False
            return
        shard = shard_of(guild_id, self._count)
        limit = asyncio.timeout_at(self._end_of(shard))
        try:
            async with limit:
                self._under_way[shard].add(limit)
                yield True
        finally:
            self._under_way[shard].discard(limit)
            self._done.set()

    def _limit(self, shard: int) -> None:
        """Let what is under way for a shard be broken off when its work ends, and no sooner."""
        for limit in self._under_way[shard]:
            if not limit.expired():
                limit.reschedule(self._end_of(shard))

    def _end_of(self, shard: int) -> float | None:
        """Return when the event loop's clock reaches the end of a shard's work; None if it has no end."""
        now = asyncio.get_running_loop().time()
        if shard not in self._since:
            return now
        ends = [at for at in (self._ends_at, self._returned.get(shard)) if at is not None]
        return now + min(ends) - uptime() if ends else None

    async def give_back(self, shard: int) -> None:
        """Begin nothing more for a shard, and wait for the end of what is under way, which is broken off soon."""
        self._returned[shard] = uptime() + BROKEN_OFF_AFTER
        self._limit(shard)
        while self._under_way[shard]:
            self._done.clear()
            await self._done.wait()
