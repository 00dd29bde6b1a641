"""The shards of this process that are connected: time runs for matches on these."""

from __future__ import annotations

import asyncio

from bot.values.shards import Shards


class ConnectedShards:
    """The shards as which this process is connected to the gateway, as far as the database knows it."""

    def __init__(self) -> None:
        self.shards = Shards(frozenset(), 1)
        self._changed = asyncio.Event()

    def change(self, shards: Shards) -> None:
        """Note which shards are connected now."""
        self.shards = shards
        self._changed.set()

    def interrupt(self) -> None:
        """Let no time run until the next heartbeat, since somebody could not play just now.

        That heartbeat saves an outage since the one before.
        """
        self.shards = Shards(frozenset(), self.shards.count)

    async def wait(self) -> Shards:
        """Wait until a shard is connected, and return all that are."""
        while not self.shards.numbers:
            self._changed.clear()
            await self._changed.wait()
        return self.shards
