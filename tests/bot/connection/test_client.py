"""The client: its commands and intents, gateway disconnects, background tasks and shutdown."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from sqlalchemy import insert, select
from structlog.testing import capture_logs

from bot.connection import housekeeping
from bot.connection.client import Client
from bot.exit_codes import RETRY, UNUSABLE
from bot.hosting import running
from bot.hosting.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.hosting.running import keep_watch, run_client
from bot.model.clocks import Standstill
from bot.model.ids import GuildId
from bot.model.shards import Shards
from bot.play.application import Application
from bot.play.records import filling
from bot.play.refusals import Unavailable
from bot.sandbox import Delay
from bot.store import erasures, tables
from bot.store.opening import open_database
from bot.store.sqlite import copy_before_update
from cogs.actions import Action
from cogs.delivery.places import INVITE_PERMISSIONS
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import moves_shown
from tests.helpers.databases import execute, fetch, file_of, new_database, open_new_database
from tests.helpers.living import bot_on, running_bot, sandbox_of
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.waiting import MAX_WAIT, eventually, wait_for_heartbeat

MAX_ENTRIES, MAX_CHARACTERS = 25, 8000
"""Discord's limits for one command: the options at each level, and the characters in total."""
MAX_USED_FRACTION = 0.6
"""Maximum fraction of the character limit that a command may use, to leave room for later options."""


def _walk_options(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a command or option and all options below it."""
    yield entry
    for option in entry.get("options") or ():
        yield from _walk_options(option)


def _count_characters(command: dict[str, Any]) -> int:
    """Return the number of characters that Discord counts: names, descriptions, and values of choices."""
    entries = list(_walk_options(command))
    choices = [choice for entry in entries for choice in entry.get("choices") or ()]
    words = [entry[key] for entry in entries for key in ("name", "description")]
    return sum(map(len, words)) + sum(len(choice["name"]) + len(str(choice["value"])) for choice in choices)


async def test_commands_have_descriptions_and_stay_below_limits(tmp_path: Path) -> None:
    """There are four commands. All options have descriptions, and no command comes close to Discord's limits."""
    async with open_scene(tmp_path) as scene:
        tree = scene.bot.client.tree
        commands: list[dict[str, Any]] = [command.to_dict(tree) for command in tree.get_commands()]
        assert [command["name"] for command in commands] == ["gin-stats", "gin-deal", "gin-admin", "gin"]
        for command in commands:
            assert _count_characters(command) < MAX_USED_FRACTION * MAX_CHARACTERS
            for entry in _walk_options(command):
                assert 10 < len(entry["description"]) <= 100
                assert len(entry.get("options") or ()) <= MAX_ENTRIES
        assert {option["name"] for option in commands[-1]["options"]} >= {
            *("play", "challenge", "accept", "decline", "withdraw", "hand", "table", "draw", "take", "pass", "discard"),
            *("knock", "gin", "resign", "rematch", "games", "leaderboard", "rules", "help", "me", "practice"),
        }
        assert scene.bot.client.intents == discord.Intents(guilds=True)


@pytest.mark.nightly
async def test_commands_are_registered_only_when_changed(tmp_path: Path) -> None:
    """Commands are registered at the first start, and again only if they differ from the stored ones."""
    url, route = f"sqlite:///{tmp_path / 'deadwood.db'}", "PUT /applications/{application_id}/commands"
    async with sandbox_of() as sandbox:
        for start, registrations in enumerate((1, 1, 2), 1):
            async with bot_on(sandbox, url) as alive:
                assert sandbox.journal.routes[route] == registrations
                if start == 2:
                    await alive.app.key_values.set(f"commands of {alive.client.application_id}", "others")


async def test_a_pending_erasure_runs_at_the_next_start(tmp_path: Path) -> None:
    """If a process died before it carried out an erasure request, the next start's housekeeping carries it out."""
    path = tmp_path / "deadwood.db"
    url = new_database(path)
    async with sandbox_of() as sandbox:
        database = await open_database(url)
        async with database.write() as transaction:
            await erasures.add_request(transaction)
        await database.close()
        copy_before_update(path, "9999")
        async with bot_on(sandbox, url) as alive:
            asked = select(tables.key_value).where(tables.key_value.c.key == "erasure")
            async with asyncio.timeout(MAX_WAIT):
                while await fetch(alive.database, asked):  # noqa: ASYNC110 - the housekeeping sends no signal
                    await asyncio.sleep(0.01)
        assert not [name for name in os.listdir(tmp_path) if ".before-" in name]


async def test_the_client_resumes_after_disconnects(tmp_path: Path) -> None:
    """After a reconnect request, a closed connection or a resumable invalidation, the bot resumes its session."""
    async with open_scene(tmp_path) as scene:
        gateway, client = scene.sandbox.gateway, scene.bot.client
        assert not client.connections.missing
        for resumes, trouble in (
            (1, gateway.reconnect()),
            (2, gateway.close(4000)),
            (3, gateway.invalidate(resumable=True)),
        ):
            await trouble
            await scene.sandbox.until(
                lambda resumes=resumes: gateway.resumes == resumes and gateway.connected, MAX_WAIT
            )
            assert "You have no matches in progress" in await scene.ask(scene.north, "games")
            assert not client.connections.missing
        assert gateway.identifies == 1


@pytest.mark.thorough
async def test_the_client_identifies_again_after_a_lost_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After op 9 with a session that cannot be resumed, the client identifies again, and the match continues."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        # Skip discord.py's wait of five seconds, which only bots with many shards need.
        monkeypatch.setattr(scene.bot.client, "before_identify_hook", AsyncMock())
        await scene.sandbox.gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: scene.sandbox.gateway.identifies == 2, MAX_WAIT)
        await scene.sandbox.idle()
        assert await scene.refusal_of(scene.north, "take") is None
        await scene.wait_until_idle()
        assert moves_shown(await scene.wait_for_turn(scene.north)) == 1


