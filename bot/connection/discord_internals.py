"""All uses of private or undocumented parts of discord.py 2.7.1.

The test of this module names each of them, and what the bot relies on.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.state import AutoShardedConnectionState


class ShardedBot(commands.AutoShardedBot):
    """A client that drops rejected interactions early, and connects a shard only when it may identify."""

    @abstractmethod
    def register_interaction(self, interaction_id: int, user_id: int, *, is_autocomplete: bool) -> bool:
        """Register a received interaction before discord.py creates objects for it. Return True to handle it."""

    @abstractmethod
    async def wait_for_turn(self, shard_id: int) -> None:
        """Wait until a shard may identify."""

    def _get_state(self, **options: Any) -> AutoShardedConnectionState[Any]:
        return _State(dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Wait until a shard may identify. Only then connect it: discord.py cannot close a waiting connection."""
        await self.wait_for_turn(shard_id)
        await super().launch_shard(gateway, shard_id, initial=True)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed: discord.py may still be about to dispatch `ready`."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)


class _State(AutoShardedConnectionState[ShardedBot]):
    """discord.py's event handling, which drops rejected interactions early and forgets servers that are gone.

    Without this, discord.py would create objects and tasks for each interaction, and read more events before any of
    them runs: 40 MB for 10,000 simultaneous interactions.
    """

    def parse_ready(self, data: Any) -> None:
        # Forget servers that have removed the bot: with shards, discord.py keeps all servers of the previous session.
        guild_ids = {int(guild["id"]) for guild in data["guilds"]}
        for guild in self.guilds:
            if guild.shard_id == data["shard"][0] and guild.id not in guild_ids:
                self._remove_guild(guild)
        super().parse_ready(data)

    def parse_interaction_create(self, data: Any) -> None:
        user: Any = data.get("member", data)["user"]
        is_autocomplete = data["type"] == discord.InteractionType.autocomplete.value
        if self._get_client().register_interaction(int(data["id"]), int(user["id"]), is_autocomplete=is_autocomplete):
            super().parse_interaction_create(data)


def release_if_cancelled(http: HTTPClient) -> None:
    """Keep a cancelled request from blocking all others after a global rate limit.

    In discord.py 2.7.1 (`HTTPClient.request`), the request that hit the limit sleeps while all others wait for it. If
    it is cancelled, they wait forever. Releasing them too early only makes them hit the limit again.
    """
    request = http.request

    async def released(
        route: Route,
        *,
        files: Sequence[discord.File] | None = None,
        form: Iterable[dict[str, Any]] | None = None,
        **options: Any,
    ) -> Any:
        try:
            return await request(route, files=files, form=form, **options)
        except asyncio.CancelledError:
            http._global_over.set()  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - there is no other way
            raise

    http.request = released


def use_server(api: str | None, gateway: str | None) -> None:
    """Use other servers for Discord's HTTP API v10 and gateway. None means Discord itself."""
    if api is not None:
        Route.BASE = api
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
