"""The gateway connections of this process, one for each shard, and the queue in which shards wait to identify."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.model.shards import Shards
from bot.play.sharing.exclusive import Exclusive

log = structlog.get_logger(__name__)

IDENTIFY_INTERVAL: Final = 5.5
"""Interval between the turns of two shards in one bucket, in seconds. Discord demands five seconds between identifies,
and a shard identifies a moment after its turn begins:
https://discord.com/developers/docs/events/gateway#sharding-max-concurrency."""


class Connections:
    """The connection state of this process's shards."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        """Set whenever a shard connects, becomes ready or is lost."""
        self._shards: Shards | None = None
        self._connected = set[int]()
        self._ready = set[int]()
        self._waiting = 0
        self._not_ready_since = asyncio.get_running_loop().time()

    def begin(self, shards: Shards) -> None:
        """Set the shards that this process connects as."""
        self._shards = shards

    @property
    def connected(self) -> frozenset[int]:
        """The connected shards. People can play there before all servers are known."""
        return frozenset(self._connected)

    @property
    def ready(self) -> frozenset[int]:
        """The connected shards whose servers are all known."""
        return frozenset(self._ready)

    @property
    def missing(self) -> frozenset[int]:
        """The shards of this process that are not ready."""
        return frozenset() if self._shards is None else self._shards.numbers - self._ready

    @property
    def seconds_without_gateway(self) -> float:
        """Time without a ready shard, in seconds, excluding waits for a turn to identify."""
        return 0.0 if self._ready or self._waiting else asyncio.get_running_loop().time() - self._not_ready_since

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Mark a shard as waiting for its turn to identify, during the block: `seconds_without_gateway` stays 0."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            self._not_ready_since = asyncio.get_running_loop().time()

    def note_connected(self, shard: int) -> None:
        if shard not in self._connected:
            self._connected.add(shard)
            self.changed.set()

    def note_ready(self, shard: int) -> None:
        """Note that a shard is connected and all its servers are known."""
        self.note_connected(shard)
        if shard not in self._ready:
            self._ready.add(shard)
            self.changed.set()

    def note_lost(self, shard: int) -> None:
        self._connected.discard(shard)
        if self._ready:
            self._ready.discard(shard)
            self._not_ready_since = asyncio.get_running_loop().time()
        self.changed.set()


class IdentifyQueue:
    """Lets the shards of all processes identify in turn, within Discord's concurrency and daily limits."""

    def __init__(
        self,
        exclusive: Exclusive,
        connections: Connections,
        fetch_limits: Callable[[], Coroutine[Any, Any, discord.SessionStartLimits]],
    ) -> None:
        """`fetch_limits` asks Discord for its limits and the number of identifies left."""
        self._exclusive = exclusive
        self._connections = connections
        self._fetch_limits = fetch_limits
        self._release_tasks = set[asyncio.Task[None]]()

    async def wait_for_turn(self, shard: int) -> None:
        """Wait until a shard may identify. For a few seconds after that, no other shard in its bucket gets a turn.

        Raise `Unavailable` if the database cannot be used, or the error of a failed request to Discord.
        """
        # Use these limits only for the concurrency: the number of identifies left may change before the shard's turn.
        limits, turn = await self._fetch_limits(), AsyncExitStack()
        with self._connections.waiting():
            await turn.enter_async_context(self._exclusive.locked(f"identify {shard % limits.max_concurrency}"))
            try:
                await self._wait_for_limit_reset()
            except BaseException:
                await turn.aclose()
                raise
        task = asyncio.create_task(self._release(turn))
        self._release_tasks.add(task)
        task.add_done_callback(self._release_tasks.discard)

    async def _wait_for_limit_reset(self) -> None:
        """Wait while few identifies are left: Discord resets the token of a bot that uses more than its limit."""
        while True:
            limits = await self._fetch_limits()
            metrics.IDENTIFIES_LEFT.set(limits.remaining)
            metrics.IDENTIFIES_RESET.set(time.time() + limits.reset_after / 1000)
            if limits.remaining >= limits.max_concurrency:
                return
            log.error("Discord allows no more connections for now", seconds=limits.reset_after // 1000)
            await asyncio.sleep(limits.reset_after / 1000)

    async def _release(self, turn: AsyncExitStack) -> None:
        await asyncio.sleep(IDENTIFY_INTERVAL)
        # If the database is out of reach, the lock is released when the connection to the database ends.
        with suppress(Exception):
            await turn.aclose()

    def close(self) -> None:
        """Cancel the pending releases of turns. The locks end with the database connection at the latest."""
        for task in self._release_tasks:
            task.cancel()
