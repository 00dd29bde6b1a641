"""Outages: when a shard of the gateway was not connected, and people could not play."""

from __future__ import annotations

from collections.abc import Collection

from bot.play.loading.leftovers import remove_leftovers
from bot.play.loading.unit_of_work import OUTAGE_AFTER, Service, shielded
from bot.store import clocks
from bot.values.clocks import Standstill


class Outages(Service):
    """The connections of all shards, as their heartbeats tell."""

    @shielded
    async def beat(self, connected: Collection[int], shards: int, *, newly: Collection[int] = ()) -> None:
        """Save which shards of the bot are connected, some of them `newly`: they were not until now.

        Time stood still on those since their last heartbeat, and on others if that is long ago: the system's clock
        jumped, or the process hung. Before the first heartbeat of all it never ran. If there are more shards than
        before, or fewer, it stood still since the last heartbeat of each of those, and still does where a new one is
        not connected yet.
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
        """Remove what is too old to matter."""
        await remove_leftovers(self._units, clocks.old_standstills, clocks.old_holidays)