async def let_patience_end(client: Client) -> None:
    """Wait until the client has lost the gateway, and make it believe that this was `GATEWAY_PATIENCE` seconds ago."""
    connections = client.connections
    await eventually(lambda: connections.seconds_without_gateway > 0)
    connections._not_ready_since -= running.GATEWAY_PATIENCE  # pyright: ignore[reportPrivateUsage]


async def test_the_watch_ends_without_a_gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`keep_watch` keeps the heartbeat fresh while the gateway is connected, and ends after too long without one."""
    monkeypatch.setattr(running, "INTERVAL", 0.05)
    heart = Heartbeat(tmp_path / "deadwood.db")
    async with open_scene(tmp_path) as scene:
        watch = asyncio.create_task(keep_watch(scene.bot.client, heart))
        await wait_for_heartbeat(heart)
        assert not watch.done()
        scene.sandbox.gateway.refuse_connections(1000)
        await scene.sandbox.gateway.close(4000)
        await let_patience_end(scene.bot.client)
        await asyncio.wait_for(watch, MAX_WAIT)


@pytest.mark.nightly
async def test_the_process_exits_without_a_gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process exits with code 1 without a gateway and 2 if the token was revoked. It removes its heartbeat file."""
    monkeypatch.setattr(running, "INTERVAL", 0.05)
    async with sandbox_of() as sandbox:
        for trouble, code in ((4000, RETRY), (4004, UNUSABLE)):
            async with open_new_database(tmp_path / f"{code}.db") as database:
                heart = Heartbeat(tmp_path / "deadwood.db")
                client = Client(Application(database), emojis=False, guild_ready_timeout=0.01)
                process = asyncio.create_task(run_client(client, sandbox.token, heart, asyncio.Event()))
                await wait_for_heartbeat(heart)
                sandbox.gateway.refuse_connections(1000 if trouble == 4000 else 0)
                await sandbox.gateway.close(trouble)
                if trouble == 4000:
                    await let_patience_end(client)
                assert await asyncio.wait_for(process, MAX_WAIT) == code
                assert heart.trouble() == NO_HEARTBEAT
                sandbox.gateway.refuse_connections(0)


