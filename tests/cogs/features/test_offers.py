"""Repeated offers always work, but notify a person only twice an hour."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.outbox.offers import COUNTED_FOR, MOST_PINGS
from bot.play.outbox.outbox import REPOST_AFTER
from bot.sandbox import Channel, Message, Person
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database
from tests.helpers.forgery import click
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.shufflers import GIN_AT_ONCE


async def pushes(scene: Scene, person: Person) -> int:
    """Wait until all is quiet, and return a person's number of notifications."""
    await scene.quiet()
    return len(person.pushes)


async def offers(scene: Scene, channel: Channel | None = None) -> Message:
    """Have North challenge South, and return the invitation."""
    made = await scene.invite(scene.north, scene.south, channel)
    await scene.quiet()
    return made


async def offers_in_vain(scene: Scene, times: int, channel: Channel | None = None) -> None:
    """Have North challenge South and withdraw the challenge, several times."""
    for _ in range(times):
        await scene.press(scene.north, await offers(scene, channel), Action.WITHDRAW)
        await scene.quiet()


async def test_a_challenge_notifies_twice_an_hour(tmp_path: Path) -> None:
    """A third challenge within an hour mentions the opponent without a ping, and can still be accepted."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await offers_in_vain(scene, MOST_PINGS)
        silent = await offers(scene)
        assert f"<@{scene.south.id}>" in silent.text
        assert Action.ACCEPT in buttons(silent)
        assert await pushes(scene, scene.south) == MOST_PINGS


@pytest.mark.thorough
async def test_each_pays_for_their_own_offers_until_the_hour_is_over(tmp_path: Path) -> None:
    """The limit counts per challenger and opponent, and not challenges that were accepted."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        general = scene.sandbox.channel("general")
        for _ in range(MOST_PINGS + 1):
            made = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, options=True)
            await scene.press(scene.north, made.message, Action.DRAFT_SEND)
            await scene.quiet()
            await scene.ask(scene.north, "withdraw")
        assert await pushes(scene, scene.south) == MOST_PINGS
        await scene.ask(scene.east, "challenge", opponent=scene.south)
        await scene.ask(scene.north, "challenge", opponent=scene.west)
        assert (await pushes(scene, scene.south), await pushes(scene, scene.west)) == (MOST_PINGS + 1, 1)
        silent = await offers(scene)
        assert silent not in scene.south.pushes
        await scene.press(scene.south, silent, Action.ACCEPT)
        assert await scene.post(Action.SHOW_HAND)
        before = await pushes(scene, scene.south)
        await offers_in_vain(scene, MOST_PINGS + 1, general)
        assert await pushes(scene, scene.south) == before + MOST_PINGS
        await scene.age(clock, COUNTED_FOR + timedelta(seconds=1))
        assert await offers(scene, general) in scene.south.pushes


@pytest.mark.thorough
@pytest.mark.parametrize("forgotten", nightly_after(1, [True, False]))
async def test_a_clock_that_jumps_a_day_ahead_and_back_silences_nobody(tmp_path: Path, *, forgotten: bool) -> None:
    """Offers made while the clock was wrong do not count after it is corrected."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        clock.pass_by(timedelta(days=1))
        await offers_in_vain(scene, MOST_PINGS)
        if forgotten:
            panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
            await scene.press(scene.north, panel, Action.FORGET)
            await scene.press(scene.north, panel, Action.FORGET_NOW)
        clock.pass_by(timedelta(days=-1))
        assert await offers(scene) in scene.south.pushes


@pytest.mark.thorough
async def test_a_place_that_is_kept_notifies_only_whom_it_is_kept_for(tmp_path: Path) -> None:
    """A lobby that is posted again for a new guest does not ping earlier guests again."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="partners", opponent=scene.south)
        assert await pushes(scene, scene.south) == 1
        await scene.ask(scene.north, "lobby invite", player=scene.east)
        assert (await pushes(scene, scene.south), await pushes(scene, scene.east)) == (1, 1)


