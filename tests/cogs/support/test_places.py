"""Threads for second matches: the reason for a missing thread, and when people learn it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.play.refusals import ChannelBusy, NoThread
from bot.sandbox import (
    Channel,
    Hangup,
    Permission,
    RateLimited,
    Refuse,
    ServerError,
    World,
    member_overwrite,
)
from bot.values.discord_codes import Code
from bot.values.ids import ChannelId, PersonId
from cogs.kit.actions import Action
from cogs.text import refusals as texts
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.worlds import stopped_world

_THREADS = "POST /channels/*/messages/*/threads"
_REFUSALS = [
    (Refuse(160006), NoThread.TOO_MANY),
    (Refuse(160007), NoThread.TOO_MANY),
    (Refuse(30033), NoThread.TOO_MANY_PEOPLE),
    (Refuse(50024), NoThread.WRONG_KIND),
    (Refuse(50013), NoThread.BOT_MAY_NOT),
    (Refuse(50001), NoThread.BOT_MAY_NOT),
    (Refuse(200000), NoThread.MODERATION),
    (Refuse(200001), NoThread.MODERATION),
    (Refuse(10008), NoThread.NO_MESSAGE),
    (Refuse(20016), NoThread.TROUBLE),
    (ServerError(503), NoThread.TROUBLE),
    (RateLimited(600), NoThread.TROUBLE),
    (Hangup(), NoThread.TROUBLE),
]


async def _busy(scene: Scene, channel: Channel, reason: NoThread) -> str:
    """Return the answer that names this reason, for the running match in a channel."""
    match = await scene.alive.app.lookup.running_in(ChannelId(channel.id))
    assert match is not None
    return texts.text(ChannelBusy(match, reason), PersonId(scene.west.id))


@pytest.mark.thorough
async def test_the_answer_names_the_reason_that_discord_gave(tmp_path: Path) -> None:
    """If Discord refuses a second match its thread, the answer to *Accept* has the reason; *Accept* works later."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        challenge = await scene.invite(scene.east, scene.west)
        for fault, reason in _REFUSALS:
            scene.sandbox.faults.requests(fault, on=_THREADS)
            told = (await scene.press(scene.west, challenge, Action.ACCEPT)).text
            assert told == await _busy(scene, scene.channel, reason), fault
            scene.sandbox.faults.clear()
        assert scene.error(await scene.press(scene.west, challenge, Action.ACCEPT)) is None


def _world() -> tuple[World, dict[NoThread, Channel]]:
    """Return a world and its channels that cannot have threads, by reason."""
    world = stopped_world()
    (guild,) = world.guilds.values()
    games = next(one for one in world.channels.values() if one.name == "games")
    north = next(user for user in world.users.values() if user.display_name == "North")
    post = world.add_thread(world.add_channel(guild, "forum", forum=True), "a post", north)
    return world, {
        NoThread.IN_THREAD: world.add_thread(games, "evening", north),
        NoThread.IN_POST: post,
        NoThread.IN_VOICE: world.add_channel(guild, "lounge", voice=True),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("reason", nightly_after(1, [NoThread.IN_POST, NoThread.IN_THREAD, NoThread.IN_VOICE]))
async def test_what_is_known_of_a_channel_is_said_to_the_challenger(tmp_path: Path, reason: NoThread) -> None:
    """A busy thread, post or voice chat refuses new challenges; an earlier one gets the same answer at *Accept*."""
    world, channels = _world()
    channel = channels[reason]
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE, world=world) as scene:
        first = await scene.invite(scene.north, scene.south, channel)
        second = await scene.invite(scene.east, scene.west, channel)
        draft = await scene.use(scene.west, "gin challenge", channel, opponent=scene.east, options=True)
        assert scene.error(await scene.press(scene.south, first, Action.ACCEPT)) is None
        refused = scene.sandbox.faults.requests(Refuse(Code.WRONG_KIND_OF_CHANNEL), on=_THREADS)
        expected = await _busy(scene, channel, reason)
        assert (await scene.press(scene.west, second, Action.ACCEPT)).text == expected
        assert await scene.ask(scene.east, "challenge", channel, opponent=scene.west) == expected
        assert (await scene.press(scene.west, draft.message, Action.DRAFT_SEND)).text == expected
        assert refused.hits == 0


async def test_missing_permissions_for_threads_are_said_to_the_challenger(tmp_path: Path) -> None:
    """If the bot may not open a thread or write in it, the challenger is refused before a thread is opened."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        expected = await _busy(scene, scene.channel, NoThread.BOT_MAY_NOT)
        for denied in (Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS):
            unable = member_overwrite(scene.sandbox.world.bot, deny=denied)
            scene.sandbox.moderation.set_overwrites(scene.channel, unable)
            await scene.quiet()
            assert await scene.ask(scene.east, "challenge", opponent=scene.west) == expected, denied
