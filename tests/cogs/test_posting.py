"""The bot posts for nobody who could not post there themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sandbox import Channel, Permission, Person, World, member_overwrite
from bot.values.ids import ChannelId, GuildId
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, clubhouse, person_of, private_thread, without_commitments
from tests.helpers.components import MOVES
from tests.helpers.forgery import click, commands_of, invoke
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players

pytestmark = pytest.mark.slow

MUTED = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS


def mute(scene: Scene, person: Person, *channels: Channel) -> None:
    """Take from a person what lets them write in channels."""
    for channel in channels:
        scene.sandbox.moderation.set_overwrites(channel, member_overwrite(person.user, deny=MUTED))


def posts(scene: Scene) -> dict[int, set[int]]:
    """Return the public messages of each channel of the server."""
    channels = [one for one in scene.sandbox.world.channels.values() if one.guild is not None]
    return {one.id: {message.id for message in one.messages.values() if not message.ephemeral} for one in channels}


async def test_nothing_is_posted_for_somebody_who_may_not_write(tmp_path: Path) -> None:
    """No command, and no button about their own or another's match or challenge, posts anything for them."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        south, general = scene.south, scene.sandbox.channel("general")
        await scene.invite(scene.north, channel=general)
        await scene.ask(scene.north, "challenge", general, rules="partners")
        others = await scene.post("Join", general)
        await scene.ask(south, "challenge", general, rules="partners")
        await scene.press(scene.east, await scene.post("Join", general, but=[others]), "Join")
        await scene.use(south, "gin challenge", general, options=True)
        await scene.press(south, await scene.invite(scene.north, south), "Accept")
        message = (await scene.use(south, "gin help", scene.channel)).message
        await scene.quiet()
        mute(scene, south, scene.channel, general)
        before = posts(scene)
        # What ends matches posts how they ended, for everybody who played.
        ends = {Action.RESIGN, Action.CLAIM, Action.FORGET_NOW}
        for action in Action:
            if action not in MOVES | ends:
                for subject in range(1, 6):
                    made = await click(south, message, action, subject, argument="1")
                    assert "Something went wrong" not in made.text
        people = {"opponent": scene.west, "second": scene.east, "third": scene.east, "player": scene.west}
        for command in commands_of(scene.alive):
            if command.name not in {"draw", "take", "pass"}:
                given = people | {"rules": "partners", "card": "Kd", "cards": "all", "name": "Ours", "deal": "1"}
                names = {one.display_name for one in command.parameters}
                values = {name: value for name, value in given.items() if name in names}
                await invoke(scene.alive, south, general, command, values)
        await scene.quiet()
        after = posts(scene)
        assert [found - before[channel] for channel, found in after.items() if found - before[channel]] == []
        told = await scene.ask(south, "challenge", opponent=scene.west)
        assert f"You may not write in <#{scene.channel.id}>" in told


async def test_who_may_not_write_cannot_be_named(tmp_path: Path) -> None:
    """A challenge that its opponent could not accept is not made; neither is a place kept, in the lobby's channel."""
    async with clubhouse(tmp_path) as scene:
        mute(scene, scene.south, scene.channel)
        assert "may not write in it" in await scene.ask(scene.north, "challenge", opponent=scene.south)
        await scene.ask(scene.north, "challenge", rules="partners")
        general = scene.sandbox.channel("general")
        assert "may not write in it" in await scene.ask(scene.north, "lobby invite", general, player=scene.south)
        assert "keeping a place" in await scene.ask(scene.north, "lobby invite", general, player=scene.east)


async def test_a_player_who_may_not_write_plays_on(tmp_path: Path) -> None:
    """Their moves count, and they may offer to call it off, of which the other is not notified."""
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        mute(scene, scene.south, scene.channel)
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = len(scene.north.pushes)
        offered = await click(scene.south, message, Action.CALL_OFF, 1)
        await scene.quiet()
        assert "Withdraw the offer" in [button.label for button in offered.message.buttons]
        assert len(scene.north.pushes) == before
        await scene.ask(scene.north, "pass")
        assert "You took" in await scene.ask(scene.south, "take") or "Your turn" in await scene.ask(scene.south, "hand")


async def test_a_match_does_not_begin_by_somebody_who_left_the_channel_to_others(tmp_path: Path) -> None:
    """A rematch that a player proposed while they could write begins; one who cannot write any more proposes none."""
    world = World.default()
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, world=world) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post("Rematch")
        mute(scene, scene.south, scene.channel)
        assert "You may not write" in (await scene.press(scene.south, end, "Rematch")).text
        await scene.press(scene.north, end, "Rematch")
        await scene.quiet()
        assert "⁨North⁩ would like a rematch" in end.text


async def test_no_thread_is_opened_for_somebody_who_may_not_write_in_it(tmp_path: Path) -> None:
    """Where a channel is taken, a match begins in a thread only for those who could write there."""
    async with at_table(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        challenge = await scene.invite(scene.east, scene.west)
        denied = member_overwrite(scene.west.user, deny=Permission.SEND_MESSAGES_IN_THREADS)
        scene.sandbox.moderation.set_overwrites(scene.channel, denied)
        assert "You may not write in threads there" in (await scene.press(scene.west, challenge, "Accept")).text
        assert challenge.thread is None
        scene.sandbox.moderation.set_overwrites(scene.channel)
        assert "The match is on" in (await scene.press(scene.west, challenge, "Accept")).text


async def test_a_lobby_that_was_deleted_does_not_come_back_by_somebody_who_may_not_write(tmp_path: Path) -> None:
    """Its challenger cannot change its teams from elsewhere, which would post it again."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.south, "challenge", rules="partners")
        lobby = await scene.post("Join")
        for person in (scene.north, scene.east, scene.west):
            await scene.press(person, lobby, "Join")
        await scene.quiet()
        (lobby,) = without_commitments(scene.posts)
        mute(scene, scene.south, scene.channel)
        scene.sandbox.moderation.delete_message(lobby)
        told = await scene.ask(scene.south, "lobby teams", scene.sandbox.channel("general"))
        await scene.quiet()
        assert "You may not write" in told
        assert without_commitments(scene.posts) == []


async def test_nothing_is_posted_in_a_locked_thread_for_somebody_who_does_not_manage_it(tmp_path: Path) -> None:
    """A bot that manages threads could, and would open it again; whoever manages threads may."""
    world, thread = private_thread()
    (guild,) = world.guilds.values()
    for role in guild.roles.values():
        if role.id != guild.id:
            role.permissions |= Permission.MANAGE_THREADS
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world) as scene:
        north, south = person_of(scene.north), person_of(scene.south)
        await Players(scene.alive.app, (north, south)).begin("classic", ChannelId(thread.id), GuildId(guild.id))
        await scene.quiet()
        message = (await scene.use(scene.south, "gin help")).message
        scene.sandbox.moderation.archive(thread, locked=True)
        before = posts(scene)
        assert "You may not write" in (await click(scene.south, message, Action.REPOST_TABLE, 1)).text
        await scene.quiet()
        assert posts(scene) == before
        assert thread.thread is not None
        assert thread.thread.archived
        message = (await scene.use(scene.north, "gin help")).message
        assert "reposting the table" in (await click(scene.north, message, Action.REPOST_TABLE, 1)).text
