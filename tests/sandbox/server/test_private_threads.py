"""Private threads and their members, with discord.py."""

import discord
import pytest

from bot.sandbox import Channel, Permission, Person, Sandbox, World
from tests.helpers.waiting import eventually
from tests.sandbox.bots import TestBot, text_channel


async def test_only_members_see_a_private_thread(
    sandbox: Sandbox, client: TestBot, north: Person, south: Person, general: Channel
) -> None:
    """Only members see a private thread. Mentioning a user there adds them. The bot gets an event when it is added."""
    guild = client.get_guild(general.guild.id if general.guild else 0)
    assert guild is not None
    thread = sandbox.moderation.create_thread(general, "secret", south.user, private=True)
    east, west = sandbox.person("East"), sandbox.person("West")
    assert [person.name for person in (south, east, west) if thread in person.channels()] == ["South"]
    await sandbox.idle()
    assert guild.get_thread(thread.id) is None
    with pytest.raises(discord.Forbidden):
        await client.fetch_channel(thread.id)
    sandbox.moderation.add_to_thread(thread, sandbox.world.bot)
    # The client processes the event slightly after the sandbox has sent it.
    await eventually(lambda: guild.get_thread(thread.id) is not None)
    client_thread = guild.get_thread(thread.id)
    assert client_thread is not None
    assert client_thread.is_private()
    await client_thread.send(f"<@{east.id}>, look")
    assert east.pushes
    assert thread in east.channels()
    sandbox.moderation.remove_from_thread(thread, east.user)
    assert thread not in east.channels()
    assert thread not in west.channels()
    assert thread in north.channels()


async def test_thread_members(
    sandbox: Sandbox, client: TestBot, north: Person, south: Person, general: Channel
) -> None:
    """Only members of a thread can be fetched; other users raise 10007. The bot can add members, not remove them."""
    secret = sandbox.moderation.create_thread(general, "secret", south.user, private=True, members=[sandbox.world.bot])
    assert (await client.http.get_thread_member(secret.id, south.id))["user_id"] == str(south.id)
    with pytest.raises(discord.NotFound) as caught:
        await client.http.get_thread_member(secret.id, north.id)
    assert caught.value.code == 10007
    thread = await client.fetch_channel(secret.id)
    assert isinstance(thread, discord.Thread)
    await thread.add_user(discord.Object(north.id))
    assert (await client.http.get_thread_member(secret.id, north.id))["user_id"] == str(north.id)
    with pytest.raises(discord.Forbidden):
        await thread.remove_user(discord.Object(north.id))
    await thread.leave()
    with pytest.raises(discord.Forbidden):
        await client.http.get_thread_member(secret.id, south.id)
    with pytest.raises(discord.HTTPException) as caught:
        await client.http.get_thread_member(general.id, south.id)
    assert caught.value.code == 50024


async def test_the_bot_starts_private_threads(sandbox: Sandbox, client: TestBot, general: Channel) -> None:
    """Starting a private thread needs a separate permission. As the thread's owner, the bot can remove members."""
    channel = text_channel(client, general)
    with pytest.raises(discord.Forbidden):
        await channel.create_thread(name="secret", type=discord.ChannelType.private_thread)
    assert general.guild is not None
    role = next(role for role in general.guild.roles.values() if role.name == sandbox.world.bot.display_name)
    sandbox.moderation.set_role(general.guild, role, role.permissions | Permission.CREATE_PRIVATE_THREADS)
    thread = await channel.create_thread(name="secret", type=discord.ChannelType.private_thread)
    east = sandbox.person("East")
    sandbox_thread = sandbox.channel("secret")
    await thread.add_user(discord.Object(east.id))
    assert sandbox_thread in east.channels()
    await thread.remove_user(discord.Object(east.id))
    assert sandbox_thread not in east.channels()


def test_thread_managers_see_private_threads() -> None:
    """A user who manages threads sees private ones without being a member, if they see the parent channel."""
    world = World()
    owner, guest, manager = world.add_user("Owner"), world.add_user("Guest"), world.add_user("Keeper")
    guild = world.add_guild("Server", [owner, guest, manager])
    role = world.add_role(guild, "keepers", Permission.MANAGE_THREADS)
    guild.members[manager.id].roles.append(role.id)
    room = world.add_channel(guild, "room")
    thread = world.add_thread(room, "secret", owner, private=True)
    assert world.can_see(manager, thread)
    assert not world.can_see(guest, thread)
    assert not world.can_see(world.bot, thread)
