"""The private parts of discord.py that the client relies on."""

from __future__ import annotations

import asyncio
from inspect import signature
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import AutoShardedConnectionState

from bot.sandbox import RateLimited
from tests.cogs.scenes import open_scene
from tests.helpers.living import running_bot
from tests.helpers.waiting import MAX_WAIT, eventually


async def test_requests_continue_after_a_cancelled_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If the request that hit the global limit is cancelled during its wait, all other requests are still sent."""
    async with running_bot(tmp_path) as alive:
        alive.sandbox.faults.requests(RateLimited(10 * MAX_WAIT, is_global=True), on="GET /gateway/bot", times=1)
        alive.client.http.max_ratelimit_timeout = None
        before = alive.sandbox.journal.routes["GET /gateway/bot"]
        limited = asyncio.create_task(alive.client.http.get_bot_gateway())
        await eventually(lambda: "Global rate limit has been hit" in caplog.text)
        waiting = asyncio.create_task(alive.client.http.get_bot_gateway())
        for _ in range(10):
            await asyncio.sleep(0)
        assert alive.sandbox.journal.routes["GET /gateway/bot"] == before + 1
        limited.cancel()
        async with asyncio.timeout(MAX_WAIT):
            await waiting
            await alive.client.http.get_bot_gateway()


def test_the_private_parts_exist() -> None:
    """discord.py still has each private part that the bot relies on, with the expected parameters."""
    state = AutoShardedConnectionState
    assert [*signature(state.parse_ready).parameters] == ["self", "data"]
    assert [*signature(state.parse_interaction_create).parameters] == ["self", "data"]
    assert [*signature(state._remove_guild).parameters] == ["self", "guild"]  # pyright: ignore[reportPrivateUsage]
    assert [*signature(discord.AutoShardedClient.launch_shard).parameters] == ["self", "gateway", "shard_id", "initial"]
    assert [*signature(discord.Client.dispatch).parameters] == ["self", "event", "args", "kwargs"]
    assert Route("GET", "/gateway").url.startswith(Route.BASE)
    assert isinstance(DiscordWebSocket.DEFAULT_GATEWAY, yarl.URL)


async def test_the_global_limit_is_an_event(tmp_path: Path) -> None:
    """While no global rate limit applies, `_global_over` is set, and requests do not wait for it."""
    async with running_bot(tmp_path) as alive:
        assert alive.client.http._global_over.is_set()  # pyright: ignore[reportPrivateUsage]


async def test_rejected_interactions_create_no_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the client refuses to register an interaction, discord.py's `parse_interaction_create` does not run for it."""
    async with open_scene(tmp_path) as scene:
        parsed = list[object]()
        original = AutoShardedConnectionState.parse_interaction_create

        def parse(self: AutoShardedConnectionState[discord.Client], data: Any) -> None:
            parsed.append(data)
            original(self, data)

        monkeypatch.setattr(AutoShardedConnectionState, "parse_interaction_create", parse)
        await scene.ask(scene.north, "help")
        assert len(parsed) == 1
        monkeypatch.setattr(scene.bot.client, "register_interaction", Mock(return_value=False))
        await scene.north.slash("gin help", scene.channel)
        await asyncio.sleep(0.1)
        assert len(parsed) == 1
