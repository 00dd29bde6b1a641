"""Worlds with many servers."""

import pytest

from bot.sandbox import Sandbox, World
from tests.sandbox.bots import ShardedBot, running_client, running_sandbox


def test_many_servers() -> None:
    """`add_guilds` creates servers with members, channels and unique ids, spread evenly over any number of shards."""
    world = World.default()
    people = [user for user in world.users.values() if not user.bot]
    guilds = [*world.add_guilds(5, people), *world.add_guilds(7, people[:1], channels=("general", "games"))]
    assert [guild.name for guild in guilds] == [f"Server {number}" for number in range(2, 14)]
    assert world.bot_guilds()[1:] == guilds
    assert len({*world.users, *world.guilds, *world.channels}) == 5 + 13 + 4 + 3 + 5 + 14
    assert [channel.name for channel in guilds[-1].channels.values()] == ["general", "games"]
    assert all(world.can_see(world.bot, channel) for guild in guilds for channel in guild.channels.values())
    for count in (2, 3, 4):
        assert sorted((guild.id >> 22) % count for guild in guilds) == sorted([*range(count)] * (12 // count))


async def _check_client_has_all_guilds(sandbox: Sandbox, servers: int, shards: int) -> None:
    async with running_client(sandbox, ShardedBot(shard_count=shards)) as client:
        await sandbox.idle()
        assert len(client.guilds) == servers


@pytest.mark.thorough
@pytest.mark.parametrize("servers", [1_000, pytest.param(10_000, marks=pytest.mark.nightly)])
async def test_a_client_gets_many_servers(servers: int) -> None:
    """A world of many servers can be created, and a client with four shards gets all of them."""
    world = World()
    world.add_guilds(servers, [world.add_user("North")])
    async with running_sandbox(world) as sandbox:
        await _check_client_has_all_guilds(sandbox, servers, shards=4)
