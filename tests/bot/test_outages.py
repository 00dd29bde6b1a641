"""Outages reported by the gateway: clocks stop for players who cannot reach their tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.play.refusals import Frozen
from bot.sandbox import MEMBER_DEFAULTS, Drop, Guild, Refuse, RequestFault, Reset, World
from bot.values.clocks import TimeLeft
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus
from cogs.kit import admission
from cogs.kit.actions import Action
from cogs.text.refusals import ONE_AT_A_TIME, VERY_BUSY
from tests.bot.hosts import DID_NOT_COUNT
from tests.bot.test_trouble import set_read_only
from tests.cogs.kit.test_admission import hanging
from tests.cogs.scenes import Scene, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import file_of, new_database, without_fsync
from tests.helpers.living import bot_on, sandbox_of, start_match
from tests.helpers.onlooker import Onlooker
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import interaction
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.helpers.worlds import stopped_world

pytestmark = pytest.mark.thorough

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
MATCH: Final = MatchId(1)


@asynccontextmanager
async def timed(
    directory: Path, clock: Clock, limit: str = "1m flag", *, world: World | None = None
) -> AsyncGenerator[Scene]:
    """Yield the scene of a timed match of North, who acts first, against South."""
    async with clubhouse(directory, KNOCK_AT_ONCE, clock=clock, world=world) as scene:
        await start_match(scene.alive, clock=limit)
        await scene.quiet()
        yield scene


def guild_of(scene: Scene) -> Guild:
    """Return the server of the scene."""
    guild = scene.channel.guild
    assert guild is not None
    return guild


async def time_of(scene: Scene) -> TimeLeft:
    """Return the clock of the player whose turn it is."""
    table = await scene.alive.app.lookup.table(MATCH)
    assert table.view.turn is not None
    return table.times[table.view.turn]


async def running(scene: Scene) -> bool:
    """Return True if the match is still running."""
    return (await scene.alive.app.lookup.info(MATCH)).status is MatchStatus.RUNNING


async def saved(scene: Scene, *, unavailable: bool) -> None:
    """Wait until the bot has saved whether the server is unavailable."""
    onlooker = Onlooker(f"sqlite:///{file_of(scene.alive.database)}")
    query = "SELECT 1 FROM guild WHERE unavailable_since IS NOT NULL"
    await eventually(lambda: bool(onlooker.rows(query)) is unavailable)
    await scene.quiet()


async def ends_in(scene: Scene, clock: Clock, left: timedelta) -> None:
    """Check the time left, that the clock is running, and that the match ends when the time is up."""
    time = await time_of(scene)
    assert (time.left, time.ends_at) == (left, clock.now + left)
    await scene.later(clock, left - SECOND)
    assert await running(scene)
    await scene.later(clock, 10 * SECOND)
    assert not await running(scene)


async def test_time_stops_until_the_server_is_available(tmp_path: Path) -> None:
    """`GUILD_DELETE` with `unavailable` stops the clock and `GUILD_CREATE` resumes it. Messages do not change."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        before = [(message.id, message.text) for message in scene.sandbox.all_messages()]
        scene.sandbox.moderation.begin_outage(guild_of(scene))
        await saved(scene, unavailable=True)
        for _ in range(3):
            await scene.later(clock, 110 * SECOND)
            time = await time_of(scene)
            assert (time.left, time.ends_at) == (40 * SECOND, None)
        scene.sandbox.moderation.end_outage(guild_of(scene))
        await saved(scene, unavailable=False)
        await scene.later(clock, timedelta())
        assert [(message.id, message.text) for message in scene.sandbox.all_messages()] == before
        await ends_in(scene, clock, 40 * SECOND)


async def test_direct_messages_reach_the_match_in_an_outage(tmp_path: Path) -> None:
    """During an outage, a move by direct message counts, and the clock stays stopped."""
    clock = Clock()
    async with timed(tmp_path, clock, "1d") as scene:
        await scene.later(clock, MINUTE)
        scene.sandbox.moderation.begin_outage(guild_of(scene))
        await saved(scene, unavailable=True)
        await scene.later(clock, timedelta(days=3))
        await scene.use(scene.north, "gin pass", scene.north.dm)
        await scene.later(clock, timedelta(days=3))
        assert (await scene.alive.app.lookup.table(MATCH)).view.turn == 1
        time = await time_of(scene)
        assert (time.left, time.cut_off) == (timedelta(days=1), True)


