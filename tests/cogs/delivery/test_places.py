"""Threads for a channel's second match: if no thread can be opened, people are told the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.discord_codes import Code
from bot.model.ids import ChannelId, PersonId
from bot.play.refusals import ChannelBusy, NoThreadReason
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
from cogs import refusals as texts
from cogs.actions import Action
from tests.cogs.scenes import Scene, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.worlds import stopped_world

_THREADS = "POST /channels/*/messages/*/threads"
_REFUSALS = [
    (Refuse(160006), NoThreadReason.TOO_MANY),
    (Refuse(160007), NoThreadReason.TOO_MANY),
    (Refuse(30033), NoThreadReason.TOO_MANY_PEOPLE),
    (Refuse(50024), NoThreadReason.WRONG_KIND),
    (Refuse(50013), NoThreadReason.BOT_MAY_NOT),
    (Refuse(50001), NoThreadReason.BOT_MAY_NOT),
    (Refuse(200000), NoThreadReason.MODERATION),
    (Refuse(200001), NoThreadReason.MODERATION),
    (Refuse(10008), NoThreadReason.NO_MESSAGE),
    (Refuse(20016), NoThreadReason.TROUBLE),
    (ServerError(503), NoThreadReason.TROUBLE),
    (RateLimited(600), NoThreadReason.TROUBLE),
    (Hangup(), NoThreadReason.TROUBLE),
]


async def _busy_answer(scene: Scene, channel: Channel, reason: NoThreadReason) -> str:
    """Return the refusal's text, which says that the channel has a match and why no thread can be opened."""
    match = await scene.bot.app.lookup.running_in(ChannelId(channel.id))
    assert match is not None
    return texts.text(ChannelBusy(match, reason), PersonId(scene.west.id))


@pytest.mark.nightly
async def test_the_answer_names_the_reason_that_discord_gave(tmp_path: Path) -> None:
    """If Discord refuses to open a thread for a second match, the answer to *Accept* has the reason."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        challenge = await scene.invite(scene.east, scene.west)
        for fault, reason in _REFUSALS:
            scene.sandbox.faults.requests(fault, on=_THREADS)
            reply = (await scene.press(scene.west, challenge, Action.ACCEPT)).text
            assert reply == await _busy_answer(scene, scene.channel, reason), fault
            scene.sandbox.faults.clear()
        assert scene.error(await scene.press(scene.west, challenge, Action.ACCEPT)) is None


def _world_without_threads() -> tuple[World, dict[NoThreadReason, Channel]]:
    """Return a world with channels that cannot have threads, and these channels by reason."""
    world = stopped_world()
    (guild,) = world.guilds.values()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    north = next(user for user in world.users.values() if user.display_name == "North")
    post = world.add_thread(world.add_channel(guild, "forum", forum=True), "a post", north)
    return world, {
        NoThreadReason.IN_THREAD: world.add_thread(games, "evening", north),
        NoThreadReason.IN_POST: post,
        NoThreadReason.IN_VOICE: world.add_channel(guild, "lounge", voice=True),
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    "reason", nightly_after(1, [NoThreadReason.IN_POST, NoThreadReason.IN_THREAD, NoThreadReason.IN_VOICE])
)
async def test_a_busy_channel_without_threads_refuses_challenges(tmp_path: Path, reason: NoThreadReason) -> None:
    """In a thread, forum post or voice chat that has a match, new challenges and *Accept* get the same refusal."""
    world, channels = _world_without_threads()
    channel = channels[reason]
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK, world=world) as scene:
        first = await scene.invite(scene.north, scene.south, channel)
        second = await scene.invite(scene.east, scene.west, channel)
        draft = await scene.use(scene.west, "gin challenge", channel, opponent=scene.east, options=True)
        assert scene.error(await scene.press(scene.south, first, Action.ACCEPT)) is None
        refused = scene.sandbox.faults.requests(Refuse(Code.WRONG_KIND_OF_CHANNEL), on=_THREADS)
        expected = await _busy_answer(scene, channel, reason)
        assert (await scene.press(scene.west, second, Action.ACCEPT)).text == expected
        assert await scene.ask(scene.east, "challenge", channel, opponent=scene.west) == expected
        assert (await scene.press(scene.west, draft.message, Action.DRAFT_SEND)).text == expected
        assert refused.hits == 0


async def test_missing_thread_permissions_refuse_challenges(tmp_path: Path) -> None:
    """If the bot may not open threads or write in them, a second challenge in a channel is refused immediately."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        expected = await _busy_answer(scene, scene.channel, NoThreadReason.BOT_MAY_NOT)
        for denied in (Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS):
            unable = member_overwrite(scene.sandbox.world.bot, deny=denied)
            scene.sandbox.moderation.set_overwrites(scene.channel, unable)
            await scene.wait_until_idle()
            assert await scene.ask(scene.east, "challenge", opponent=scene.west) == expected, denied
