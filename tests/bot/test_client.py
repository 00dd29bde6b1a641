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

from bot import client as client_module
from bot.client import Client
from bot.exit_codes import LOST, UNUSABLE
from bot.heartbeat import NO_HEARTBEAT, Heartbeat
from bot.play.application import Application
from bot.play.records import filling
from bot.play.refusals import Unavailable
from bot.running import keep_watch, run_client
from bot.sandbox import Delay
from bot.store import erasures, tables
from bot.store.opening import open_database
from bot.store.sqlite import copy_before_update
from bot.values.clocks import Standstill
from bot.values.ids import GuildId
from bot.values.shards import Shards
from cogs.kit.actions import Action
from cogs.support.places import INVITE_PERMISSIONS
from tests.cogs.scenes import Scene, at_table, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch, file_of, new_database, opened
from tests.helpers.living import bot_on, living, sandbox_of
from tests.helpers.onlooker import Onlooker
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.waiting import MAX_WAIT, beating, eventually

MOST_ENTRIES, MOST_CHARACTERS = 25, 8000
"""Discord's limits: entries at a level, and characters of one command."""
ROOM = 0.6
"""Maximum fraction of the limits that may be used, to leave room for later commands."""


def _nested(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a command or option and all options below it."""
    yield entry
    for option in entry.get("options") or ():
        yield from _nested(option)


def _characters(command: dict[str, Any]) -> int:
    """Return the number of characters that Discord counts: names, descriptions, and values of choices."""
    entries = list(_nested(command))
    choices = [choice for entry in entries for choice in entry.get("choices") or ()]
    words = [entry[key] for entry in entries for key in ("name", "description")]
    return sum(map(len, words)) + sum(len(choice["name"]) + len(str(choice["value"])) for choice in choices)


async def test_commands_are_described_and_leave_room(tmp_path: Path) -> None:
    """There are four commands. All options have descriptions, and no command comes close to Discord's limits."""
    async with clubhouse(tmp_path) as scene:
        tree = scene.alive.client.tree
        commands: list[dict[str, Any]] = [command.to_dict(tree) for command in tree.get_commands()]
        assert [command["name"] for command in commands] == ["gin-deal", "gin-stats", "gin-admin", "gin"]
        for command in commands:
            assert _characters(command) < ROOM * MOST_CHARACTERS
            for entry in _nested(command):
                assert 10 < len(entry["description"]) <= 100
                assert len(entry.get("options") or ()) <= MOST_ENTRIES
        assert {option["name"] for option in commands[-1]["options"]} >= {
            *("challenge", "accept", "decline", "withdraw", "hand", "table", "draw", "take", "pass", "discard"),
            *("knock", "gin", "score", "resign", "rematch", "games", "leaderboard", "rules", "help", "me", "practice"),
        }
        assert scene.alive.client.intents == discord.Intents(guilds=True)


@pytest.mark.thorough
async def test_commands_are_told_to_discord_only_when_they_changed(tmp_path: Path) -> None:
    """Commands are registered at the first start, and again only if they differ from the stored ones."""
    url, route = f"sqlite:///{tmp_path / 'deadwood.db'}", "PUT /applications/{application_id}/commands"
    async with sandbox_of() as sandbox:
        for start, registrations in enumerate((1, 1, 2), 1):
            async with bot_on(sandbox, url) as alive:
                assert sandbox.journal.routes[route] == registrations
                if start == 2:
                    await alive.app.key_values.set(f"commands of {alive.client.application_id}", "others")


async def test_what_was_still_to_be_erased_is_erased_at_the_next_start(tmp_path: Path) -> None:
    """An erasure request left by a process that died is carried out by the housekeeping."""
    path = tmp_path / "deadwood.db"
    url = new_database(path)
    async with sandbox_of() as sandbox:
        database = await open_database(url)
        async with database.write() as transaction:
            await erasures.ask(transaction)
        await database.close()
        copy_before_update(path, "9999")
        async with bot_on(sandbox, url) as alive:
            asked = select(tables.key_value).where(tables.key_value.c.key == "erasure")
            async with asyncio.timeout(MAX_WAIT):
                while await fetch(alive.database, asked):  # noqa: ASYNC110 - the housekeeping sends no signal
                    await asyncio.sleep(0.01)
        assert not [name for name in os.listdir(tmp_path) if ".before-" in name]


async def test_the_gateway_goes_and_comes(tmp_path: Path) -> None:
    """After a reconnect request, a close or a resumable invalidation, the bot resumes and answers commands."""
    async with clubhouse(tmp_path) as scene:
        gateway, client = scene.sandbox.gateway, scene.alive.client
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
            assert "You have no running matches" in await scene.ask(scene.north, "games")
            assert not client.connections.missing
        assert gateway.identifies == 1


@pytest.mark.thorough
async def test_a_lost_session_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After op 9 with a session that cannot be resumed, the client identifies again, and the match continues."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        # discord.py waits five seconds here, to support bots with many shards.
        monkeypatch.setattr(scene.alive.client, "before_identify_hook", AsyncMock())
        await scene.sandbox.gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: scene.sandbox.gateway.identifies == 2, MAX_WAIT)
        await scene.sandbox.idle()
        assert "You took 2♦." in await scene.ask(scene.north, "take")