@pytest.mark.parametrize("told", nightly_after(2, ["restart", "resume", "identify"]))
async def test_a_session_that_starts_in_an_outage_knows_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    """A session learns of an outage from READY without a later `GUILD_CREATE`, or from the events it resumes."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await start_match(alive, clock="1m flag")
                await scene.later(clock, 20 * SECOND)
                if told != "restart":
                    monkeypatch.setattr(alive.client, "before_identify_hook", AsyncMock())
                    if told == "identify":
                        sandbox.faults.events(Drop(), on="GUILD_DELETE")
                        sandbox.moderation.begin_outage(guild_of(scene))
                        await sandbox.gateway.invalidate(resumable=False)
                        await sandbox.until(lambda: sandbox.gateway.identifies == 2, MAX_WAIT)
                    else:
                        await sandbox.gateway.close(4000)
                        sandbox.moderation.begin_outage(guild_of(scene))
                        await sandbox.until(lambda: sandbox.gateway.resumes == 1, MAX_WAIT)
                    await saved(scene, unavailable=True)
                    await check_outage(scene, clock)
                    return
            sandbox.moderation.begin_outage(guild_of(scene))
            clock.pass_by(MINUTE)
            async with bot_on(sandbox, url, clock=clock) as alive:
                await saved(Scene(alive), unavailable=True)
                await check_outage(Scene(alive), clock)


async def check_outage(scene: Scene, clock: Clock) -> None:
    """Check that the clock is stopped, and resumes when the server is available."""
    await eventually(lambda: bool(scene.alive.app.connected.shards.numbers))
    await scene.later(clock, 5 * MINUTE)
    assert (await time_of(scene)).left == 40 * SECOND
    scene.sandbox.moderation.end_outage(guild_of(scene))
    await saved(scene, unavailable=False)
    await ends_in(scene, clock, 40 * SECOND)


async def test_an_outage_may_end_while_the_bot_is_away(tmp_path: Path) -> None:
    """If an outage ends while the bot is not running, the clock resumes when the next process starts."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await start_match(alive, clock="1m flag")
                await scene.later(clock, 20 * SECOND)
                sandbox.moderation.begin_outage(guild_of(scene))
                await saved(scene, unavailable=True)
            clock.pass_by(MINUTE)
            sandbox.moderation.end_outage(guild_of(scene))
            clock.pass_by(5 * MINUTE)
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await saved(scene, unavailable=False)
                await eventually(lambda: bool(scene.alive.app.connected.shards.numbers))
                await scene.quiet()
                await ends_in(scene, clock, 40 * SECOND)


async def test_a_server_may_remove_the_bot_in_an_outage(tmp_path: Path) -> None:
    """If the bot is removed during an outage, the match is frozen until the bot is added again."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        guild, moderation = guild_of(scene), scene.sandbox.moderation
        moderation.begin_outage(guild)
        await saved(scene, unavailable=True)
        await scene.later(clock, MINUTE)
        moderation.remove_bot(guild)
        await scene.later(clock, MINUTE)
        with pytest.raises(Frozen):
            await scene.alive.app.endings.resign(PersonId(scene.north.id), MATCH, interaction())
        moderation.add_bot(guild, MEMBER_DEFAULTS)
        await saved(scene, unavailable=False)
        await ends_in(scene, clock, 40 * SECOND)


async def test_outages_that_come_and_go_leave_time_running(tmp_path: Path) -> None:
    """After a rapid series of outage events, the last event decides."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        for _ in range(5):
            scene.sandbox.moderation.begin_outage(guild_of(scene))
            scene.sandbox.moderation.end_outage(guild_of(scene))
        await saved(scene, unavailable=False)
        await ends_in(scene, clock, MINUTE)


async def test_no_time_runs_while_sessions_are_invalid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While Discord invalidates each new session, the clock is stopped, however short that is."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        client, gateway = scene.alive.client, scene.sandbox.gateway
        monkeypatch.setattr(client, "before_identify_hook", AsyncMock())
        scene.sandbox.faults.events(Drop(), on="READY", times=3)
        for number in range(2, 5):
            await gateway.invalidate(resumable=False)
            await scene.sandbox.until(lambda number=number: gateway.identifies == number, MAX_WAIT)
            assert not client.connections.ready
            clock.pass_by(20 * SECOND)
        await gateway.invalidate(resumable=False)
        await eventually(lambda: bool(scene.alive.app.connected.shards.numbers))
        await scene.quiet()
        await ends_in(scene, clock, 40 * SECOND)


