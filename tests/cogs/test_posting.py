"""The bot posts nothing on behalf of people who may not write in the channel."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.deals.phase import Phase
from bot.model.ids import ChannelId, GuildId
from bot.model.matches import Proposal
from bot.play.refusals import ChannelBusy, NoThreadReason
from bot.sandbox import Channel, Permission, Person, member_overwrite
from cogs.actions import Action
from cogs.delivery.refusals import CANNOT_PLAY_HERE, FAULT, may_not_write
from tests.cogs.scenes import (
    Scene,
    buttons,
    open_match_scene,
    open_scene,
    person_of,
    without_commitments,
    world_with_private_thread,
)
from tests.helpers.cases import nightly_after
from tests.helpers.components import MOVES
from tests.helpers.forgery import Sweep, click, commands_of, invoke
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import Players
from tests.helpers.worlds import stopped_world

WRITE_PERMISSIONS = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS


def mute(scene: Scene, person: Person, *channels: Channel) -> None:
    """Deny a person the permission to write in these channels."""
    for channel in channels:
        scene.sandbox.moderation.set_overwrites(channel, member_overwrite(person.user, deny=WRITE_PERMISSIONS))


def public_message_ids(scene: Scene) -> dict[int, set[int]]:
    """Return the ids of the public messages in each channel of the server."""
    channels = [channel for channel in scene.sandbox.world.channels.values() if channel.guild is not None]
    return {
        channel.id: {message.id for message in channel.messages.values() if not message.ephemeral}
        for channel in channels
    }


@pytest.mark.nightly
@pytest.mark.parametrize("step", nightly_after(1, [3, 1]))
async def test_nothing_is_posted_for_muted_people(tmp_path: Path, step: int) -> None:
    """For a person who may not write, no button and no command posts anything.

    By default every third command is tried; nightly, all of them.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        south, general = scene.south, scene.sandbox.channel("general")
        await scene.invite(scene.north, channel=general)
        await scene.ask(scene.north, "challenge", general, rules="partners")
        others = await scene.wait_for_post(Action.ACCEPT, general)
        await scene.ask(south, "challenge", general, rules="partners")
        await scene.press(
            scene.east, await scene.wait_for_post(Action.ACCEPT, general, exclude=[others]), Action.ACCEPT
        )
        await scene.use(south, "gin challenge", general, options=True)
        await scene.press(south, await scene.invite(scene.north, south), Action.ACCEPT)
        message = (await scene.use(south, "gin help", scene.channel)).message
        await scene.wait_until_idle()
        mute(scene, south, scene.channel, general)
        before = public_message_ids(scene)
        # Skip these actions: they end a match, and post its result even for muted people, so that all players see it.
        ends = {Action.RESIGN, Action.CLAIM, Action.FORGET_NOW}
        sweep = Sweep(south, message, matches=(1,), challenges=(1, 2, 3, 4))
        for action in Action:
            if action not in MOVES | ends:
                async for answer in sweep.attempts(action):
                    assert FAULT not in answer.text
        people = {"opponent": scene.west, "second": scene.east, "third": scene.east, "player": scene.west}
        for command in [*commands_of(scene.bot)][::step]:
            if command.name not in {"draw", "take", "pass"}:
                candidates = people | {"rules": "partners", "card": "Kd", "cards": "all", "name": "Ours", "deal": "1"}
                names = {parameter.display_name for parameter in command.parameters}
                values = {name: value for name, value in candidates.items() if name in names}
                await invoke(scene.bot, south, general, command, values)
        await scene.wait_until_idle()
        after = public_message_ids(scene)
        assert [found - before[channel] for channel, found in after.items() if found - before[channel]] == []
        reply = await scene.ask(south, "challenge", opponent=scene.west)
        assert reply == may_not_write(ChannelId(scene.channel.id))


async def test_muted_people_cannot_be_challenged(tmp_path: Path) -> None:
    """A person who may not write in the channel cannot be challenged there, or be invited to a lobby there."""
    async with open_scene(tmp_path) as scene:
        mute(scene, scene.south, scene.channel)
        assert await scene.ask(scene.north, "challenge", opponent=scene.south) == CANNOT_PLAY_HERE
        await scene.ask(scene.north, "challenge", rules="partners")
        general = scene.sandbox.channel("general")
        assert await scene.ask(scene.north, "lobby invite", general, player=scene.south) == CANNOT_PLAY_HERE
        await scene.ask(scene.north, "lobby invite", general, player=scene.east)
        await scene.wait_until_idle()
        assert (len(scene.south.pushes), len(scene.east.pushes)) == (0, 1)