async def test_the_watch_gives_up_without_a_gateway(tmp_path: Path) -> None:
    """The watch keeps the heartbeat fresh while the gateway is connected, and ends once it was away for too long."""
    heart = Heartbeat(tmp_path / "deadwood.db")
    async with clubhouse(tmp_path) as scene:
        watch = asyncio.create_task(keep_watch(scene.alive.client, heart, patience=0.2))
        await beating(heart)
        assert not watch.done()
        scene.sandbox.gateway.refuse_connections(1000)
        await scene.sandbox.gateway.close(4000)
        await asyncio.wait_for(watch, MAX_WAIT)


@pytest.mark.thorough
async def test_a_process_without_a_gateway_exits_to_be_started_again(tmp_path: Path) -> None:
    """The exit code is 1 without a gateway and 2 for a revoked token. The heartbeat is removed."""
    async with sandbox_of() as sandbox:
        for trouble, code in ((4000, LOST), (4004, UNUSABLE)):
            async with opened(tmp_path / f"{code}.db") as database:
                heart = Heartbeat(tmp_path / "deadwood.db")
                client = Client(Application(database), emojis=False, guild_ready_timeout=0.01)
                running = asyncio.create_task(run_client(client, sandbox.token, heart, asyncio.Event(), patience=0.3))
                await beating(heart)
                sandbox.gateway.refuse_connections(1000 if trouble == 4000 else 0)
                await sandbox.gateway.close(trouble)
                assert await asyncio.wait_for(running, MAX_WAIT) == code
                assert heart.trouble() == NO_HEARTBEAT
                sandbox.gateway.refuse_connections(0)


