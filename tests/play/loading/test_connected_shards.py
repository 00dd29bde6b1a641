"""The shards of this process that are connected."""

from __future__ import annotations

import asyncio

from bot.play.loading.connected_shards import ConnectedShards
from bot.values.shards import Shards


async def test_time_runs_for_no_match_before_any_shard_is_connected() -> None:
    """`wait` returns the connected shards as soon as there are any."""
    connected = ConnectedShards()
    waiting = asyncio.create_task(connected.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    connected.change(Shards.all(2))
    assert await waiting == Shards.all(2)
