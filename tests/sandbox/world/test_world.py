"""Worlds with many servers."""

import pytest

from bot.sandbox import Sandbox, World
from tests.sandbox.bots import ShardedBot, playing, running_sandbox


def test_many_servers() -> None:
    """Servers have their members and channels, unique ids, and an even distribution over any number of shards."""
    world = World.default()
    people = [user for user in world.users.values() if not user.bot]
    made = [*world.add_guilds(5, people), *world.add_guilds(7, people[:1], channels=("general", "games"))]
    assert [guild.name for guild in made] == [f"Server {number}" for number in range(2, 14)]
    assert world.bot_guilds()[1:] == made
    assert len({*world.users, *world.guilds, *world.channels}) == 5 + 13 + 4 + 3 + 5 + 14
    assert [channel.name for channel in made[-1].channels.values()] == ["general", "games"]
    assert all(world.can_see(world.bot, channel) for guild in made for channel in guild.channels.values())
    for count in (2, 3, 4):
        assert sorted((guild.id >> 22) % count for guild in made) == sorted([*range(count)] * (12 // count))


async def _know_all(sandbox: Sandbox, servers: int, shards: int) -> None:
    async with playing(sandbox, ShardedBot(shard_count=shards)) as client:
        await sandbox.idle()
        assert len(client.guilds) == servers


@pytest.mark.thorough
@pytest.mark.parametrize("servers", [1_000, pytest.param(10_000, marks=pytest.mark.nightly)])
async def test_a_client_is_told_of_many_servers(servers: int) -> None:
    """A world of many servers can be created, and a client with four shards gets all of them."""
    world = World()
    world.add_guilds(servers, [world.add_user("North")])
    async with running_sandbox(world) as sandbox:
        await _know_all(sandbox, servers, shards=4)
