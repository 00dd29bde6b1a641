"""Repeated offers always work, but notify a person only twice an hour."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.outbox.offers import MAX_PINGS, PING_PERIOD
from bot.play.outbox.outbox import REPOST_INTERVAL
from bot.sandbox import Channel, Message, Person
from cogs.actions import Action
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database
from tests.helpers.forgery import click
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.shufflers import IMMEDIATE_GIN


async def push_count(scene: Scene, person: Person) -> int:
    """Wait until all is quiet, and return a person's number of notifications."""
    await scene.wait_until_idle()
    return len(person.pushes)


async def challenge_south(scene: Scene, channel: Channel | None = None) -> Message:
    """Have North challenge South, and return the invitation."""
    invitation = await scene.invite(scene.north, scene.south, channel)
    await scene.wait_until_idle()
    return invitation


async def challenge_and_withdraw(scene: Scene, times: int, channel: Channel | None = None) -> None:
    """Have North challenge South and withdraw the challenge, several times."""
    for _ in range(times):
        more = await scene.press(scene.north, await challenge_south(scene, channel), Action.CHALLENGE_MORE)
        await scene.press(scene.north, more.message, Action.WITHDRAW)
        await scene.wait_until_idle()


async def test_a_challenge_notifies_twice_an_hour(tmp_path: Path) -> None:
    """A third challenge within an hour mentions the opponent without a ping, and can still be accepted."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await challenge_and_withdraw(scene, MAX_PINGS)
        silent = await challenge_south(scene)
        assert f"<@{scene.south.id}>" in silent.text
        assert Action.ACCEPT in buttons(silent)
        assert await push_count(scene, scene.south) == MAX_PINGS


@pytest.mark.nightly
async def test_the_limit_counts_per_challenger_and_opponent(tmp_path: Path) -> None:
    """Each challenger has a separate limit for each opponent, and accepted challenges do not count."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        general = scene.sandbox.channel("general")
        for _ in range(MAX_PINGS + 1):
            draft = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, options=True)
            await scene.press(scene.north, draft.message, Action.DRAFT_SEND)
            await scene.wait_until_idle()
            await scene.ask(scene.north, "withdraw")
        assert await push_count(scene, scene.south) == MAX_PINGS
        await scene.ask(scene.east, "challenge", opponent=scene.south)
        await scene.ask(scene.north, "challenge", opponent=scene.west)
        assert (await push_count(scene, scene.south), await push_count(scene, scene.west)) == (MAX_PINGS + 1, 1)
        silent = await challenge_south(scene)
        assert silent not in scene.south.pushes
        await scene.press(scene.south, silent, Action.ACCEPT)
        assert await scene.wait_for_post(Action.SHOW_HAND)
        before = await push_count(scene, scene.south)
        await challenge_and_withdraw(scene, MAX_PINGS + 1, general)
        assert await push_count(scene, scene.south) == before + MAX_PINGS
        await scene.advance(clock, PING_PERIOD + timedelta(seconds=1))
        assert await challenge_south(scene, general) in scene.south.pushes


@pytest.mark.thorough
@pytest.mark.parametrize("forgotten", nightly_after(1, [True, False]))
async def test_a_clock_jump_silences_nobody(tmp_path: Path, *, forgotten: bool) -> None:
    """Offers made while the bot's clock was wrong do not count towards the limit once the clock is corrected."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        clock.pass_by(timedelta(days=1))
        await challenge_and_withdraw(scene, MAX_PINGS)
        if forgotten:
            panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
            await scene.press(scene.north, panel, Action.FORGET)
            await scene.press(scene.north, panel, Action.FORGET_NOW)
        clock.pass_by(timedelta(days=-1))
        assert await challenge_south(scene) in scene.south.pushes


@pytest.mark.thorough
async def test_a_reserved_seat_pings_only_its_guest(tmp_path: Path) -> None:
    """A lobby that is posted again for a newly invited player does not ping players who were invited earlier."""
    async with open_scene(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="partners", opponent=scene.south)
        assert await push_count(scene, scene.south) == 1
        await scene.ask(scene.north, "lobby invite", player=scene.east)
        assert (await push_count(scene, scene.south), await push_count(scene, scene.east)) == (1, 1)


async def test_a_deleted_challenge_pings_once(tmp_path: Path) -> None:
    """A deleted challenge is posted again when it changes, but does not ping the opponent a second time."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await scene.ask(scene.north, "challenge", rules="penalty", opponent=scene.south)
        for command in ("accept", "lobby leave"):
            await scene.wait_until_idle()
            scene.sandbox.moderation.delete_message(await scene.wait_for_post(Action.ACCEPT))
            await scene.ask(scene.east, command)
            assert f"<@{scene.south.id}>" in (await scene.wait_for_post(Action.ACCEPT)).text
            await scene.wait_until_idle()
            await scene.advance(clock, REPOST_INTERVAL)
        assert await push_count(scene, scene.south) == 1