async def test_a_background_task_that_fails_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a background task fails, the process exits with code 1 instead of running on without it."""
    async with clubhouse(tmp_path) as scene:
        app = scene.alive.app

        async def broken() -> None:
            raise RuntimeError("a fault of ours")

        client = type(scene.alive.client)(app, emojis=False, guild_ready_timeout=0.01)
        monkeypatch.setattr(app.challenges, "expire", broken)
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await run_client(client, scene.sandbox.token, heart, asyncio.Event()) == LOST


CHORES = ("challenges.expire", "guilds.purge", "leaderboards.tidy", "erasure.run", "outages.forget_old")


@pytest.mark.parametrize("refused", nightly_after(1, ["moments.repair", *CHORES]))
async def test_a_chore_that_the_database_refuses_keeps_no_other_from_being_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """If one housekeeping chore fails, the others are still repeated."""
    monkeypatch.setattr(client_module, "HOUSEKEEPING_INTERVAL", 0.01)
    done = Counter[str]()

    def watched(name: str, chore: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        async def do() -> None:
            done[name] += 1
            if name == refused:
                raise Unavailable
            await chore()

        return do

    async with opened(tmp_path / "deadwood.db") as database:
        app = Application(database)
        for name in ("moments.repair", *CHORES):
            service, method = name.split(".")
            one = getattr(app, service)
            monkeypatch.setattr(one, method, watched(name, getattr(one, method)))
        async with sandbox_of() as sandbox:
            client = Client(app, emojis=False, guild_ready_timeout=0.01)
            running = asyncio.create_task(client.start(sandbox.token))
            await eventually(lambda: all(done[name] > 1 for name in ("moments.repair", *CHORES)))
            assert not client.background_failure.done()
            await client.close()
            await asyncio.wait({running}, timeout=MAX_WAIT)


@pytest.mark.thorough
async def test_a_stop_waits_for_no_slow_delivery(tmp_path: Path) -> None:
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
            await scene.post(Action.ACCEPT)
            await scene.quiet()
            commitment, _ = scene.posts
            assert commitment.text.startswith("🔒")


async def test_a_stop_while_the_gateway_still_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop right after the start, before the bot has saved its list of servers, logs no error."""
    async with sandbox_of() as sandbox:
        with capture_logs() as lines:
            async with opened(tmp_path / "deadwood.db") as database:
                app, told, closed = Application(database), asyncio.Event(), asyncio.Event()
                ended, save = asyncio.Event(), app.guilds.joined_only

                async def joined_only(guilds: set[GuildId], shards: Shards) -> None:
                    told.set()
                    try:
                        await closed.wait()
                        await save(guilds, shards)
                    finally:
                        ended.set()

                monkeypatch.setattr(app.guilds, "joined_only", joined_only)
                client = Client(app, emojis=False, guild_ready_timeout=0.01)
                stop = asyncio.Event()
                running = asyncio.create_task(
                    run_client(client, sandbox.token, Heartbeat(tmp_path / "deadwood.db"), stop)
                )
                await told.wait()
                stop.set()
                assert await asyncio.wait_for(running, MAX_WAIT) == 0
            closed.set()
            await asyncio.wait_for(ended.wait(), MAX_WAIT)
        assert [line["event"] for line in lines if line["log_level"] == "error"] == []


def test_an_invite_asks_for_no_more_than_is_used() -> None:
    """The invite asks for seven permissions, none of which is a moderation permission."""
    used = ("view_channel", "send_messages", "send_messages_in_threads", "create_public_threads")
    more = ("attach_files", "embed_links", "read_message_history")
    assert discord.Permissions(**dict.fromkeys((*used, *more), True)) == INVITE_PERMISSIONS


async def test_a_process_that_does_not_lead_undoes_what_its_clock_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does not lead removes the future standstill that its own clock caused."""
    monkeypatch.setattr(client_module, "HOUSEKEEPING_INTERVAL", 0.05)
    clock, day = Clock(), timedelta(days=1)
    async with living(tmp_path, clock=clock) as alive:
        alive.app.share.grant({}, 1)
        clock.pass_by(day)
        later = {"kind": Standstill.SHARD, "number": 7, "shards": 9, "from_at": clock.now, "to_at": clock.now}
        await execute(alive.database, insert(tables.standstill).values(later))
        await alive.app.key_values.set("key", "value")
        clock.pass_by(-day)
        onlooker = Onlooker(f"sqlite:///{file_of(alive.database)}")
        await eventually(lambda: not onlooker.rows("SELECT 1 FROM standstill WHERE number = 7"))


@pytest.mark.postgresql
async def test_records_are_filled_by_one_process_at_a_time(url: str) -> None:
    """While another process fills the records, this one waits."""
    other = await open_database(url)
    async with sandbox_of() as sandbox:
        async with other.others.alone("records"), bot_on(sandbox, url) as alive:
            await asyncio.sleep(1)
            assert await alive.app.key_values.get(filling.KEY) is None
        async with bot_on(sandbox, url):
            filled, onlooker = {"key": filling.KEY, "value": filling.DONE}, Onlooker(url)
            query = "SELECT 1 FROM key_value WHERE key = :key AND value = :value"
            await eventually(lambda: bool(onlooker.rows(query, **filled)))
    await other.close()
