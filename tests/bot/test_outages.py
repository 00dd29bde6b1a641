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

from bot.model.clocks import TimeLeft
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.play.refusals import Frozen
from bot.sandbox import MEMBER_DEFAULTS, Drop, Guild, Refuse, RequestFault, Reset, World
from cogs.actions import Action
from cogs.delivery.refusals import ONE_AT_A_TIME, VERY_BUSY
from cogs.kit import admission
from tests.bot.hosts import DID_NOT_COUNT
from tests.bot.test_trouble import set_read_only
from tests.cogs.kit.test_admission import block_match_lists
from tests.cogs.scenes import Scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import file_of, new_database, without_fsync
from tests.helpers.living import bot_on, sandbox_of, start_match
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import interaction
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.helpers.worlds import stopped_world

pytestmark = pytest.mark.thorough

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
MATCH: Final = MatchId(1)


@asynccontextmanager
async def timed_match(
    directory: Path, clock: Clock, limit: str = "1m flag", *, world: World | None = None
) -> AsyncGenerator[Scene]:
    """Yield the scene of a timed match of North, who acts first, against South."""
    async with open_scene(directory, IMMEDIATE_KNOCK, clock=clock, world=world) as scene:
        await start_match(scene.bot, clock=limit)
        await scene.wait_until_idle()
        yield scene


def server_of(scene: Scene) -> Guild:
    """Return the Discord server in which the scene's match is played."""
    guild = scene.channel.guild
    assert guild is not None
    return guild


async def time_left_of(scene: Scene) -> TimeLeft:
    """Return the remaining time of the player whose turn it is."""
    table = await scene.bot.app.lookup.table(MATCH)
    assert table.view.turn is not None
    return table.times_left[table.view.turn]


async def is_running(scene: Scene) -> bool:
    """Return True if the match is still running."""
    return (await scene.bot.app.lookup.info(MATCH)).status is MatchStatus.RUNNING


async def wait_until_saved(scene: Scene, *, unavailable: bool) -> None:
    """Wait until the database says that the server is unavailable, or available."""
    onlooker = DatabaseInspector(f"sqlite:///{file_of(scene.bot.database)}")
    query = "SELECT 1 FROM guild WHERE unavailable_since IS NOT NULL"
    await eventually(lambda: bool(onlooker.rows(query)) is unavailable)
    await scene.wait_until_idle()


async def check_time_left(scene: Scene, clock: Clock, expected: timedelta) -> None:
    """Check that the clock is running, that this time is left, and that the match ends when the time is up."""
    time = await time_left_of(scene)
    assert (time.left, time.ends_at) == (expected, clock.now + expected)
    await scene.advance_until_idle(clock, expected - SECOND)
    assert await is_running(scene)
    await scene.advance_until_idle(clock, 10 * SECOND)
    assert not await is_running(scene)


async def test_time_stops_until_the_server_is_available(tmp_path: Path) -> None:
    """`GUILD_DELETE` with `unavailable` stops the clock and `GUILD_CREATE` resumes it. No message is sent or edited."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        before = [(message.id, message.text) for message in scene.sandbox.all_messages()]
        scene.sandbox.moderation.begin_outage(server_of(scene))
        await wait_until_saved(scene, unavailable=True)
        for _ in range(3):
            await scene.advance_until_idle(clock, 110 * SECOND)
            time = await time_left_of(scene)
            assert (time.left, time.ends_at) == (40 * SECOND, None)
        scene.sandbox.moderation.end_outage(server_of(scene))
        await wait_until_saved(scene, unavailable=False)
        await scene.advance_until_idle(clock, timedelta())
        assert [(message.id, message.text) for message in scene.sandbox.all_messages()] == before
        await check_time_left(scene, clock, 40 * SECOND)


async def test_direct_messages_reach_the_match_in_an_outage(tmp_path: Path) -> None:
    """During an outage, a move by direct message counts, and the clock stays stopped."""
    clock = Clock()
    async with timed_match(tmp_path, clock, "1d") as scene:
        await scene.advance_until_idle(clock, MINUTE)
        scene.sandbox.moderation.begin_outage(server_of(scene))
        await wait_until_saved(scene, unavailable=True)
        await scene.advance_until_idle(clock, timedelta(days=3))
        await scene.use(scene.north, "gin pass", scene.north.dm)
        await scene.advance_until_idle(clock, timedelta(days=3))
        assert (await scene.bot.app.lookup.table(MATCH)).view.turn == 1
        time = await time_left_of(scene)
        assert (time.left, time.is_cut_off) == (timedelta(days=1), True)


@pytest.mark.parametrize("learned_by", nightly_after(2, ["restart", "resume", "identify"]))
async def test_new_sessions_learn_of_an_outage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learned_by: str
) -> None:
    """A new session detects an outage if no `GUILD_CREATE` follows READY. A resumed session gets `GUILD_DELETE`."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await start_match(alive, clock="1m flag")
                await scene.advance_until_idle(clock, 20 * SECOND)
                if learned_by != "restart":
                    monkeypatch.setattr(alive.client, "before_identify_hook", AsyncMock())
                    if learned_by == "identify":
                        sandbox.faults.events(Drop(), on="GUILD_DELETE")
                        sandbox.moderation.begin_outage(server_of(scene))
                        await sandbox.gateway.invalidate(resumable=False)
                        await sandbox.until(lambda: sandbox.gateway.identifies == 2, MAX_WAIT)
                    else:
                        await sandbox.gateway.close(4000)
                        sandbox.moderation.begin_outage(server_of(scene))
                        await sandbox.until(lambda: sandbox.gateway.resumes == 1, MAX_WAIT)
                    await wait_until_saved(scene, unavailable=True)
                    await check_outage(scene, clock)
                    return
            sandbox.moderation.begin_outage(server_of(scene))
            clock.pass_by(MINUTE)
            async with bot_on(sandbox, url, clock=clock) as alive:
                await wait_until_saved(Scene(alive), unavailable=True)
                await check_outage(Scene(alive), clock)


