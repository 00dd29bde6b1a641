"""Outages: when a shard of the gateway was not connected, and people could not play."""

from __future__ import annotations

from collections.abc import Collection

from bot.play.loading.unit_of_work import OUTAGE_AFTER, Service
from bot.store import clocks
from bot.store.database import shielded
from bot.values.clocks import Standstill


class Outages(Service):
    """The connections of all shards, as their heartbeats tell."""

    @shielded
    async def beat(self, connected: Collection[int], shards: int) -> None:
        """Save that these of so many shards are connected.

        Time stood still on a shard that was not for a while, as while the bot was not running. If there are more shards
        than before, or fewer, it stood still since the last heartbeat of each of those.
        """
        async with self._units.write() as unit:
            known = await clocks.connections(unit.transaction)
            for (number, of), seen_at in known.items():
                gone = of != shards
                if gone or (number in connected and unit.now - seen_at > OUTAGE_AFTER):
                    kind = Standstill.SHARD
                    await clocks.add_standstill(unit.transaction, kind, number, of, seen_at, unit.now)
                if gone:
                    await clocks.remove_shard(unit.transaction, number, of)
            for number in connected:
                await clocks.save_shard(unit.transaction, number, shards, unit.now)

    @shielded
    async def forget_old(self) -> None:
        """Remove what is too old to matter."""
        async with self._units.write() as unit:
            await clocks.forget_old(unit.transaction, unit.now)