async def test_a_challenge_that_somebody_deletes_notifies_no_second_time(tmp_path: Path) -> None:
    """A deleted challenge is posted again when it changes, without a second ping."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await scene.ask(scene.north, "challenge", rules="penalty", opponent=scene.south)
        for command in ("accept", "lobby leave"):
            await scene.quiet()
            scene.sandbox.moderation.delete_message(await scene.post(Action.ACCEPT))
            await scene.ask(scene.east, command)
            assert f"<@{scene.south.id}>" in (await scene.post(Action.ACCEPT)).text
            await scene.quiet()
            await scene.age(clock, REPOST_AFTER)
        assert await pushes(scene, scene.south) == 1


@pytest.mark.nightly
async def test_a_table_that_somebody_deletes_again_and_again_calls_as_rarely_as_others(tmp_path: Path) -> None:
    """The challenger is pinged at most twice an hour when the match can begin, even if the lobby is deleted often."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await scene.ask(scene.north, "challenge", rules="penalty")
        await scene.ask(scene.east, "accept")
        for person, commands in ((scene.east, ("lobby leave", "accept")), (scene.west, ("accept", "lobby leave"))):
            for _ in range(2):
                await scene.quiet()
                scene.sandbox.moderation.delete_message(await scene.post(Action.ACCEPT))
                for command in commands:
                    await scene.ask(person, command)
                await scene.quiet()
                await scene.age(clock, REPOST_AFTER)
        assert await pushes(scene, scene.north) <= 2 * MOST_PINGS
        assert len([push for push in scene.north.pushes if f"<@{scene.north.id}>" in push.text]) <= 2 * MOST_PINGS


@pytest.mark.nightly
async def test_a_ping_that_somebody_deletes_notifies_no_second_time(tmp_path: Path) -> None:
    """A deleted ping comes back with the next offer in the same turn, but within the limit."""
    clock = Clock()
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False, clock=clock) as scene:
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = await pushes(scene, scene.north)
        for _ in range(MOST_PINGS + 1):
            scene.sandbox.moderation.delete_message(scene.north.pushes[-1])
            await click(scene.south, message, Action.CALL_OFF, 1)
            await scene.quiet()
            await click(scene.south, message, Action.KEEP_PLAYING, 1)
            await scene.quiet()
            await scene.age(clock, REPOST_AFTER)
        assert await pushes(scene, scene.north) - before <= MOST_PINGS


@pytest.mark.nightly
async def test_to_be_forgotten_is_no_way_around_the_limit(tmp_path: Path) -> None:
    """After *Forget me*, the person's offers notify no one for the rest of the hour."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        for _ in range(MOST_PINGS):
            await offers_in_vain(scene, 1)
            panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
            await scene.press(scene.north, panel, Action.FORGET)
            await scene.press(scene.north, panel, Action.FORGET_NOW)
        assert await pushes(scene, scene.south) == 1
        await scene.age(clock, COUNTED_FOR)
        assert await offers(scene) in scene.south.pushes


@pytest.mark.thorough
@pytest.mark.parametrize("open_dms", [True, pytest.param(False, marks=pytest.mark.nightly)])
async def test_offers_about_a_match_notify_twice_an_hour(tmp_path: Path, *, open_dms: bool) -> None:
    """Offers to call a match off, and then rematch offers, each notify twice an hour, by direct message or ping."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=open_dms, clock=Clock()) as scene:
        message = (await scene.use(scene.south, "gin help", scene.channel)).message
        before = await pushes(scene, scene.north)
        for _ in range(MOST_PINGS + 1):
            await click(scene.south, message, Action.CALL_OFF, 1)
            await scene.quiet()
            await click(scene.south, message, Action.KEEP_PLAYING, 1)
        assert await pushes(scene, scene.north) - before == MOST_PINGS
        await click(scene.south, message, Action.CALL_OFF, 1)
        hand = (await scene.use(scene.north, "gin hand", scene.channel)).message
        assert Action.CALL_OFF in buttons(hand)
        await click(scene.south, message, Action.KEEP_PLAYING, 1)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        before = await pushes(scene, scene.south)
        for _ in range(MOST_PINGS + 1):
            await click(scene.north, message, Action.REMATCH, 1)
            await scene.quiet()
            await click(scene.north, message, Action.WITHDRAW_REMATCH, 1)
        # The challenge that led to this match was accepted, so it does not count.
        assert await pushes(scene, scene.south) - before == MOST_PINGS
        await click(scene.north, message, Action.REMATCH, 1)
        await scene.press(scene.south, await scene.post(Action.REMATCH), Action.REMATCH)
        assert (await scene.match()).has_rematch


@pytest.mark.nightly
async def test_pings_are_counted_over_a_restart(tmp_path: Path) -> None:
    """The count of pings survives a restart."""
    url = new_database(tmp_path / "deadwood.db")
    async with sandbox_of() as sandbox:
        north, games = sandbox.person("North"), sandbox.channel("games")
        for _ in range(MOST_PINGS + 1):
            async with bot_on(sandbox, url) as alive:
                scene = Scene(alive)
                await sandbox.until(lambda: north.commands(games))
                await offers_in_vain(scene, 1)
        assert len(sandbox.person("South").pushes) == MOST_PINGS