async def check_outage(scene: Scene, clock: Clock) -> None:
    """Check that the clock is stopped, and resumes when the server is available."""
    await eventually(lambda: bool(scene.bot.app.connected.shards.numbers))
    await scene.advance_until_idle(clock, 5 * MINUTE)
    assert (await time_left_of(scene)).left == 40 * SECOND
    scene.sandbox.moderation.end_outage(server_of(scene))
    await wait_until_saved(scene, unavailable=False)
    await check_time_left(scene, clock, 40 * SECOND)


async def test_an_outage_may_end_while_the_bot_is_away(tmp_path: Path) -> None:
    """If an outage ends while the bot is not running, the clock resumes when the next process starts."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await start_match(alive, clock="1m flag")
                await scene.advance_until_idle(clock, 20 * SECOND)
                sandbox.moderation.begin_outage(server_of(scene))
                await wait_until_saved(scene, unavailable=True)
            clock.pass_by(MINUTE)
            sandbox.moderation.end_outage(server_of(scene))
            clock.pass_by(5 * MINUTE)
            async with bot_on(sandbox, url, clock=clock) as alive:
                scene = Scene(alive)
                await wait_until_saved(scene, unavailable=False)
                await eventually(lambda: bool(scene.bot.app.connected.shards.numbers))
                await scene.wait_until_idle()
                await check_time_left(scene, clock, 40 * SECOND)


async def test_a_server_may_remove_the_bot_in_an_outage(tmp_path: Path) -> None:
    """If the bot is removed during an outage, the match is frozen until the bot is added again."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        guild, moderation = server_of(scene), scene.sandbox.moderation
        moderation.begin_outage(guild)
        await wait_until_saved(scene, unavailable=True)
        await scene.advance_until_idle(clock, MINUTE)
        moderation.remove_bot(guild)
        await scene.advance_until_idle(clock, MINUTE)
        with pytest.raises(Frozen):
            await scene.bot.app.endings.resign(PersonId(scene.north.id), MATCH, interaction())
        moderation.add_bot(guild, MEMBER_DEFAULTS)
        await wait_until_saved(scene, unavailable=False)
        await check_time_left(scene, clock, 40 * SECOND)


async def test_the_last_outage_event_decides(tmp_path: Path) -> None:
    """After a rapid series of outage events, the last event decides."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        for _ in range(5):
            scene.sandbox.moderation.begin_outage(server_of(scene))
            scene.sandbox.moderation.end_outage(server_of(scene))
        await wait_until_saved(scene, unavailable=False)
        await check_time_left(scene, clock, MINUTE)


async def test_the_clock_is_stopped_while_sessions_are_invalid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stays stopped while Discord invalidates one new session after another before it is ready."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        client, gateway = scene.bot.client, scene.sandbox.gateway
        monkeypatch.setattr(client, "before_identify_hook", AsyncMock())
        scene.sandbox.faults.events(Drop(), on="READY", times=3)
        for number in range(2, 5):
            await gateway.invalidate(resumable=False)
            await scene.sandbox.until(lambda number=number: gateway.identifies == number, MAX_WAIT)
            assert not client.connections.ready
            clock.pass_by(20 * SECOND)
        await gateway.invalidate(resumable=False)
        await eventually(lambda: bool(scene.bot.app.connected.shards.numbers))
        await scene.wait_until_idle()
        await check_time_left(scene, clock, 40 * SECOND)


async def test_the_clock_is_stopped_before_all_servers_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After READY, the clock stays stopped until discord.py has waited for every `GUILD_CREATE`."""
    clock, servers_known = Clock(), asyncio.Event()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        client, gateway = scene.bot.client, scene.sandbox.gateway
        state = client._connection  # pyright: ignore[reportPrivateUsage]
        finish = state._delay_shard_ready  # pyright: ignore[reportPrivateUsage]

        async def delay_shard_ready(shard_id: int) -> None:
            await servers_known.wait()
            await finish(shard_id)

        monkeypatch.setattr(client, "before_identify_hook", AsyncMock())
        monkeypatch.setattr(state, "_delay_shard_ready", delay_shard_ready)
        scene.sandbox.faults.events(Drop(), on="GUILD_DELETE")
        scene.sandbox.moderation.begin_outage(server_of(scene))
        await gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: gateway.identifies == 2, MAX_WAIT)
        await eventually(lambda: bool(client.connections.connected))
        await scene.wait_until_idle()
        clock.pass_by(25 * SECOND)
        assert not scene.bot.app.connected.shards.numbers
        servers_known.set()
        await wait_until_saved(scene, unavailable=True)
        await check_outage(scene, clock)


