"""Direct messages: the channel is opened once, and refusals are retried at sensible times."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.sandbox import Delay, Refuse
from cogs.kit.actions import Action
from cogs.support.direct_messages import PAUSE, DirectMessages
from tests.cogs.scenes import at_table, clubhouse, hands, person_of
from tests.helpers.clock import Clock
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.traces import traces


@pytest.mark.nightly
async def test_direct_messages_that_open_again_are_tried_after_a_day(tmp_path: Path) -> None:
    """A day after a refusal, any interaction of the player makes the bot try direct messages again."""
    clock = Clock()
    async with at_table(tmp_path, open_dms=False, pressed=True, clock=clock) as scene:
        await scene.quiet()
        tries = scene.sandbox.journal.refusals[50007]
        scene.south.user.open_dms = True
        await scene.press(scene.south, await scene.invite(scene.east, scene.south), Action.ACCEPT)
        await scene.quiet()
        assert scene.south.direct_messages() == []
        assert scene.sandbox.journal.refusals[50007] == tries
        await scene.age(clock, timedelta(days=1))
        await scene.ask(scene.south, "games")
        await scene.sandbox.until(lambda: len(hands(scene.south)) == 2)
        assert scene.sandbox.journal.refusals[50007] == tries


@pytest.mark.thorough
async def test_a_channel_that_opens_late_brings_back_nobody_who_was_forgotten(tmp_path: Path) -> None:
    """If a person has their data deleted while their DM channel opens slowly, nothing about them is saved again."""
    async with clubhouse(tmp_path) as scene:
        slow = scene.sandbox.faults.requests(Delay(1), on="POST /users/@me/channels")
        asked = await scene.south.slash("gin challenge", scene.channel)
        app, south = scene.alive.app, person_of(scene.south)
        await scene.sandbox.until(lambda: slow.hits)
        await app.people.forget(south.id)
        scene.sandbox.world.clock.advance(1)
        await asked.done()
        await scene.quiet()
        assert (await app.exports.export(south.id))["person"] is None
        assert traces(tmp_path, south.id, south.name) == set()


@pytest.mark.thorough
async def test_closed_direct_messages_are_tried_once_a_day(tmp_path: Path) -> None:
    """Commands do not cause more attempts, but an interaction in direct messages proves that they work."""
    clock = Clock()
    async with at_table(tmp_path, open_dms=False, pressed=True, clock=clock) as scene:
        await scene.quiet()
        tries = scene.sandbox.journal.refusals[50007]
        await scene.age(clock, timedelta(days=1))
        for _ in range(3):
            await scene.ask(scene.south, "games")
            await scene.quiet()
        assert scene.sandbox.journal.refusals[50007] == tries + 1
        scene.south.user.open_dms = True
        await scene.ask(scene.south, "games", scene.south.dm)
        await scene.sandbox.until(lambda: hands(scene.south))


@pytest.mark.nightly
async def test_opening_too_fast_stops_all_opening_for_an_hour(tmp_path: Path) -> None:
    """After 40003 no DM channel is opened for an hour, by any process; the match continues with *My hand*."""
    clock = Clock()
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        openings = "POST /users/@me/channels"
        scene.sandbox.faults.requests(Refuse(40003, retry_after=0.01), on=openings, times=10)
        invitation = await scene.invite(scene.north, scene.south)
        tried = scene.sandbox.journal.routes[openings]
        assert tried
        assert scene.error(await scene.press(scene.south, invitation, Action.ACCEPT)) is None
        another_process = DirectMessages(scene.alive.app)
        assert await another_process.try_now(await scene.alive.client.fetch_user(scene.east.user.id)) is None
        assert scene.sandbox.journal.routes[openings] == tried
        await scene.sandbox.until(lambda: any(push.channel is scene.channel for push in scene.north.pushes))
        scene.sandbox.faults.clear()
        await scene.age(clock, PAUSE)
        await scene.ask(scene.north, "challenge", scene.sandbox.channel("quiet-corner"), opponent=scene.east)
        await scene.turn(scene.north)


@pytest.mark.nightly
async def test_direct_messages_that_are_closed_during_a_match_are_tried_again_too(tmp_path: Path) -> None:
    """Direct messages that were open at the last interaction and closed since are tried again a day later."""
    clock = Clock()
    async with at_table(tmp_path, clock=clock) as scene:
        await scene.ask(scene.south, "games")
        scene.south.user.open_dms = False
        await scene.press(scene.north, await scene.turn(scene.north), Action.PASS)
        await scene.sandbox.until(lambda: scene.sandbox.journal.refusals[50007])
        await scene.quiet()
        scene.south.user.open_dms = True
        before = len(scene.south.direct_messages())
        await scene.age(clock, timedelta(days=1))
        await scene.ask(scene.south, "games")
        await scene.sandbox.until(lambda: len(scene.south.direct_messages()) > before)
