"""A bot with several shards, in several processes that are connected at the same time."""

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from bot.sandbox import MEMBER_DEFAULTS, Channel, Clock, Frame, Guild, Person, Sandbox, World
from bot.sandbox.server.gateway import Session
from tests.sandbox.bots import ShardedBot, TestBot, playing, running_sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """Run a world with four more servers on alternating shards."""
    world = World.default(clock=Clock(running=False))
    world.add_guilds(4, [user for user in world.users.values() if not user.bot])
    async with running_sandbox(world) as running:
        yield running


@pytest.fixture
async def even(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the process for the first of two shards."""
    async with playing(sandbox, ShardedBot(0, shard_count=2)) as running:
        yield running


@pytest.fixture
async def odd(sandbox: Sandbox) -> AsyncIterator[TestBot]:
    """Run the process for the second of two shards."""
    async with playing(sandbox, ShardedBot(1, shard_count=2)) as running:
        yield running


def guilds_of(sandbox: Sandbox, shard: int, count: int = 2) -> list[Guild]:
    """List the guilds of a shard."""
    return [guild for guild in sandbox.world.bot_guilds() if (guild.id >> 22) % count == shard]


def room(guild: Guild) -> Channel:
    """Return the first channel of a guild."""
    return next(iter(guild.channels.values()))


def sessions_of(sandbox: Sandbox, *shard: int) -> list[Session]:
    """List the connected sessions of a shard."""
    return [one for one in sandbox.gateway.sessions.values() if one.shard == shard and one.socket is not None]


class Ears:
    """Records the shards that an event is sent to."""

    def __init__(self, sandbox: Sandbox, event: str = "INTERACTION_CREATE") -> None:
        self.heard: list[tuple[int, int]] = []
        self._sandbox, self._event = sandbox, event
        sandbox.gateway.observers.append(self._note)

    def _note(self, frame: Frame) -> None:
        if frame.sent and frame.data.get("t") == self._event and frame.session_id is not None:
            self.heard.append(self._sandbox.gateway.sessions[frame.session_id].shard)


async def test_each_process_knows_its_own_guilds(sandbox: Sandbox, even: TestBot, odd: TestBot) -> None:
    """READY and later events cover only the guilds of the session's shard."""
    for shard, client in enumerate((even, odd)):
        assert {guild.id for guild in client.guilds} == {guild.id for guild in guilds_of(sandbox, shard)}
    assert len(sandbox.gateway.sessions) == 2
    guild = guilds_of(sandbox, 1)[0]
    made = sandbox.moderation.create_channel(guild, "new")
    sandbox.moderation.remove_bot(guilds_of(sandbox, 0)[0])
    await sandbox.idle()
    assert odd.get_channel(made.id) is not None
    assert even.get_channel(made.id) is None
    assert (len(even.guilds), len(odd.guilds)) == (2, 2)
    late = sandbox.world.add_guild("Late", [sandbox.person("North").user], bot_permissions=None)
    sandbox.moderation.add_bot(late, MEMBER_DEFAULTS)
    await sandbox.idle()
    assert len(even.guilds) + len(odd.guilds) == 5


@pytest.mark.usefixtures("even", "odd")
async def test_interactions_go_to_the_shard(sandbox: Sandbox, north: Person) -> None:
    """An interaction in a server goes to its shard, and one in a direct message to the first shard."""
    ears = Ears(sandbox)
    for shard in (0, 1):
        for guild in guilds_of(sandbox, shard):
            assert (await (await north.slash("demo ping", room(guild))).answer()).text == "pong"
    assert ears.heard == [(0, 2)] * 3 + [(1, 2)] * 2
    await (await north.slash("demo ping")).answer()
    assert ears.heard[-1] == (0, 2)
    assert len(ears.heard) == 6


@pytest.mark.usefixtures("even")
async def test_a_shard_without_a_connection(sandbox: Sandbox, north: Person) -> None:
    """Interactions fail in servers whose shard is not connected, and work elsewhere."""
    here, there = room(guilds_of(sandbox, 0)[0]), room(guilds_of(sandbox, 1)[0])
    assert there.guild is not None
    with pytest.raises(TimeoutError):
        await sandbox.ready(timeout=0)
    async with playing(sandbox, ShardedBot(1, shard_count=2)):
        await sandbox.ready()
        assert sandbox.gateway.reaches(there.guild.id)
    await sandbox.until(lambda: not sandbox.gateway.complete)
    assert sandbox.gateway.connected
    assert sandbox.gateway.reaches(None)
    assert not sandbox.gateway.reaches(there.guild.id)
    lost = await north.slash("demo ping", there)
    assert not lost.delivered
    assert (await (await north.slash("demo ping", here)).answer()).text == "pong"
    assert lost.pending
    sandbox.world.clock.advance(3)
    assert lost.failed
    assert sandbox.unanswered == [lost]
    await sandbox.idle()


@pytest.mark.usefixtures("even")
async def test_direct_messages_need_the_first_shard(sandbox: Sandbox, north: Person, odd: TestBot) -> None:
    """Without the first shard, interactions in direct messages are not delivered."""
    await sandbox.gateway.close(4000, shard=0)
    interaction = await north.slash("demo ping")
    assert not interaction.delivered
    assert odd.is_ready()
    # The shard resumes and gets the missed event.
    assert (await interaction.answer()).text == "pong"


async def test_one_shard_breaks(sandbox: Sandbox, north: Person, even: TestBot, odd: TestBot) -> None:
    """Faults of one shard's connection do not affect the others."""
    (untouched,) = sessions_of(sandbox, 0, 2)
    await sandbox.gateway.reconnect(shard=1)
    await sandbox.until(lambda: sandbox.gateway.resumes == 1 and sandbox.gateway.complete)
    await sandbox.idle()
    await sandbox.gateway.invalidate(resumable=False, shard=1)
    await sandbox.until(lambda: sandbox.gateway.identifies == 3 and sandbox.gateway.complete)
    await sandbox.idle()
    assert sessions_of(sandbox, 0, 2) == [untouched]
    assert (even.resumed, odd.resumed) == (0, 1)
    assert (await (await north.slash("demo ping", room(guilds_of(sandbox, 1)[0]))).answer()).text == "pong"


@pytest.mark.usefixtures("even", "odd")
async def test_two_sessions_of_one_shard(sandbox: Sandbox, north: Person) -> None:
    """Both sessions get all events, including interactions. The second answer is refused with 40060."""
    there = room(guilds_of(sandbox, 1)[0])
    async with playing(sandbox, ShardedBot(1, shard_count=2)):
        assert len(sessions_of(sandbox, 1, 2)) == 2
        ears = Ears(sandbox)
        assert (await (await north.slash("demo ping", there)).answer()).text == "pong"
        await sandbox.until(lambda: sandbox.journal.refusals[40060] == 1)
        assert ears.heard == [(1, 2), (1, 2)]
    await sandbox.until(lambda: len(sessions_of(sandbox, 1, 2)) == 1)
    assert sandbox.gateway.complete


@pytest.mark.usefixtures("even", "odd")
async def test_more_shards_than_before(sandbox: Sandbox, north: Person) -> None:
    """Sessions for two and for three shards can be connected at the same time, as while a bot adds a shard."""
    guild = guilds_of(sandbox, 1)[0]
    async with playing(sandbox, ShardedBot(shard_count=3)) as client:
        assert len(client.guilds) == 5
        ears = Ears(sandbox)
        await (await north.slash("demo ping", room(guild))).answer()
        await sandbox.idle()
        assert sorted(ears.heard) == sorted([(1, 2), ((guild.id >> 22) % 3, 3)])


async def test_a_process_asks_about_guilds_of_others(sandbox: Sandbox, even: TestBot, north: Person) -> None:
    """Over HTTP, a process can fetch the channels, threads, roles and members of any of the bot's guilds."""
    there = guilds_of(sandbox, 1)[0]
    thread = sandbox.moderation.create_thread(
        room(there), "side", north.user, private=True, members=[sandbox.world.bot]
    )
    assert even.get_guild(there.id) is None
    guild = await even.fetch_guild(there.id)
    assert {role.id for role in guild.roles} == set(there.roles)
    assert [channel.id for channel in await guild.fetch_channels()] == [room(there).id]
    member = await guild.fetch_member(north.id)
    assert {role.id for role in member.roles} == {there.id}
    row: Any = await even.http.get_channel(thread.id)
    assert (row["type"], row["guild_id"]) == (12, str(there.id))
    assert (await even.http.get_thread_member(thread.id, north.id))["user_id"] == str(north.id)
    sandbox.moderation.remove_bot(there)
    for request, code in (
        (even.http.get_guild(there.id), 10004),
        (even.http.get_guild(5), 10004),
        (even.http.get_all_guild_channels(there.id), 50001),
        (even.http.get_all_guild_channels(5), 10004),
        (even.http.get_member(there.id, north.id), 50001),
        (even.http.get_channel(thread.id), 50001),
        (even.http.get_thread_member(thread.id, north.id), 50001),
    ):
        with pytest.raises(discord.HTTPException) as caught:
            await request
        assert caught.value.code == code


async def test_guilds_are_listed_in_pages(sandbox: Sandbox, even: TestBot) -> None:
    """The guilds of all shards are listed in pages of 200, after an id or before one."""
    sandbox.world.add_guilds(300, [sandbox.person("North").user])
    ids = sorted(guild.id for guild in sandbox.world.bot_guilds())
    assert [guild.id async for guild in even.fetch_guilds(limit=None)] == ids
    assert sandbox.journal.routes["GET /users/@me/guilds"] == 2
    assert [guild.id async for guild in even.fetch_guilds(limit=3, after=discord.Object(ids[0]))] == ids[1:4]
    assert [guild.id async for guild in even.fetch_guilds(limit=2, before=discord.Object(ids[9]))] == ids[7:9]