async def save_heartbeat(scene: Scene) -> None:
    """Make the bot save a heartbeat now, and wait until the match's clock runs again."""
    scene.bot.client.connections.changed.set()
    await eventually(lambda: bool(scene.bot.app.connected.shards.numbers))


@pytest.mark.parametrize("noticed_by", ["a move", "a heartbeat"])
async def test_the_clock_is_stopped_while_moves_cannot_be_saved(tmp_path: Path, noticed_by: str) -> None:
    """A move or a heartbeat that cannot be saved stops the clock until the next heartbeat is saved."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        hand = await scene.wait_for_turn(scene.north)
        await set_read_only(scene.bot.database, True)
        if noticed_by == "a move":
            assert DID_NOT_COUNT in (await scene.press(scene.north, hand, Action.PASS)).text
        else:
            scene.bot.client.connections.changed.set()
        await eventually(lambda: not scene.bot.app.connected.shards.numbers)
        clock.pass_by(25 * SECOND)
        await set_read_only(scene.bot.database, False)
        await save_heartbeat(scene)
        await check_time_left(scene, clock, 40 * SECOND)


async def test_the_clock_is_stopped_while_players_are_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock stops if the bot is too busy to serve players, but not if one player sends too many requests."""
    monkeypatch.setattr(admission, "MAX_ANSWERS", 3)
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        await scene.advance_until_idle(clock, 20 * SECOND)
        connected = scene.bot.app.connected
        async with block_match_lists(scene, monkeypatch):
            pending = [await scene.west.slash("gin games", scene.channel) for _ in range(2)]
            assert await scene.ask(scene.west, "games") == ONE_AT_A_TIME
            assert connected.shards.numbers
            pending.append(await scene.east.slash("gin games", scene.channel))
            assert await scene.ask(scene.north, "pass") == VERY_BUSY
            assert not connected.shards.numbers
            clock.pass_by(25 * SECOND)
        for press in pending:
            await press.done()
        await save_heartbeat(scene)
        await check_time_left(scene, clock, 40 * SECOND)


@pytest.mark.parametrize(("fault", "stands_still"), [(Reset(), True), (Refuse(50001), False)])
async def test_the_clock_is_stopped_while_answers_cannot_be_sent(
    tmp_path: Path, fault: RequestFault, *, stands_still: bool
) -> None:
    """The clock stops if an answer is lost in a broken connection, but not if Discord refuses the answer."""
    clock = Clock()
    async with timed_match(tmp_path, clock, world=stopped_world()) as scene:
        await scene.wait_until_idle()
        scene.sandbox.faults.requests(fault, on="POST /interactions/*/callback", times=20)
        connected = scene.bot.app.connected
        with capture_logs() as lines:
            await scene.north.slash("gin hand", scene.channel)
            await eventually(lambda: "an interaction could not be answered" in [line["event"] for line in lines])
            assert bool(connected.shards.numbers) is not stands_still
        clock.pass_by(20 * SECOND)
        await save_heartbeat(scene)
        assert (await time_left_of(scene)).left == (60 if stands_still else 40) * SECOND


async def test_a_restart_costs_no_time(tmp_path: Path) -> None:
    """A restart after an orderly shutdown costs players no time."""
    clock = Clock()
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, clock=clock) as alive:
                await start_match(alive, clock="1m flag")
                await Scene(alive).advance_until_idle(clock, 20 * SECOND)
            clock.pass_by(25 * SECOND)
            async with bot_on(sandbox, url, clock=clock) as alive:
                await eventually(lambda: bool(alive.app.connected.shards.numbers))
                await check_time_left(Scene(alive), clock, 40 * SECOND)


async def test_no_one_loses_on_time_in_a_deleted_channel(tmp_path: Path) -> None:
    """If the channel is deleted, players can still play by direct message, and no one loses on time."""
    clock = Clock()
    async with timed_match(tmp_path, clock) as scene:
        scene.sandbox.moderation.delete_channel(scene.channel)
        for _ in range(8):
            await scene.advance_until_idle(clock, 2 * MINUTE)
        assert await is_running(scene)