async def test_no_time_runs_before_the_servers_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is stopped from READY until discord.py has waited for every `GUILD_CREATE`."""
    clock, known = Clock(), asyncio.Event()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        client, gateway = scene.alive.client, scene.sandbox.gateway
        state = client._connection  # pyright: ignore[reportPrivateUsage]
        finish = state._delay_shard_ready  # pyright: ignore[reportPrivateUsage]

        async def delay_shard_ready(shard_id: int) -> None:
            await known.wait()
            await finish(shard_id)

        monkeypatch.setattr(client, "before_identify_hook", AsyncMock())
        monkeypatch.setattr(state, "_delay_shard_ready", delay_shard_ready)
        scene.sandbox.faults.events(Drop(), on="GUILD_DELETE")
        scene.sandbox.moderation.begin_outage(guild_of(scene))
        await gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: gateway.identifies == 2, MAX_WAIT)
        await eventually(lambda: bool(client.connections.connected))
        await scene.quiet()
        clock.pass_by(25 * SECOND)
        assert not scene.alive.app.connected.shards.numbers
        known.set()
        await saved(scene, unavailable=True)
        await check_outage(scene, clock)


async def beat(scene: Scene) -> None:
    """Make the bot save a heartbeat now, and wait until the clock runs."""
    scene.alive.client.connections.changed.set()
    await eventually(lambda: bool(scene.alive.app.connected.shards.numbers))


@pytest.mark.parametrize("noticed_by", ["a move", "a heartbeat"])
async def test_no_time_runs_while_the_database_refuses_moves(tmp_path: Path, noticed_by: str) -> None:
    """A move or a heartbeat that cannot be saved stops the clock until the next heartbeat is saved."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        hand = await scene.turn(scene.north)
        await set_read_only(scene.alive.database, True)
        if noticed_by == "a move":
            assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
        else:
            scene.alive.client.connections.changed.set()
        await eventually(lambda: not scene.alive.app.connected.shards.numbers)
        clock.pass_by(25 * SECOND)
        await set_read_only(scene.alive.database, False)
        await beat(scene)
        await ends_in(scene, clock, 40 * SECOND)


async def test_no_time_runs_while_people_are_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stops if the bot is too busy to serve players, but not if one player sends too many requests."""
    monkeypatch.setattr(admission, "MOST_AT_ONCE", 3)
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        await scene.later(clock, 20 * SECOND)
        connected = scene.alive.app.connected
        async with hanging(scene, monkeypatch):
            asked = [await scene.west.slash("gin games", scene.channel) for _ in range(2)]
            assert await scene.ask(scene.west, "games") == ONE_AT_A_TIME
            assert connected.shards.numbers
            asked.append(await scene.east.slash("gin games", scene.channel))
            assert await scene.ask(scene.north, "pass") == VERY_BUSY
            assert not connected.shards.numbers
            clock.pass_by(25 * SECOND)
        for one in asked:
            await one.done()
        await beat(scene)
        await ends_in(scene, clock, 40 * SECOND)


@pytest.mark.parametrize(("fault", "stands_still"), [(Reset(), True), (Refuse(50001), False)])
async def test_no_time_runs_while_discord_takes_no_answers(
    tmp_path: Path, fault: RequestFault, *, stands_still: bool
) -> None:
    """A broken connection stops the clocks of players who ask for their hand. A refusal by Discord does not."""
    clock = Clock()
    async with timed(tmp_path, clock, world=stopped_world()) as scene:
        await scene.quiet()
        scene.sandbox.faults.requests(fault, on="POST /interactions/*/callback", times=20)
        connected = scene.alive.app.connected
        with capture_logs() as lines:
            await scene.north.slash("gin hand", scene.channel)
            await eventually(lambda: "an interaction could not be answered" in [line["event"] for line in lines])
            assert bool(connected.shards.numbers) is not stands_still
        clock.pass_by(20 * SECOND)
        await beat(scene)
        assert (await time_of(scene)).left == (60 if stands_still else 40) * SECOND


async def test_no_time_runs_over_a_restart(tmp_path: Path) -> None:
    """A restart after an orderly shutdown costs players no time."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                await start_match(alive, clock="1m flag")
                await Scene(alive).later(clock, 20 * SECOND)
            clock.pass_by(25 * SECOND)
            async with bot_on(sandbox, url, clock=clock) as alive:
                await eventually(lambda: bool(alive.app.connected.shards.numbers))
                await ends_in(Scene(alive), clock, 40 * SECOND)


async def test_nobody_loses_whose_channel_was_deleted(tmp_path: Path) -> None:
    """If the channel is deleted, players can still play by direct message, and no one loses on time."""
    clock = Clock()
    async with timed(tmp_path, clock) as scene:
        scene.sandbox.moderation.delete_channel(scene.channel)
        for _ in range(8):
            await scene.later(clock, 2 * MINUTE)
        assert await running(scene)
