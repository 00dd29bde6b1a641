"""Discord's answers about members who left, are timed out, or deleted their account."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox import Channel, Permission, Person, Sandbox
from tests.sandbox.bots import TestBot


async def test_a_person_who_left_is_an_unknown_member(
    sandbox: Sandbox, client: TestBot, north: Person, south: Person, general: Channel
) -> None:
    """Fetching a member raises 10007 if the person left, and 10013 if their account was deleted.

    In both cases, the person is removed from threads.
    """
    assert general.guild is not None
    thread = sandbox.moderation.create_thread(general, "nook", north.user, private=True, members=[south.user])
    guild = await client.fetch_guild(general.guild.id)
    assert [(await guild.fetch_member(person.id)).id for person in (north, south)] == [north.id, south.id]
    sandbox.moderation.leave(general.guild, south.user)
    sandbox.moderation.delete_account(north.user)
    for person, code in ((south, 10007), (north, 10013)):
        with pytest.raises(discord.NotFound) as caught:
            await guild.fetch_member(person.id)
        assert caught.value.code == code
    assert thread.thread is not None
    assert thread.thread.members == set()


async def test_a_member_who_is_timed_out_only_reads(
    sandbox: Sandbox, client: TestBot, south: Person, general: Channel
) -> None:
    """A timed-out member can only read, until the timeout expires or a moderator ends it."""
    assert general.guild is not None
    world, before = sandbox.world, sandbox.world.permissions(south.user, general)
    sandbox.moderation.time_out(general.guild, south.user, world.clock.now() + 60)
    assert world.permissions(south.user, general) == Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
    guild = await client.fetch_guild(general.guild.id)
    assert (await guild.fetch_member(south.id)).timed_out_until is not None
    world.clock.advance(61)
    assert world.permissions(south.user, general) == before
    sandbox.moderation.time_out(general.guild, south.user, None)
    assert (await guild.fetch_member(south.id)).timed_out_until is None
