"""Waiting until the sandbox is idle."""

import asyncio

import aiohttp
import pytest

from bot.sandbox import Channel, Delay, Op, Person, Sandbox
from tests.sandbox.bots import TestBot, text_channel


async def test_idle_without_a_bot(sandbox: Sandbox) -> None:
    """A sandbox without a bot is idle."""
    await sandbox.idle()


async def test_requests(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """`idle` waits for requests that are being handled. If it times out, the error names the request."""
    sandbox.faults.requests(Delay(1), on="POST /channels/*/messages")
    sending = asyncio.create_task(text_channel(client, general).send("x"))
    await sandbox.until(lambda: sandbox.state.requests)
    with pytest.raises(TimeoutError, match=f"POST /api/v10/channels/{general.id}/messages"):
        await sandbox.idle(timeout=0)
    sandbox.world.clock.advance(1)
    await sandbox.idle()
    assert [message.text for message in general.messages.values()] == ["x"]
    await sending


async def test_interactions(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """`idle` waits for an interaction until its first response, or until its deadline passes."""
    answered = await north.slash("demo ping", general)
    await sandbox.idle()
    assert answered.text == "pong"
    silent = await north.slash("demo silent", general)
    with pytest.raises(TimeoutError, match="/demo silent by North"):
        await sandbox.idle(timeout=0)
    sandbox.world.clock.advance(3)
    await sandbox.idle()
    assert silent.failed


async def test_deferred_responses(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """`idle` waits for a deferred response until it is filled, or until its token expires."""
    slow = await north.slash("demo slow", general)
    await sandbox.idle()
    assert not slow.thinking
    assert slow.message.text == "thought"
    endless = await (await north.slash("demo endless", general)).answer()
    assert endless.thinking
    with pytest.raises(TimeoutError, match="the deferred response to <command /demo endless"):
        await sandbox.idle(timeout=0)
    sandbox.world.clock.advance(901)
    await sandbox.idle()


async def test_delayed_events(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """`idle` waits for a delayed gateway event, and the client has it afterwards."""
    sandbox.faults.events(Delay(1), on="CHANNEL_CREATE")
    created = sandbox.moderation.create_channel(sandbox.world.bot_guilds()[0], "new")
    with pytest.raises(TimeoutError, match="a delayed event"):
        await sandbox.idle(timeout=0)
    sandbox.world.clock.advance(1)
    await sandbox.idle()
    assert client.get_channel(created.id) is not None


async def test_unread_events(sandbox: Sandbox) -> None:
    """`idle` waits for events that a connected client has not read yet."""
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        await socket.send_json({"op": Op.IDENTIFY, "d": {"token": sandbox.token, "intents": 0}})
        await sandbox.ready()
        await sandbox.until(lambda: not sandbox.gateway.undelivered())
        with pytest.raises(TimeoutError, match="does not read"):
            await sandbox.idle(timeout=0)
        assert [(await socket.receive_json())["op"] for _ in range(2)] == [Op.HELLO, Op.DISPATCH]
        reading = asyncio.create_task(socket.receive())
        await sandbox.idle()
        reading.cancel()
