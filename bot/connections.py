"""The connections to Discord's gateway, one for each shard of this process, and their turns to identify."""

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
"""Seconds between two turns of the same bucket. Discord wants five between its identifies, which come a moment later:
https://discord.com/developers/docs/events/gateway#sharding-max-concurrency."""


class Connections:
    """The shards of this process, and which of them are connected."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        """Set whenever a shard is connected, ready or lost."""
        self._home: Shards | None = None
        self._connected = set[int]()
        self._ready = set[int]()
        self._waiting = 0
        self._none_since = asyncio.get_running_loop().time()

    def begin(self, home: Shards) -> None:
        """Begin to connect as some shards."""
        self._home = home

    @property
    def connected(self) -> frozenset[int]:
        """The shards that are connected: people can play there before all servers are known."""
        return frozenset(self._connected)

    @property
    def ready(self) -> frozenset[int]:
        """The shards that are connected, and all of whose servers are known."""
        return frozenset(self._ready)

    @property
    def missing(self) -> frozenset[int]:
        """The shards that are not ready."""
        return frozenset() if self._home is None else self._home.numbers - self._ready

    @property
    def none_for(self) -> float:
        """The seconds for which no shard has been ready, not counting what was spent on waiting for a turn."""
        return 0.0 if self._ready or self._waiting else asyncio.get_running_loop().time() - self._none_since

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Let a shard wait for its turn during the block: that it is not connected meanwhile is as it should be."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            self._none_since = asyncio.get_running_loop().time()

    def note_connected(self, shard: int) -> None:
        """Note that a shard is connected."""
        if shard not in self._connected:
            self._connected.add(shard)
            self.changed.set()

    def note_ready(self, shard: int) -> None:
        """Note that all servers of a connected shard are known."""
        self.note_connected(shard)
        if shard not in self._ready:
            self._ready.add(shard)
            self.changed.set()

    def note_lost(self, shard: int) -> None:
        """Note that a shard is not connected any more."""
        self._connected.discard(shard)
        if self._ready:
            self._ready.discard(shard)
            self._none_since = asyncio.get_running_loop().time()
        self.changed.set()


class Identifies:
    """Lets shards of all processes identify in turns: as many at a time as Discord allows, and none too many a day."""

    def __init__(
        self,
        exclusive: Exclusive,
        connections: Connections,
        limits: Callable[[], Coroutine[Any, Any, discord.SessionStartLimits]],
    ) -> None:
        """Take turns with other processes. `limits` asks Discord what it allows, and how much is left of that."""
        self._exclusive = exclusive
        self._connections = connections
        self._limits = limits
        self._over = set[asyncio.Task[None]]()

    async def wait_for_turn(self, shard: int) -> None:
        """Wait until a shard may identify. Nobody else of its bucket may for a while after that.

        Raise `Unavailable`, or what keeps Discord from answering.
        """
        # It is asked again when it is the shard's turn.
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
        """Wait as long as Discord allows no further identify: it resets the token of a bot that goes on."""
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
        # Where the database is out of reach, the turn ends with the connection to it.
        with suppress(Exception):
            await turn.aclose()

    def close(self) -> None:
        """End all turns."""
        for task in self._over:
            task.cancel()
