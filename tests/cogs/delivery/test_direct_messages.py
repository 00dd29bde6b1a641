"""Direct messages: when the bot opens their channel, and when it tries again after a refusal."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.dm_channels import OPENING_PAUSE
from bot.sandbox import Delay, Refuse
from cogs.actions import Action
from cogs.delivery.direct_messages import DirectMessages
from tests.cogs.scenes import hands, open_match_scene, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.traces import traces


@pytest.mark.thorough
async def test_closed_direct_messages_are_retried_after_a_day(tmp_path: Path) -> None:
    """A day after a refusal, any interaction of the player makes the bot try direct messages again."""
    clock = Clock()
    async with open_match_scene(tmp_path, open_dms=False, by_buttons=True, clock=clock) as scene:
        await scene.wait_until_idle()
        tries = scene.sandbox.journal.refusals[50007]
        scene.south.user.open_dms = True
        await scene.press(scene.south, await scene.invite(scene.east, scene.south), Action.ACCEPT)
        await scene.wait_until_idle()
        assert scene.south.direct_messages() == []
        assert scene.sandbox.journal.refusals[50007] == tries
        await scene.advance(clock, timedelta(days=1))
        await scene.ask(scene.south, "games")
        await scene.sandbox.until(lambda: len(hands(scene.south)) == 2)
        assert scene.sandbox.journal.refusals[50007] == tries


@pytest.mark.thorough
async def test_a_slow_dm_channel_does_not_restore_forgotten_people(tmp_path: Path) -> None:
    """If a person's data is deleted while their DM channel is still being opened, nothing about them is saved again."""
    async with open_scene(tmp_path) as scene:
        slow = scene.sandbox.faults.requests(Delay(1), on="POST /users/@me/channels")
        asked = await scene.south.slash("gin challenge", scene.channel)
        app, south = scene.bot.app, person_of(scene.south)
        await scene.sandbox.until(lambda: slow.hits)
        await app.people.forget(south.id)
        scene.sandbox.world.clock.advance(1)
        await asked.done()
        await scene.wait_until_idle()
        assert (await app.exports.export(south.id))["person"] is None
        assert traces(tmp_path, south.id, south.name) == set()


@pytest.mark.thorough
async def test_closed_direct_messages_are_tried_once_a_day(tmp_path: Path) -> None:
    """While direct messages are closed, commands on a server cause at most one attempt a day to send one.

    A command in a direct message shows that direct messages are open again, and the hand is sent.
    """
    clock = Clock()
    async with open_match_scene(tmp_path, open_dms=False, by_buttons=True, clock=clock) as scene:
        await scene.wait_until_idle()
        tries = scene.sandbox.journal.refusals[50007]
        await scene.advance(clock, timedelta(days=1))
        for _ in range(3):
            await scene.ask(scene.south, "games")
            await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals[50007] == tries + 1
        scene.south.user.open_dms = True
        await scene.ask(scene.south, "games", scene.south.dm)
        await scene.sandbox.until(lambda: hands(scene.south))


@pytest.mark.thorough
async def test_rate_limited_openings_pause_for_an_hour(tmp_path: Path) -> None:
    """After a rate limit (40003), no process opens DM channels for an hour; the match continues with pings."""
    clock = Clock()
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        openings = "POST /users/@me/channels"
        scene.sandbox.faults.requests(Refuse(40003, retry_after=0.01), on=openings, times=10)
        invitation = await scene.invite(scene.north, scene.south)
        tried = scene.sandbox.journal.routes[openings]
        assert tried
        assert scene.error(await scene.press(scene.south, invitation, Action.ACCEPT)) is None
        another_process = DirectMessages(scene.bot.app)
        assert await another_process.try_now(await scene.bot.client.fetch_user(scene.east.user.id)) is None
        assert scene.sandbox.journal.routes[openings] == tried
        await scene.sandbox.until(lambda: any(push.channel is scene.channel for push in scene.north.pushes))
        scene.sandbox.faults.clear()
        await scene.advance(clock, OPENING_PAUSE)
        await scene.ask(scene.north, "challenge", scene.sandbox.channel("quiet-corner"), opponent=scene.east)
        await scene.wait_for_turn(scene.north)


@pytest.mark.nightly
async def test_direct_messages_closed_during_a_match_are_retried(tmp_path: Path) -> None:
    """If direct messages are closed during a match, a command on the next day makes the bot try them again."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock) as scene:
        await scene.ask(scene.south, "games")
        scene.south.user.open_dms = False
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.PASS)
        await scene.sandbox.until(lambda: scene.sandbox.journal.refusals[50007])
        await scene.wait_until_idle()
        scene.south.user.open_dms = True
        before = len(scene.south.direct_messages())
        await scene.advance(clock, timedelta(days=1))
        await scene.ask(scene.south, "games")
        await scene.sandbox.until(lambda: len(scene.south.direct_messages()) > before)
