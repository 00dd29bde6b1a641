"""The connected shards of this process. Clocks only run in matches on their servers."""

from __future__ import annotations

import asyncio

from bot.model.shards import Shards


class ConnectedShards:
    """The shards of this process that are connected to the gateway, as last saved in the database."""

    def __init__(self) -> None:
        self.shards = Shards(frozenset(), 1)
        self._changed = asyncio.Event()

    def change(self, shards: Shards) -> None:
        """Set the connected shards."""
        self.shards = shards
        self._changed.set()

    def interrupt(self) -> None:
        """Stop all clocks until the next heartbeat, because somebody could not play.

        The next heartbeat then records a standstill of the clocks since the previous heartbeat.
        """
        self.shards = Shards(frozenset(), self.shards.count)

    async def wait(self) -> Shards:
        """Wait until a shard is connected, and return all connected shards."""
        while not self.shards.numbers:
            self._changed.clear()
            await self._changed.wait()
        return self.shards
