"""A bot with several shards, in several processes that are connected at the same time."""

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from bot.sandbox import MEMBER_DEFAULTS, Channel, Clock, Frame, Guild, Person, Sandbox, World
from bot.sandbox.server.gateway import Session
from tests.sandbox.bots import ShardedBot, TestBot, running_client, running_sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run the default world with four more servers, which belong to alternating shards."""
    world = World.default(clock=Clock(running=False))
    world.add_guilds(4, [user for user in world.users.values() if not user.bot])
    async with running_sandbox(world) as running:
        yield running


@pytest.fixture
async def first_shard_bot(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the process for the first of two shards."""
    async with running_client(sandbox, ShardedBot(0, shard_count=2)) as running:
        yield running


@pytest.fixture
async def second_shard_bot(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the process for the second of two shards."""
    async with running_client(sandbox, ShardedBot(1, shard_count=2)) as running:
        yield running


def guilds_of(sandbox: Sandbox, shard: int, count: int = 2) -> list[Guild]:
    """List the guilds of a shard."""
    return [guild for guild in sandbox.world.bot_guilds() if (guild.id >> 22) % count == shard]


def first_channel(guild: Guild) -> Channel:
    """Return the first channel of a guild."""
    return next(iter(guild.channels.values()))


def sessions_of(sandbox: Sandbox, *shard: int) -> list[Session]:
    """List the connected sessions of a shard."""
    return [
        session
        for session in sandbox.gateway.sessions.values()
        if session.shard == shard and session.socket is not None
    ]


class EventRecorder:
    """Records the shards to which the gateway sends events of one type."""

    def __init__(self, sandbox: Sandbox, event: str = "INTERACTION_CREATE") -> None:
        self.shards: list[tuple[int, int]] = []
        self._sandbox, self._event = sandbox, event
        sandbox.gateway.observers.append(self._record)

    def _record(self, frame: Frame) -> None:
        if frame.sent and frame.data.get("t") == self._event and frame.session_id is not None:
            self.shards.append(self._sandbox.gateway.sessions[frame.session_id].shard)


async def test_each_process_knows_its_own_guilds(
    sandbox: Sandbox, first_shard_bot: TestBot, second_shard_bot: TestBot
) -> None:
    """READY and later events cover only the guilds of the session's shard."""
    for shard, client in enumerate((first_shard_bot, second_shard_bot)):
        assert {guild.id for guild in client.guilds} == {guild.id for guild in guilds_of(sandbox, shard)}
    assert len(sandbox.gateway.sessions) == 2
    guild = guilds_of(sandbox, 1)[0]
    created = sandbox.moderation.create_channel(guild, "new")
    sandbox.moderation.remove_bot(guilds_of(sandbox, 0)[0])
    await sandbox.idle()
    assert second_shard_bot.get_channel(created.id) is not None
    assert first_shard_bot.get_channel(created.id) is None
    assert (len(first_shard_bot.guilds), len(second_shard_bot.guilds)) == (2, 2)
    late = sandbox.world.add_guild("Late", [sandbox.person("North").user], bot_permissions=None)
    sandbox.moderation.add_bot(late, MEMBER_DEFAULTS)
    await sandbox.idle()
    assert len(first_shard_bot.guilds) + len(second_shard_bot.guilds) == 5


@pytest.mark.usefixtures("first_shard_bot", "second_shard_bot")
async def test_interactions_go_to_the_shard(sandbox: Sandbox, north: Person) -> None:
    """An interaction in a server goes to the server's shard, and one in a direct message to the first shard."""
    recorder = EventRecorder(sandbox)
    for shard in (0, 1):
        for guild in guilds_of(sandbox, shard):
            assert (await (await north.slash("demo ping", first_channel(guild))).answer()).text == "pong"
    assert recorder.shards == [(0, 2)] * 3 + [(1, 2)] * 2
    await (await north.slash("demo ping")).answer()
    assert recorder.shards[-1] == (0, 2)
    assert len(recorder.shards) == 6


@pytest.mark.usefixtures("first_shard_bot")
async def test_a_shard_without_a_connection(sandbox: Sandbox, north: Person) -> None:
    """Interactions fail in servers whose shard is not connected, and work elsewhere."""
    reachable, unreachable = first_channel(guilds_of(sandbox, 0)[0]), first_channel(guilds_of(sandbox, 1)[0])
    assert unreachable.guild is not None
    with pytest.raises(TimeoutError):
        await sandbox.ready(timeout=0)
    async with running_client(sandbox, ShardedBot(1, shard_count=2)):
        await sandbox.ready()
        assert sandbox.gateway.reaches(unreachable.guild.id)
    await sandbox.until(lambda: not sandbox.gateway.complete)
    assert sandbox.gateway.connected
    assert sandbox.gateway.reaches(None)
    assert not sandbox.gateway.reaches(unreachable.guild.id)
    lost = await north.slash("demo ping", unreachable)
    assert not lost.delivered
    assert (await (await north.slash("demo ping", reachable)).answer()).text == "pong"
    assert lost.pending
    sandbox.world.clock.advance(3)
    assert lost.failed
    assert sandbox.unanswered == [lost]
    await sandbox.idle()


@pytest.mark.usefixtures("first_shard_bot")
async def test_direct_messages_need_the_first_shard(sandbox: Sandbox, north: Person, second_shard_bot: TestBot) -> None:
    """Without the first shard, interactions in direct messages are not delivered."""
    await sandbox.gateway.close(4000, shard=0)
    interaction = await north.slash("demo ping")
    assert not interaction.delivered
    assert second_shard_bot.is_ready()
    # When the first shard resumes, it gets the missed event.
    assert (await interaction.answer()).text == "pong"


async def test_faults_of_one_shard(
    sandbox: Sandbox, north: Person, first_shard_bot: TestBot, second_shard_bot: TestBot
) -> None:
    """Reconnecting or invalidating the session of one shard does not affect the other shard."""
    (untouched,) = sessions_of(sandbox, 0, 2)
    await sandbox.gateway.reconnect(shard=1)
    await sandbox.until(lambda: sandbox.gateway.resumes == 1 and sandbox.gateway.complete)
    await sandbox.idle()
    await sandbox.gateway.invalidate(resumable=False, shard=1)
    await sandbox.until(lambda: sandbox.gateway.identifies == 3 and sandbox.gateway.complete)
    await sandbox.idle()
    assert sessions_of(sandbox, 0, 2) == [untouched]
    assert (first_shard_bot.resumed, second_shard_bot.resumed) == (0, 1)
    assert (await (await north.slash("demo ping", first_channel(guilds_of(sandbox, 1)[0]))).answer()).text == "pong"


@pytest.mark.usefixtures("first_shard_bot", "second_shard_bot")
async def test_two_sessions_of_one_shard(sandbox: Sandbox, north: Person) -> None:
    """Two sessions of one shard both get all its events. The second response to an interaction gets 40060."""
    there = first_channel(guilds_of(sandbox, 1)[0])
    async with running_client(sandbox, ShardedBot(1, shard_count=2)):
        assert len(sessions_of(sandbox, 1, 2)) == 2
        recorder = EventRecorder(sandbox)
        assert (await (await north.slash("demo ping", there)).answer()).text == "pong"
        await sandbox.until(lambda: sandbox.journal.refusals[40060] == 1)
        assert recorder.shards == [(1, 2), (1, 2)]
    await sandbox.until(lambda: len(sessions_of(sandbox, 1, 2)) == 1)
    assert sandbox.gateway.complete


@pytest.mark.usefixtures("first_shard_bot", "second_shard_bot")
async def test_sessions_with_different_shard_counts(sandbox: Sandbox, north: Person) -> None:
    """If one client uses two shards and another one three, each event goes to one session of each client."""
    guild = guilds_of(sandbox, 1)[0]
    async with running_client(sandbox, ShardedBot(shard_count=3)) as client:
        assert len(client.guilds) == 5
        recorder = EventRecorder(sandbox)
        await (await north.slash("demo ping", first_channel(guild))).answer()
        await sandbox.idle()
        assert sorted(recorder.shards) == sorted([(1, 2), ((guild.id >> 22) % 3, 3)])


async def test_guilds_of_other_shards_can_be_fetched(sandbox: Sandbox, first_shard_bot: TestBot, north: Person) -> None:
    """Over HTTP, a process can fetch the channels, threads, roles and members of any of the bot's guilds."""
    there = guilds_of(sandbox, 1)[0]
    thread = sandbox.moderation.create_thread(
        first_channel(there), "side", north.user, private=True, members=[sandbox.world.bot]
    )
    assert first_shard_bot.get_guild(there.id) is None
    guild = await first_shard_bot.fetch_guild(there.id)
    assert {role.id for role in guild.roles} == set(there.roles)
    assert [channel.id for channel in await guild.fetch_channels()] == [first_channel(there).id]
    member = await guild.fetch_member(north.id)
    assert {role.id for role in member.roles} == {there.id}
    row: Any = await first_shard_bot.http.get_channel(thread.id)
    assert (row["type"], row["guild_id"]) == (12, str(there.id))
    assert (await first_shard_bot.http.get_thread_member(thread.id, north.id))["user_id"] == str(north.id)
    sandbox.moderation.remove_bot(there)
    for request, code in (
        (first_shard_bot.http.get_guild(there.id), 10004),
        (first_shard_bot.http.get_guild(5), 10004),
        (first_shard_bot.http.get_all_guild_channels(there.id), 50001),
        (first_shard_bot.http.get_all_guild_channels(5), 10004),
        (first_shard_bot.http.get_member(there.id, north.id), 50001),
        (first_shard_bot.http.get_channel(thread.id), 50001),
        (first_shard_bot.http.get_thread_member(thread.id, north.id), 50001),
    ):
        with pytest.raises(discord.HTTPException) as caught:
            await request
        assert caught.value.code == code


async def test_guilds_are_listed_in_pages(sandbox: Sandbox, first_shard_bot: TestBot) -> None:
    """The guilds of all shards are listed in pages of at most 200. A page can start after an id or end before it."""
    sandbox.world.add_guilds(300, [sandbox.person("North").user])
    ids = sorted(guild.id for guild in sandbox.world.bot_guilds())
    assert [guild.id async for guild in first_shard_bot.fetch_guilds(limit=None)] == ids
    assert sandbox.journal.routes["GET /users/@me/guilds"] == 2
    assert [guild.id async for guild in first_shard_bot.fetch_guilds(limit=3, after=discord.Object(ids[0]))] == ids[1:4]
    assert [guild.id async for guild in first_shard_bot.fetch_guilds(limit=2, before=discord.Object(ids[9]))] == ids[
        7:9
    ]
