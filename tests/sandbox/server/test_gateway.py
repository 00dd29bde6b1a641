"""The gateway: sessions, resumption, and events about changes in the world."""

import asyncio

import aiohttp
import discord
import pytest

from bot.sandbox import MEMBER_DEFAULTS, Channel, Delay, Drop, Duplicate, Frame, Op, Permission, Person, Sandbox
from tests.sandbox.bots import TestBot, running_client, text_channel


async def test_wrong_token(sandbox: Sandbox) -> None:
    """A wrong token is refused at login with 401."""
    async with TestBot() as client:
        with pytest.raises(discord.LoginFailure):
            await client.login("wrong")


async def test_wrong_token_on_the_gateway(sandbox: Sandbox) -> None:
    """A wrong token in IDENTIFY closes the connection with 4004."""
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == Op.HELLO
        await socket.send_json({"op": Op.IDENTIFY, "d": {"token": "wrong", "intents": 1}})
        await socket.receive()
        assert socket.close_code == 4004


async def test_acknowledgement(sandbox: Sandbox) -> None:
    """A heartbeat is acknowledged after a short delay that does not hold up other frames."""
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == Op.HELLO
        await socket.send_json({"op": Op.HEARTBEAT, "d": None})
        await socket.send_json({"op": Op.IDENTIFY, "d": {"token": sandbox.token, "intents": 0}})
        assert (await socket.receive_json())["t"] == "READY"
        assert (await socket.receive_json())["op"] == Op.HEARTBEAT_ACK


async def test_intents_are_known(sandbox: Sandbox, client: TestBot) -> None:
    """A session has the intents that the bot identified with."""
    assert [int(session.intents) for session in sandbox.gateway.sessions.values()] == [client.intents.value]


@pytest.mark.parametrize("method", ["reconnect", "invalid", "close"])
async def test_resume(sandbox: Sandbox, client: TestBot, north: Person, general: Channel, method: str) -> None:
    """After op 7, a resumable op 9 or a close, the client resumes its session without another identify."""
    if method == "reconnect":
        await sandbox.gateway.reconnect()
    elif method == "invalid":
        await sandbox.gateway.invalidate(resumable=True)
    else:
        await sandbox.gateway.close(4000)
    await sandbox.until(lambda: sandbox.gateway.resumes == 1 and sandbox.gateway.connected)
    interaction = await (await north.slash("demo ping", general)).answer()
    assert interaction.text == "pong"
    assert sandbox.gateway.identifies == 1
    assert client.resumed == 1


