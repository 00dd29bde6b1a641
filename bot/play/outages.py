"""Outages: times in which a shard was not connected to the gateway, so that people could not play."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.clocks import Standstill
from bot.play.loading.leftovers import remove_leftovers
from bot.play.loading.unit_of_work import HEARTBEAT_TIMEOUT, Service, shielded
from bot.store import clocks


class Outages(Service):
    """The connection history of all shards, derived from their heartbeats."""

    @shielded
    async def beat(self, connected: Collection[int], shards: int, *, newly: Collection[int] = ()) -> None:
        """Save a heartbeat of the connected shards. The `newly` connected ones were disconnected until now.

        Record a standstill of the clocks of newly connected shards, from their last heartbeat until now. Do the same
        for other connected shards whose last heartbeat is too old: the system clock jumped, or the process hung. If a
        newly connected shard never had a heartbeat, its clocks have never run.

        If `shards`, the number of shards, has changed, record a standstill for each shard of the old division, from its
        last heartbeat until now. The clocks of new shards that are not connected yet continue to stand still.
        """
        async with self._units.write() as unit:
            last_heartbeats = await clocks.shard_times(unit.transaction)
            for (number, count), seen_at in last_heartbeats.items():
                is_old_shard, was_away = count != shards, number in newly or unit.now - seen_at > HEARTBEAT_TIMEOUT
                if seen_at < unit.now and (is_old_shard or (number in connected and was_away)):
                    await clocks.add_standstill(unit.transaction, Standstill.SHARD, number, count, seen_at, unit.now)
                if is_old_shard:
                    await clocks.remove_shard(unit.transaction, number, count)
            seen_shards = {*connected}
            if any(of != shards for _, of in last_heartbeats):
                seen_shards |= {number for number in range(shards) if (number, shards) not in last_heartbeats}
            else:
                for number in {*newly}.difference(number for number, _ in last_heartbeats):
                    since = unit.now - clocks.RETENTION
                    await clocks.add_standstill(unit.transaction, Standstill.SHARD, number, shards, since, unit.now)
            for number in seen_shards:
                await clocks.save_shard_time(unit.transaction, number, shards, unit.now)

    async def forget_old(self) -> None:
        """Delete standstills and holidays that are too old to matter."""
        await remove_leftovers(self._units, clocks.old_standstills, clocks.old_holidays)