async def test_a_background_task_that_fails_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a background task fails, the process exits with code 1 instead of continuing without the task."""

    async def broken() -> None:
        raise RuntimeError("a fault of ours")

    async with open_new_database(tmp_path / "deadwood.db") as database, sandbox_of() as sandbox:
        client = Client(Application(database), emojis=False, guild_ready_timeout=0.01)
        monkeypatch.setattr(client.app.challenges, "expire", broken)
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await run_client(client, sandbox.token, heart, asyncio.Event()) == RETRY


CHORES = (
    *("daily_deals.close_past", "daily_deals.begin_today", "daily_posts.run", "daily_posts.forget_old"),
    *("daily_reminders.request_due", "challenges.expire"),
    *("guilds.purge", "leaderboards.run_upkeep", "erasure.run", "outages.forget_old"),
)


@pytest.mark.parametrize("refused", nightly_after(1, ["time_repair.repair", *CHORES]))
async def test_a_failing_chore_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """If one housekeeping chore fails, it and all other chores are still repeated."""
    monkeypatch.setattr(housekeeping, "HOUSEKEEPING_INTERVAL", 0.01)
    done = Counter[str]()

    def watched(name: str, chore: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        async def do() -> None:
            done[name] += 1
            if name == refused:
                raise Unavailable
            await chore()

        return do

    async with open_new_database(tmp_path / "deadwood.db") as database:
        app = Application(database)
        for name in ("time_repair.repair", *CHORES):
            service, method = name.split(".")
            service_object = getattr(app, service)
            monkeypatch.setattr(service_object, method, watched(name, getattr(service_object, method)))
        async with sandbox_of() as sandbox:
            client = Client(app, emojis=False, guild_ready_timeout=0.01)
            running = asyncio.create_task(client.start(sandbox.token))
            await eventually(lambda: all(done[name] > 1 for name in ("time_repair.repair", *CHORES)))
            assert not client.background_failure.done()
            await client.close()
            await asyncio.wait({running}, timeout=MAX_WAIT)


@pytest.mark.nightly
async def test_shutdown_does_not_wait_for_a_slow_delivery(tmp_path: Path) -> None:
    """If Discord does not answer the courier, the bot still stops in time. The next start delivers the message once."""
    url = f"sqlite:///{tmp_path / 'deadwood.db'}"
    async with sandbox_of() as sandbox:
        async with bot_on(sandbox, url) as alive:
            scene = Scene(alive)
            await sandbox.until(lambda: scene.north.commands(scene.channel))
            slow = sandbox.faults.requests(Delay(60), on="POST /channels/*/messages", times=1)
            await scene.use(scene.north, "gin challenge", scene.channel)
            await sandbox.until(lambda: slow.hits == 1)
            await asyncio.wait_for(alive.client.close(), MAX_WAIT)
        sandbox.world.clock.advance(60)
        async with bot_on(sandbox, url) as alive:
            scene = Scene(alive)
            await scene.wait_for_post(Action.ACCEPT)
            await scene.wait_until_idle()
            invitation, commitment = scene.posts
            assert Action.ACCEPT in buttons(invitation)
            assert buttons(commitment) == [Action.HOW_VERIFIED]


async def test_shutdown_during_the_initial_guild_sync_logs_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop right after the start, before the bot has saved its list of servers, logs no error."""
    async with sandbox_of() as sandbox:
        with capture_logs() as lines:
            async with open_new_database(tmp_path / "deadwood.db") as database:
                app, sync_started, closed = Application(database), asyncio.Event(), asyncio.Event()
                ended, save = asyncio.Event(), app.guilds.save_all_joined

                async def joined_only(guilds: set[GuildId], shards: Shards) -> None:
                    sync_started.set()
                    try:
                        await closed.wait()
                        await save(guilds, shards)
                    finally:
                        ended.set()

                monkeypatch.setattr(app.guilds, "save_all_joined", joined_only)
                client = Client(app, emojis=False, guild_ready_timeout=0.01)
                stop = asyncio.Event()
                running = asyncio.create_task(
                    run_client(client, sandbox.token, Heartbeat(tmp_path / "deadwood.db"), stop)
                )
                await sync_started.wait()
                stop.set()
                assert await asyncio.wait_for(running, MAX_WAIT) == 0
            closed.set()
            await asyncio.wait_for(ended.wait(), MAX_WAIT)
        assert [line["event"] for line in lines if line["log_level"] == "error"] == []


def test_the_invite_asks_only_for_needed_permissions() -> None:
    """The invite asks for seven permissions, none of which is a moderation permission."""
    used = ("view_channel", "send_messages", "send_messages_in_threads", "create_public_threads")
    more = ("attach_files", "embed_links", "read_message_history")
    assert discord.Permissions(**dict.fromkeys((*used, *more), True)) == INVITE_PERMISSIONS


async def test_a_follower_undoes_the_effects_of_its_fast_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is not the leader also repairs future times that it saved while its clock was fast."""
    monkeypatch.setattr(housekeeping, "HOUSEKEEPING_INTERVAL", 0.05)
    clock, day = Clock(), timedelta(days=1)
    async with running_bot(tmp_path, clock=clock) as alive:
        alive.app.share.grant({}, 1)
        clock.pass_by(day)
        later = {"kind": Standstill.SHARD, "number": 7, "shards": 9, "from_at": clock.now, "to_at": clock.now}
        await execute(alive.database, insert(tables.standstill).values(later))
        await alive.app.key_values.set("key", "value")
        clock.pass_by(-day)
        onlooker = DatabaseInspector(f"sqlite:///{file_of(alive.database)}")
        await eventually(lambda: not onlooker.rows("SELECT 1 FROM standstill WHERE number = 7"))


@pytest.mark.postgresql
async def test_records_are_filled_by_one_process_at_a_time(url: str) -> None:
    """While another process holds the lock for backfilling records, a bot backfills nothing. After that, a bot does."""
    other = await open_database(url)
    async with sandbox_of() as sandbox:
        async with other.others.exclusive("records"), bot_on(sandbox, url) as alive:
            await asyncio.sleep(1)
            assert await alive.app.key_values.get(filling.KEY) is None
        async with bot_on(sandbox, url):
            filled, onlooker = {"key": filling.KEY, "value": filling.DONE}, DatabaseInspector(url)
            query = "SELECT 1 FROM key_value WHERE key = :key AND value = :value"
            await eventually(lambda: bool(onlooker.rows(query, **filled)))
    await other.close()