async def test_replay(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """Events sent while the client was disconnected are delivered after it resumes."""
    await sandbox.gateway.close(4000)
    interaction = await north.slash("demo ping", general)
    assert not interaction.delivered
    await interaction.answer()
    assert interaction.text == "pong"


@pytest.mark.thorough
async def test_invalid_session(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """A session that cannot be resumed is replaced by a new one."""
    await sandbox.gateway.invalidate(resumable=False)
    await sandbox.until(lambda: sandbox.gateway.identifies == 2)
    assert (await (await north.slash("demo ping", general)).answer()).text == "pong"


async def test_fatal_close(sandbox: Sandbox) -> None:
    """If the gateway closes with a fatal code, the client stops with an error."""
    async with TestBot() as client:
        task = asyncio.create_task(client.start(sandbox.token))
        await sandbox.ready()
        await sandbox.gateway.close(4014)
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await task


@pytest.mark.nightly
async def test_refused_connections(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """The client retries when the gateway refuses a connection."""
    async with running_client(sandbox):
        sandbox.gateway.refuse_connections(1)
        await sandbox.gateway.close(4000)
        await sandbox.until(lambda: sandbox.gateway.refusals == 0)
        await sandbox.until(lambda: sandbox.gateway.connected)
        assert (await (await north.slash("demo ping", general)).answer()).text == "pong"


@pytest.mark.thorough
async def test_event_faults(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """Faults can make the gateway send an event twice, late, or never."""
    seen: list[str] = []
    sandbox.gateway.observers.append(lambda frame: _record_event(seen, frame))
    sandbox.faults.events(Duplicate())
    twice = await (await north.slash("demo ping", general)).answer()
    await sandbox.until(lambda: sandbox.journal.refusals[40060] == 1)
    assert twice.text == "pong"
    assert seen == ["INTERACTION_CREATE"] * 2
    sandbox.faults.events(Drop())
    dropped = await north.slash("demo ping", general)
    sandbox.world.clock.advance(3)
    assert dropped.failed
    sandbox.faults.events(Delay(2))
    late = await north.slash("demo ping", general)
    sandbox.world.clock.advance(1.9)
    assert seen == ["INTERACTION_CREATE"] * 2
    sandbox.world.clock.advance(0.1)
    assert (await late.answer()).text == "pong"
    assert late.answered_at == late.created_at + 2


def _record_event(seen: list[str], frame: Frame) -> None:
    if frame.sent and frame.data.get("t"):
        seen.append(frame.data["t"])


async def test_world_events(sandbox: Sandbox, client: TestBot, general: Channel, north: Person) -> None:
    """Events add new channels and threads to the client and remove deleted ones."""
    guild = sandbox.world.bot_guilds()[0]
    created = sandbox.moderation.create_channel(guild, "new")
    thread = sandbox.moderation.create_thread(created, "side", north.user)
    await sandbox.idle()
    assert client.get_channel(created.id) is not None
    assert client.guilds[0].get_thread(thread.id) is not None
    sandbox.moderation.delete_channel(created)
    await sandbox.idle()
    assert client.get_channel(created.id) is None
    assert client.guilds[0].get_thread(thread.id) is None


@pytest.mark.thorough
async def test_guild_events(sandbox: Sandbox, client: TestBot, north: Person, general: Channel) -> None:
    """In the client, an outage makes a guild unavailable, a kick removes it, and adding the bot restores it."""
    guild = sandbox.world.bot_guilds()[0]
    sandbox.moderation.begin_outage(guild)
    await sandbox.idle()
    assert client.guilds[0].unavailable
    sandbox.moderation.end_outage(guild)
    await sandbox.idle()
    assert not client.guilds[0].unavailable
    sandbox.moderation.remove_bot(guild)
    await sandbox.idle()
    assert list(client.guilds) == []
    assert north.commands(general) == []
    sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
    await sandbox.idle()
    assert [found.id for found in client.guilds] == [guild.id]


@pytest.mark.thorough
async def test_a_session_that_starts_in_an_outage(sandbox: Sandbox, client: TestBot) -> None:
    """READY lists the unavailable server. `GUILD_CREATE` is sent when the outage ends. A kick also ends the outage."""
    guild, seen = sandbox.world.bot_guilds()[0], list[str]()
    sandbox.moderation.begin_outage(guild)
    await sandbox.idle()
    sandbox.gateway.observers.append(lambda frame: _record_event(seen, frame))
    await sandbox.gateway.invalidate(resumable=False)
    await sandbox.until(lambda: sandbox.gateway.identifies == 2, 60)
    await sandbox.idle()
    assert [found.unavailable for found in client.guilds] == [True]
    assert seen == ["READY"]
    sandbox.moderation.end_outage(guild)
    await sandbox.idle()
    assert [found.unavailable for found in client.guilds] == [False]
    sandbox.moderation.begin_outage(guild)
    sandbox.moderation.remove_bot(guild)
    sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
    await sandbox.idle()
    assert [found.unavailable for found in client.guilds] == [False]
    assert seen[2:] == ["GUILD_DELETE", "GUILD_DELETE", "GUILD_CREATE"]


async def test_role_events(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """The client gets the new permissions of a role, and the server enforces them."""
    guild = sandbox.world.bot_guilds()[0]
    role = guild.roles[guild.members[sandbox.world.bot.id].roles[0]]
    sandbox.moderation.set_role(guild, guild.roles[guild.id], Permission.VIEW_CHANNEL)
    sandbox.moderation.set_role(guild, role, Permission.VIEW_CHANNEL)
    await sandbox.idle()
    channel = text_channel(client, general)
    assert not channel.permissions_for(client.guilds[0].me).send_messages
    with pytest.raises(discord.Forbidden) as caught:
        await channel.send("x")
    assert caught.value.code == 50013


async def test_messages_by_intent(sandbox: Sandbox, north: Person, general: Channel) -> None:
    """Message events need the intent for their kind of channel. Their content is empty unless the bot is mentioned."""
    contents: list[str] = []
    last = asyncio.Event()
    client = TestBot(discord.Intents(guilds=True, guild_messages=True))

    @client.event
    async def on_message(message: discord.Message) -> None:
        contents.append(message.content)
        if message.content:
            last.set()

    del on_message
    async with running_client(sandbox, client):
        await north.say(general, "hello")
        await north.say(north.dm, "not asked for")
        await north.say(general, f"hello <@{sandbox.world.bot.id}>")
        await last.wait()
    assert contents == ["", f"hello <@{sandbox.world.bot.id}>"]
