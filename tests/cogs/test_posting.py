"""The bot posts nothing on behalf of people who may not write in the channel."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.views import Phase
from bot.play.refusals import ChannelBusy, NoThread
from bot.sandbox import Channel, Permission, Person, member_overwrite
from bot.values.ids import ChannelId, GuildId
from bot.values.matches import Proposal
from cogs.kit.actions import Action
from cogs.text.refusals import BROKEN, CANNOT_PLAY_HERE, may_not_write
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, person_of, private_thread, without_commitments
from tests.helpers.cases import nightly_after
from tests.helpers.components import MOVES
from tests.helpers.forgery import Sweep, click, commands_of, invoke
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players
from tests.helpers.worlds import stopped_world

MUTED = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS


def mute(scene: Scene, person: Person, *channels: Channel) -> None:
    """Deny a person the permission to write in these channels."""
    for channel in channels:
        scene.sandbox.moderation.set_overwrites(channel, member_overwrite(person.user, deny=MUTED))


def posts(scene: Scene) -> dict[int, set[int]]:
    """Return the ids of the public messages in each channel of the server."""
    channels = [one for one in scene.sandbox.world.channels.values() if one.guild is not None]
    return {one.id: {message.id for message in one.messages.values() if not message.ephemeral} for one in channels}


@pytest.mark.thorough
@pytest.mark.parametrize("step", nightly_after(1, [3, 1]))
async def test_nothing_is_posted_for_somebody_who_may_not_write(tmp_path: Path, step: int) -> None:
    """For a person who may not write, no button and no command posts anything.

    By default every third command is tried; nightly, all of them.
    """
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        south, general = scene.south, scene.sandbox.channel("general")
        await scene.invite(scene.north, channel=general)
        await scene.ask(scene.north, "challenge", general, rules="partners")
        others = await scene.post(Action.ACCEPT, general)
        await scene.ask(south, "challenge", general, rules="partners")
        await scene.press(scene.east, await scene.post(Action.ACCEPT, general, but=[others]), Action.ACCEPT)
        await scene.use(south, "gin challenge", general, options=True)
        await scene.press(south, await scene.invite(scene.north, south), Action.ACCEPT)
        message = (await scene.use(south, "gin help", scene.channel)).message
        await scene.quiet()
        mute(scene, south, scene.channel, general)
        before = posts(scene)
        # Actions that end a match post the result, for everyone who played.
        ends = {Action.RESIGN, Action.CLAIM, Action.FORGET_NOW}
        sweep = Sweep(south, message, matches=(1,), challenges=(1, 2, 3, 4))
        for action in Action:
            if action not in MOVES | ends:
                async for made in sweep.uses(action):
                    assert BROKEN not in made.text
        people = {"opponent": scene.west, "second": scene.east, "third": scene.east, "player": scene.west}
        for command in [*commands_of(scene.alive)][::step]:
            if command.name not in {"draw", "take", "pass"}:
                given = people | {"rules": "partners", "card": "Kd", "cards": "all", "name": "Ours", "deal": "1"}
                names = {one.display_name for one in command.parameters}
                values = {name: value for name, value in given.items() if name in names}
                await invoke(scene.alive, south, general, command, values)
        await scene.quiet()
        after = posts(scene)
        assert [found - before[channel] for channel, found in after.items() if found - before[channel]] == []
        told = await scene.ask(south, "challenge", opponent=scene.west)
        assert told == may_not_write(ChannelId(scene.channel.id))


async def test_who_may_not_write_cannot_be_named(tmp_path: Path) -> None:
    """A person who may not write in the channel cannot be challenged there, or be invited to a lobby there."""
    async with clubhouse(tmp_path) as scene:
        mute(scene, scene.south, scene.channel)
        assert await scene.ask(scene.north, "challenge", opponent=scene.south) == CANNOT_PLAY_HERE
        await scene.ask(scene.north, "challenge", rules="partners")
        general = scene.sandbox.channel("general")
        assert await scene.ask(scene.north, "lobby invite", general, player=scene.south) == CANNOT_PLAY_HERE
        await scene.ask(scene.north, "lobby invite", general, player=scene.east)
        await scene.quiet()
        assert (len(scene.south.pushes), len(scene.east.pushes)) == (0, 1)


@pytest.mark.thorough
async def test_a_player_who_may_not_write_plays_on(tmp_path: Path) -> None:
    """A muted player can still move and offer to call the match off; the opponent gets no notification of the offer."""
    async with at_table(tmp_path, GIN_AT_ONCE) as scene:
        mute(scene, scene.south, scene.channel)
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = len(scene.north.pushes)
        offered = await click(scene.south, message, Action.CALL_OFF, 1)
        await scene.quiet()
        assert Action.KEEP_PLAYING in buttons(offered.message)
        assert len(scene.north.pushes) == before
        await scene.ask(scene.north, "pass")
        assert scene.error(await scene.use(scene.south, "gin take", scene.channel)) is None
        (hand,) = await scene.alive.app.lookup.hands(person_of(scene.south).id)
        assert hand.view.public.phase is Phase.DISCARD


@pytest.mark.nightly
async def test_a_match_does_not_begin_by_somebody_who_left_the_channel_to_others(tmp_path: Path) -> None:
    """A player who may no longer write in the channel cannot propose a rematch there."""
    world = stopped_world()
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, world=world) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post(Action.REMATCH)
        mute(scene, scene.south, scene.channel)
        told = (await scene.press(scene.south, end, Action.REMATCH)).text
        assert told == may_not_write(ChannelId(scene.channel.id))
        await scene.press(scene.north, end, Action.REMATCH)
        await scene.quiet()
        over = await scene.alive.app.lookup.last_ended_of(person_of(scene.north).id)
        assert over.proposals == (Proposal.REMATCH, None)


@pytest.mark.nightly
async def test_no_thread_is_opened_for_somebody_who_may_not_write_in_it(tmp_path: Path) -> None:
    """If the channel is busy, a match moves to a thread only if the person who accepts could write there."""
    async with at_table(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        challenge = await scene.invite(scene.east, scene.west)
        denied = member_overwrite(scene.west.user, deny=Permission.SEND_MESSAGES_IN_THREADS)
        scene.sandbox.moderation.set_overwrites(scene.channel, denied)
        refused = await scene.press(scene.west, challenge, Action.ACCEPT)
        error = scene.error(refused)
        assert isinstance(error, ChannelBusy)
        assert error.reason is NoThread.PERSON_MAY_NOT
        assert challenge.thread is None
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.press(scene.west, challenge, Action.ACCEPT)
        assert challenge.thread is not None


@pytest.mark.thorough
async def test_a_lobby_that_was_deleted_does_not_come_back_by_somebody_who_may_not_write(tmp_path: Path) -> None:
    """A muted challenger cannot repost a deleted lobby by changing its teams from another channel."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.south, "challenge", rules="partners")
        lobby = await scene.post(Action.ACCEPT)
        for person in (scene.north, scene.east, scene.west):
            await scene.press(person, lobby, Action.ACCEPT)
        await scene.quiet()
        (lobby,) = without_commitments(scene.posts)
        mute(scene, scene.south, scene.channel)
        scene.sandbox.moderation.delete_message(lobby)
        told = await scene.ask(scene.south, "lobby teams", scene.sandbox.channel("general"))
        await scene.quiet()
        assert told == may_not_write(ChannelId(scene.channel.id))
        assert without_commitments(scene.posts) == []


@pytest.mark.thorough
async def test_nothing_is_posted_in_a_locked_thread_for_somebody_who_does_not_manage_it(tmp_path: Path) -> None:
    """The bot does not reopen a locked thread by posting in it, unless the person manages threads."""
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
        told = (await click(scene.south, message, Action.REPOST_TABLE, 1)).text
        assert told == may_not_write(ChannelId(thread.id))
        await scene.quiet()
        assert posts(scene) == before
        assert thread.thread is not None
        assert thread.thread.archived
        message = (await scene.use(scene.north, "gin help")).message
        await click(scene.north, message, Action.REPOST_TABLE, 1)
        await scene.quiet()
        assert not thread.thread.archived
        assert posts(scene) != before
