"""The limits on starting sessions."""

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox import Op, Sandbox
from tests.sandbox.bots import ShardedBot, TestBot, running_client

DAY = 86_400


async def identify(session: aiohttp.ClientSession, sandbox: Sandbox, shard: object) -> dict[str, Any] | int:
    """Identify for a shard over a new connection. Return the answer, or the code that closed the connection."""
    socket = await session.ws_connect(sandbox.gateway_url)
    assert (await socket.receive_json())["op"] == Op.HELLO
    await socket.send_json({"op": Op.IDENTIFY, "d": {"token": sandbox.token, "intents": 0, "shard": shard}})
    message = await socket.receive()
    return message.json() if message.type is aiohttp.WSMsgType.TEXT else socket.close_code or 0


async def test_session_start_limits(sandbox: Sandbox, client: TestBot) -> None:
    """GET /gateway/bot returns the recommended shards, the remaining session starts, and the time until they reset."""
    sandbox.gateway.starts.shards, sandbox.gateway.starts.max_concurrency = 3, 16
    shards, url, limit = await client.http.get_bot_gateway()
    assert (shards, url) == (3, sandbox.gateway_url)
    assert limit == {"total": 1000, "remaining": 999, "reset_after": DAY * 1000, "max_concurrency": 16}
    sandbox.world.clock.advance(DAY - 1)
    assert (await client.http.get_bot_gateway())[2]["reset_after"] == 1000
    sandbox.world.clock.advance(1)
    limit = (await client.http.get_bot_gateway())[2]
    assert (limit["remaining"], limit["reset_after"]) == (1000, 0)


async def test_the_recommended_shards_are_used(sandbox: Sandbox) -> None:
    """A client without a configured number of shards starts as many as Discord recommends."""
    sandbox.gateway.starts.shards = 3
    async with running_client(sandbox, ShardedBot()) as client:
        assert client.shard_count == 3
        assert sorted(session.shard for session in sandbox.gateway.sessions.values()) == [(0, 3), (1, 3), (2, 3)]


async def test_identify_interval(sandbox: Sandbox) -> None:
    """Only one shard per rate limit key can identify in each interval. An identify that comes too early gets op 9."""
    starts = sandbox.gateway.starts
    starts.interval, starts.max_concurrency = 60, 2
    invalid = {"op": Op.INVALID_SESSION, "d": False}
    async with aiohttp.ClientSession() as session:
        for shard, is_accepted in ((0, True), (1, True), (2, False), (3, False), (0, False)):
            answer = await identify(session, sandbox, [shard, 4])
            assert isinstance(answer, dict)
            assert (answer.get("t") == "READY") == is_accepted
            assert is_accepted or answer == invalid
        assert (starts.too_early, sandbox.gateway.identifies, starts.remaining) == (3, 2, 995)
        starts.interval = 0
        answer = await identify(session, sandbox, [2, 4])
        assert isinstance(answer, dict)
        assert answer["t"] == "READY"


async def test_early_identifies_are_retried(sandbox: Sandbox) -> None:
    """If two processes start together, one gets op 9 and retries. Then both are connected."""
    starts = sandbox.gateway.starts
    starts.interval = 60
    async with ShardedBot(0, shard_count=2) as first, ShardedBot(1, shard_count=2) as second:
        tasks = [asyncio.create_task(client.start(sandbox.token)) for client in (first, second)]
        await sandbox.until(lambda: starts.too_early)
        assert sandbox.gateway.identifies == 1
        starts.interval = 0
        await sandbox.ready()
        assert sandbox.gateway.identifies == 2
        for client in (first, second):
            await client.wait_until_ready()
            await client.close()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("shard", [[2, 2], [-1, 2], [0, 0], [0], [0, 1, 2], "0", 0])
async def test_invalid_shards(sandbox: Sandbox, shard: object) -> None:
    """An invalid shard closes the connection with 4010, and does not count as an attempt."""
    async with aiohttp.ClientSession() as session:
        assert await identify(session, sandbox, shard) == 4010
    assert sandbox.gateway.starts.remaining == 1000


async def test_guild_limit_of_a_session(sandbox: Sandbox) -> None:
    """A session with too many guilds is closed with 4011. With more shards, each session has fewer guilds."""
    sandbox.gateway.starts.max_guilds = 3
    sandbox.world.add_guilds(3, [sandbox.person("North").user])
    async with TestBot() as client:
        with pytest.raises(discord.ConnectionClosed) as caught:
            await client.start(sandbox.token)
        assert caught.value.code == 4011
    async with running_client(sandbox, ShardedBot(shard_count=2)) as sharded:
        assert len(sharded.guilds) == 4


async def test_too_many_identifies(sandbox: Sandbox) -> None:
    """An attempt beyond the daily limit ends all sessions, and the token is refused until the count resets."""
    sandbox.gateway.starts.total = 1
    async with TestBot() as first, TestBot() as second:
        first_run = asyncio.create_task(first.start(sandbox.token))
        await sandbox.ready()
        for running in (second.start(sandbox.token), first_run):
            with pytest.raises(discord.ConnectionClosed) as caught:
                await running
            assert caught.value.code == 4004
    assert not sandbox.gateway.sessions
    assert sandbox.gateway.starts.remaining == 0
    sandbox.world.clock.advance(DAY)
    async with running_client(sandbox):
        assert sandbox.gateway.connected