@pytest.mark.nightly
async def test_a_repeatedly_deleted_lobby_respects_the_limit(tmp_path: Path) -> None:
    """However often a lobby's message is deleted, each player who joins pings the challenger at most twice an hour."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await scene.ask(scene.north, "challenge", rules="penalty")
        await scene.ask(scene.east, "accept")
        for person, commands in ((scene.east, ("lobby leave", "accept")), (scene.west, ("accept", "lobby leave"))):
            for _ in range(2):
                await scene.wait_until_idle()
                scene.sandbox.moderation.delete_message(await scene.wait_for_post(Action.ACCEPT))
                for command in commands:
                    await scene.ask(person, command)
                await scene.wait_until_idle()
                await scene.advance(clock, REPOST_INTERVAL)
        assert await push_count(scene, scene.north) <= 2 * MAX_PINGS
        assert len([push for push in scene.north.pushes if f"<@{scene.north.id}>" in push.text]) <= 2 * MAX_PINGS


@pytest.mark.nightly
async def test_a_deleted_ping_respects_the_limit(tmp_path: Path) -> None:
    """Even if every ping is deleted, repeated offers to call off a match ping the opponent at most twice an hour."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=False, clock=clock) as scene:
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = await push_count(scene, scene.north)
        for _ in range(MAX_PINGS + 1):
            scene.sandbox.moderation.delete_message(scene.north.pushes[-1])
            await click(scene.south, message, Action.CALL_OFF, 1)
            await scene.wait_until_idle()
            await click(scene.south, message, Action.KEEP_PLAYING, 1)
            await scene.wait_until_idle()
            await scene.advance(clock, REPOST_INTERVAL)
        assert await push_count(scene, scene.north) - before <= MAX_PINGS


@pytest.mark.nightly
async def test_forget_me_does_not_reset_the_limit(tmp_path: Path) -> None:
    """After *Forget me*, the person's offers notify no one for the rest of the hour."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        for _ in range(MAX_PINGS):
            await challenge_and_withdraw(scene, 1)
            panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
            await scene.press(scene.north, panel, Action.FORGET)
            await scene.press(scene.north, panel, Action.FORGET_NOW)
        assert await push_count(scene, scene.south) == 1
        await scene.advance(clock, PING_PERIOD)
        assert await challenge_south(scene) in scene.south.pushes


@pytest.mark.nightly
@pytest.mark.parametrize("open_dms", [True, pytest.param(False, marks=pytest.mark.nightly)])
async def test_offers_about_a_match_notify_twice_an_hour(tmp_path: Path, *, open_dms: bool) -> None:
    """Rematch offers notify at most twice an hour, by direct message or ping, and so do offers to call a match off."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=open_dms, clock=clock) as scene:
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = await push_count(scene, scene.north)
        for _ in range(MAX_PINGS + 1):
            await click(scene.south, message, Action.CALL_OFF, 1)
            await scene.wait_until_idle()
            await click(scene.south, message, Action.KEEP_PLAYING, 1)
        assert await push_count(scene, scene.north) - before == MAX_PINGS
        await click(scene.south, message, Action.CALL_OFF, 1)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert Action.CALL_OFF in buttons(hand)
        await click(scene.south, message, Action.KEEP_PLAYING, 1)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        before = await push_count(scene, scene.south)
        for _ in range(MAX_PINGS + 1):
            await click(scene.north, message, Action.REMATCH, 1)
            await scene.wait_until_idle()
            await click(scene.north, message, Action.WITHDRAW_REMATCH, 1)
            await scene.wait_until_idle()
            # An offer notifies those for whom a ping was granted at its time.
            clock.pass_by(timedelta(seconds=1))
        # The challenge that led to this match does not count towards the limit, because it was accepted.
        assert await push_count(scene, scene.south) - before == MAX_PINGS
        await click(scene.north, message, Action.REMATCH, 1)
        await scene.press(scene.south, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)
        assert (await scene.match()).has_rematch


@pytest.mark.nightly
async def test_the_ping_count_survives_a_restart(tmp_path: Path) -> None:
    """Pings sent before a restart of the bot still count towards the limit."""
    url = new_database(tmp_path / "deadwood.db")
    async with sandbox_of() as sandbox:
        north, games = sandbox.person("North"), sandbox.channel("games")
        for _ in range(MAX_PINGS + 1):
            async with bot_on(sandbox, url) as alive:
                scene = Scene(alive)
                await sandbox.until(lambda: north.commands(games))
                await challenge_and_withdraw(scene, 1)
        assert len(sandbox.person("South").pushes) == MAX_PINGS
