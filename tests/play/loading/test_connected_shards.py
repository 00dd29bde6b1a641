"""Waiting for the connected shards of this process."""

from __future__ import annotations

import asyncio

from bot.model.shards import Shards
from bot.play.loading.connected_shards import ConnectedShards


async def test_wait_returns_once_a_shard_is_connected() -> None:
    """`wait` returns the connected shards as soon as there are any."""
    connected = ConnectedShards()
    waiting = asyncio.create_task(connected.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    connected.change(Shards.all(2))
    assert await waiting == Shards.all(2)
