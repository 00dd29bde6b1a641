"""Outages: times in which a shard was not connected to the gateway, so that people could not play."""

from __future__ import annotations

from collections.abc import Collection

from bot.play.loading.leftovers import remove_leftovers
from bot.play.loading.unit_of_work import OUTAGE_AFTER, Service, shielded
from bot.store import clocks
from bot.values.clocks import Standstill


class Outages(Service):
    """The connection history of all shards, derived from their heartbeats."""

    @shielded
    async def beat(self, connected: Collection[int], shards: int, *, newly: Collection[int] = ()) -> None:
        """Save a heartbeat of the connected shards. The `newly` connected ones were disconnected until now.

        Record a standstill of the clocks for newly connected shards since their last heartbeat, and also for others if
        that is too long ago: the system clock jumped, or the process hung. Before a shard's first heartbeat, its clocks
        never ran. If `shards`, the number of shards, has changed, record a standstill for each old shard since its last
        heartbeat. It continues for every new shard that is not connected yet.
        """
        async with self._units.write() as unit:
            known = await clocks.connections(unit.transaction)
            for (number, of), seen_at in known.items():
                gone, was_away = of != shards, number in newly or unit.now - seen_at > OUTAGE_AFTER
                if seen_at < unit.now and (gone or (number in connected and was_away)):
                    await clocks.add_standstill(unit.transaction, Standstill.SHARD, number, of, seen_at, unit.now)
                if gone:
                    await clocks.remove_shard(unit.transaction, number, of)
            begun = {*connected}
            if any(of != shards for _, of in known):
                begun |= {number for number in range(shards) if (number, shards) not in known}
            else:
                for number in {*newly}.difference(number for number, _ in known):
                    since = unit.now - clocks.KEPT_FOR
                    await clocks.add_standstill(unit.transaction, Standstill.SHARD, number, shards, since, unit.now)
            for number in begun:
                await clocks.save_shard(unit.transaction, number, shards, unit.now)

    async def forget_old(self) -> None:
        """Delete standstills and holidays that are too old to matter."""
        await remove_leftovers(self._units, clocks.old_standstills, clocks.old_holidays)
