"""The share of the work that a process does."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime

from bot.values.ids import GuildId
from bot.values.shards import Shards, shard_of


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
        self._returned = frozenset[int]()
        self._under_way = Counter[int]()
        self._done = asyncio.Event()

    @property
    def shards(self) -> Shards:
        """The shards in this share now."""
        over = self._ends_at is not None and time.monotonic() >= self._ends_at
        return Shards(frozenset() if over else frozenset(self._since) - self._returned, self._count)

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
        """Have some of `count` shards, each since a moment, and no others, until the monotonic clock says `ends_at`."""
        self._since, self._count, self._ends_at = dict(since), count, ends_at
        self._returned &= frozenset(since)

    @contextmanager
    def at_work_for(self, guild_id: GuildId | None) -> Generator[bool]:
        """Do something for a server in the block, unless this yields False: its work is not in this share."""
        shard = shard_of(guild_id, self._count)
        if not self.has(guild_id):
            yield False
            return
        self._under_way[shard] += 1
        try:
            yield True
        finally:
            self._under_way[shard] -= 1
            self._done.set()

    async def give_back(self, shard: int) -> None:
        """Begin nothing more for a shard, and wait for the end of what is under way."""
        self._returned |= {shard}
        while self._under_way[shard]:
            self._done.clear()
            await self._done.wait()


class ConnectedShards:
    """The shards that a process is connected as, once that is saved: only then time runs for their matches."""

    def __init__(self) -> None:
        self.shards = Shards(frozenset(), 1)
        self._changed = asyncio.Event()

    def change(self, shards: Shards) -> None:
        """Be connected as these shards."""
        self.shards = shards
        self._changed.set()

    async def wait(self) -> Shards:
        """Wait until there are any, and return them."""
        while not self.shards.numbers:
            self._changed.clear()
            await self._changed.wait()
        return self.shards
