"""The gateway connections of this process, one for each shard, and the queue for identifying."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.play.sharing.exclusive import Exclusive
from bot.values.shards import Shards

log = structlog.get_logger(__name__)

IDENTIFY_EVERY: Final = 5.5
"""Interval between turns in one bucket, in seconds. Discord wants five between identifies, which come a moment later:
https://discord.com/developers/docs/events/gateway#sharding-max-concurrency."""


class Connections:
    """The connection state of this process's shards."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        """Set whenever a shard connects, becomes ready or is lost."""
        self._home: Shards | None = None
        self._connected = set[int]()
        self._ready = set[int]()
        self._waiting = 0
        self._none_since = asyncio.get_running_loop().time()

    def begin(self, home: Shards) -> None:
        """Set the shards that this process connects as."""
        self._home = home

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
        return frozenset() if self._home is None else self._home.numbers - self._ready

    @property
    def none_for(self) -> float:
        """Time without a ready shard, in seconds, excluding waits for a turn to identify."""
        return 0.0 if self._ready or self._waiting else asyncio.get_running_loop().time() - self._none_since

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Mark that a shard is waiting for its turn during the block, so that `none_for` stays 0."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            self._none_since = asyncio.get_running_loop().time()

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
            self._none_since = asyncio.get_running_loop().time()
        self.changed.set()


class Identifies:
    """Lets the shards of all processes identify in turn, within Discord's concurrency and daily limits."""

    def __init__(
        self,
        exclusive: Exclusive,
        connections: Connections,
        limits: Callable[[], Coroutine[Any, Any, discord.SessionStartLimits]],
    ) -> None:
        """Share turns with other processes. `limits` asks Discord for its limits and the remaining starts."""
        self._exclusive = exclusive
        self._connections = connections
        self._limits = limits
        self._over = set[asyncio.Task[None]]()

    async def wait_for_turn(self, shard: int) -> None:
        """Wait until a shard may identify, and keep its bucket for a few seconds after that.

        Raise `Unavailable`, or the error of the request to Discord.
        """
        # The limits are requested again when it is the shard's turn.
        limits, turn = await self._limits(), AsyncExitStack()
        with self._connections.waiting():
            await turn.enter_async_context(self._exclusive.alone(f"identify {shard % limits.max_concurrency}"))
            try:
                await self._wait_for_another_day()
            except BaseException:
                await turn.aclose()
                raise
        task = asyncio.create_task(self._end(turn))
        self._over.add(task)
        task.add_done_callback(self._over.discard)

    async def _wait_for_another_day(self) -> None:
        """Wait while no identify is left: Discord resets the token of a bot that exceeds the limit."""
        while True:
            limits = await self._limits()
            metrics.IDENTIFIES_LEFT.set(limits.remaining)
            metrics.IDENTIFIES_RESET.set(time.time() + limits.reset_after / 1000)
            if limits.remaining >= limits.max_concurrency:
                return
            log.error("Discord allows no more connections for now", seconds=limits.reset_after // 1000)
            await asyncio.sleep(limits.reset_after / 1000)

    async def _end(self, turn: AsyncExitStack) -> None:
        await asyncio.sleep(IDENTIFY_EVERY)
        # If the database is out of reach, the turn ends with the connection to it.
        with suppress(Exception):
            await turn.aclose()

    def close(self) -> None:
        """Release all turns."""
        for task in self._over:
            task.cancel()