@pytest.mark.thorough
async def test_a_muted_player_can_continue_a_match(tmp_path: Path) -> None:
    """A muted player can still move and offer to call the match off; the opponent gets no notification of the offer."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN) as scene:
        mute(scene, scene.south, scene.channel)
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = len(scene.north.pushes)
        offered = await click(scene.south, message, Action.CALL_OFF, 1)
        await scene.wait_until_idle()
        assert Action.KEEP_PLAYING in buttons(offered.message)
        assert len(scene.north.pushes) == before
        await scene.ask(scene.north, "pass")
        assert scene.error(await scene.use(scene.south, "gin take", scene.channel)) is None
        (hand,) = await scene.bot.app.lookup.hands(person_of(scene.south).id)
        assert hand.view.public.phase is Phase.DISCARD


@pytest.mark.thorough
async def test_a_muted_player_cannot_propose_a_rematch(tmp_path: Path) -> None:
    """A player who may no longer write in the channel cannot propose a rematch there."""
    world = stopped_world()
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, world=world) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.wait_for_post(Action.REMATCH)
        mute(scene, scene.south, scene.channel)
        reply = (await scene.press(scene.south, end, Action.REMATCH)).text
        assert reply == may_not_write(ChannelId(scene.channel.id))
        await scene.press(scene.north, end, Action.REMATCH)
        await scene.wait_until_idle()
        last_match = await scene.bot.app.lookup.last_ended_match_of(person_of(scene.north).id)
        assert last_match.proposals == (Proposal.REMATCH, None)


@pytest.mark.nightly
async def test_no_thread_is_opened_for_a_muted_player(tmp_path: Path) -> None:
    """A channel's second match gets a thread only if the person who accepts may write in threads."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        challenge = await scene.invite(scene.east, scene.west)
        denied = member_overwrite(scene.west.user, deny=Permission.SEND_MESSAGES_IN_THREADS)
        scene.sandbox.moderation.set_overwrites(scene.channel, denied)
        refused = await scene.press(scene.west, challenge, Action.ACCEPT)
        error = scene.error(refused)
        assert isinstance(error, ChannelBusy)
        assert error.reason is NoThreadReason.PERSON_MAY_NOT
        assert challenge.thread is None
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.press(scene.west, challenge, Action.ACCEPT)
        assert challenge.thread is not None


@pytest.mark.thorough
async def test_a_muted_challenger_cannot_repost_a_lobby(tmp_path: Path) -> None:
    """A muted challenger cannot repost a deleted lobby by changing its teams from another channel."""
    async with open_scene(tmp_path) as scene:
        await scene.ask(scene.south, "challenge", rules="partners")
        lobby = await scene.wait_for_post(Action.ACCEPT)
        for person in (scene.north, scene.east, scene.west):
            await scene.press(person, lobby, Action.ACCEPT)
        await scene.wait_until_idle()
        (lobby,) = without_commitments(scene.posts)
        mute(scene, scene.south, scene.channel)
        scene.sandbox.moderation.delete_message(lobby)
        reply = await scene.ask(scene.south, "lobby teams", scene.sandbox.channel("general"))
        await scene.wait_until_idle()
        assert reply == may_not_write(ChannelId(scene.channel.id))
        assert without_commitments(scene.posts) == []


@pytest.mark.thorough
async def test_only_thread_managers_reopen_locked_threads(tmp_path: Path) -> None:
    """The bot posts in a locked thread, which reopens it, only for people who may manage threads."""
    world, thread = world_with_private_thread()
    (guild,) = world.guilds.values()
    for role in guild.roles.values():
        if role.id != guild.id:
            role.permissions |= Permission.MANAGE_THREADS
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        north, south = person_of(scene.north), person_of(scene.south)
        await Players(scene.bot.app, (north, south)).begin("classic", ChannelId(thread.id), GuildId(guild.id))
        await scene.wait_until_idle()
        message = (await scene.use(scene.south, "gin help")).message
        scene.sandbox.moderation.archive(thread, locked=True)
        before = public_message_ids(scene)
        reply = (await click(scene.south, message, Action.REPOST_TABLE, 1)).text
        assert reply == may_not_write(ChannelId(thread.id))
        await scene.wait_until_idle()
        assert public_message_ids(scene) == before
        assert thread.thread is not None
        assert thread.thread.archived
        message = (await scene.use(scene.north, "gin help")).message
        await click(scene.north, message, Action.REPOST_TABLE, 1)
        await scene.wait_until_idle()
        assert not thread.thread.archived
        assert public_message_ids(scene) != before
