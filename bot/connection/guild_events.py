"""Saves what the gateway reports about servers and channels, in order of arrival."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import discord

from bot.model.ids import ChannelId, GuildId
from bot.model.shards import Shards
from bot.play.application import Application
from cogs.delivery.saving import retry_until_done


class GuildEvents:
    """Saves events of servers and channels, and retries until that succeeds."""

    def __init__(self, app: Application, client: discord.Client) -> None:
        self._app = app
        self._client = client
        self._lock = asyncio.Lock()
        self._tasks = set[asyncio.Task[Any]]()

    async def save_guild(self, guild_id: GuildId) -> None:
        """Save whether a server has the bot and is available."""
        await self._save(partial(self._save_guild, guild_id))

    async def save_guilds_of(self, shard_id: int) -> None:
        """Save the current servers of a shard, and which of them are unavailable."""
        await self._save(partial(self._save_guilds_of, shard_id))

    async def save_channel_deleted(self, channel_id: int) -> None:
        """Save the deletion of a channel or thread, which may have contained a table."""
        await self._save(lambda: self._app.outbox.save_channel_deleted(ChannelId(channel_id)))

    async def wait_until_saved(self) -> None:
        """Wait until all events received so far, such as server outages, are saved."""
        async with self._lock:
            pass

    def cancel(self) -> None:
        """Stop saving: Discord reports the unsaved changes again at the next start."""
        for task in self._tasks:
            task.cancel()

    def guilds_of(self, shard_id: int) -> list[discord.Guild]:
        """Return the servers of a shard."""
        return [guild for guild in self._client.guilds if guild.shard_id == shard_id]

    async def _save(self, save: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            async with self._lock:
                await retry_until_done(save)
        finally:
            self._tasks.discard(task)

    async def _save_guild(self, guild_id: GuildId) -> None:
        """Save the current state of a server, whatever the event was: discord.py can report an outage as joining."""
        guild = self._client.get_guild(guild_id)
        if guild is None:
            await self._app.guilds.save_left(guild_id)
        elif guild.unavailable:
            await self._app.guilds.save_unavailable(guild_id)
        else:
            await self._app.guilds.save_joined(guild_id)

    async def _save_guilds_of(self, shard_id: int) -> None:
        shards, guilds = Shards(frozenset((shard_id,)), self._app.leases.home.count), self.guilds_of(shard_id)
        await self._app.guilds.save_all_joined({GuildId(guild.id) for guild in guilds}, shards)
        unavailable = {GuildId(guild.id) for guild in guilds if guild.unavailable}
        await self._app.guilds.save_all_unavailable(unavailable, shards)
