"""Locked PostgreSQL tables: the bot waits, reports the problem, and continues play afterwards."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot.connection import housekeeping
from bot.hosting import running
from bot.hosting.heartbeat import Heartbeat
from bot.hosting.running import find_trouble
from bot.model.shards import Shards
from bot.sandbox import Sandbox
from bot.store.address import database_name
from bot.store.postgres import engines
from cogs.actions import Action
from tests.bot.hosts import DID_NOT_COUNT, exit_code_of, send_sigterm, serving
from tests.cogs.scenes import open_match_scene
from tests.helpers.cases import nightly_after
from tests.helpers.databases import new_database, url_of
from tests.helpers.players import Player, challenge_and_accept, next_turn
from tests.helpers.postgres import connected
from tests.helpers.processes import sandbox_for_processes, settings_for, started
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.helpers.worlds import hall, pair

pytestmark = [pytest.mark.nightly, pytest.mark.postgresql]

LOCK_TIMEOUT: Final = "200ms"
"""The bot's lock timeout in these tests."""
IMPATIENT_PROGRAM: Final = """
import sys
from bot.__main__ import main
from bot.connection import housekeeping
from bot.hosting import running
from bot.store.postgres import engines
engines.SESSION_SETTINGS["lock_timeout"] = "2s"
housekeeping.HEARTBEAT_INTERVAL = running.INTERVAL = 0.5
sys.exit(main(["run"]))
"""
"""The bot's program with frequent health reports and a shorter lock timeout.

The timeout is still longer than two processes ever wait for each other's transactions, even on a busy machine.
"""

Lock = Callable[[str], AbstractAsyncContextManager[None]]


def lock_tables(*tables: str, mode: str = "ACCESS EXCLUSIVE") -> Lock:
    """Return a function that locks these tables of the database at a URL, for the length of a `with` block."""

    @asynccontextmanager
    async def lock(url: str) -> AsyncGenerator[None]:
        async with connected(url) as host, host.transaction():
            await host.execute(f"LOCK TABLE {', '.join(tables)} IN {mode} MODE")
            yield

    return lock


@asynccontextmanager
async def vacuum_waiting(url: str) -> AsyncGenerator[None]:
    """Start VACUUM FULL on the match table while it is being read, as by a dump. Later access to the table waits."""
    async with connected(url) as reader, connected(url) as host:
        async with reader.transaction():
            await reader.execute("SELECT 1 FROM match LIMIT 1")
            vacuum = asyncio.create_task(host.execute("VACUUM FULL match"))
            waiting = "SELECT 1 FROM pg_locks WHERE relation = 'match'::regclass AND NOT granted"
            while not await reader.fetchval(waiting):  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.05)
            yield
        await vacuum


@asynccontextmanager
async def processes(sandbox: Sandbox, directory: Path, url: str) -> AsyncGenerator[list[Process]]:
    """Run two bot processes on a database, one per shard, with a short lock timeout."""
    sandbox.gateway.starts.max_concurrency = 2
    async with AsyncExitStack() as stack:
        bots = list[Process]()
        for shard in range(2):
            settings = {"DEADWOOD_DATABASE_URL": url, "DEADWOOD_SHARDS": f"{shard}/2"}
            log = stack.enter_context((directory / f"{shard}.log").open("wb"))
            command = [sys.executable, "-c", IMPATIENT_PROGRAM]
            bots.append(
                await stack.enter_async_context(started(directory, command, settings_for(sandbox) | settings, log))
            )
        yield bots


def read_logs(directory: Path) -> str:
    """Return the log output of all processes in a directory."""
    return "".join(log.read_text() for log in directory.glob("*.log"))


@pytest.mark.parametrize("lock", [lock_tables("match"), vacuum_waiting], ids=["locked", "vacuumed"])
async def test_processes_wait_out_a_locked_table(tmp_path: Path, lock: Lock) -> None:
    """While a table is locked, moves are refused and the health check fails. Afterwards the same buttons work again."""
    url = new_database(tmp_path / "deadwood.db")
    hearts = [Heartbeat(database_name(url), Shards(frozenset((shard,)), 2)) for shard in range(2)]
    async with sandbox_for_processes(hall(1, running=True)) as sandbox, processes(sandbox, tmp_path, url) as bots:
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        players = [Player(sandbox, name, sandbox.channel("table-1"), "locked") for name in pair(1)]
        await challenge_and_accept(sandbox, *players)
        mover, button = await next_turn(sandbox, players)
        async with lock(url):
            private = mover.person.direct_messages
            for _ in range(2):
                # If the bot has deferred its response to the click, the error arrives as a separate message.
                await (await mover.click(button)).done()
                await sandbox.until(lambda: any(DID_NOT_COUNT in message.text for message in private()), MAX_WAIT)
                await eventually(lambda: all("database" in str(heart.trouble()) for heart in hearts))
        accepted = await (await mover.click(button)).done()
        assert DID_NOT_COUNT not in accepted.text
        await next_turn(sandbox, players)
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        assert [process.returncode for process in bots] == [None, None]
        for process in bots:
            process.terminate()
        assert [await process.wait() for process in bots] == [0, 0]
    assert "Traceback" not in read_logs(tmp_path)


@pytest.mark.parametrize("table", nightly_after(2, ["match", "shard", "key_value"]))
async def test_a_start_waits_for_a_locked_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: StringIO, table: str
) -> None:
    """A starting bot waits out a locked table, connects, and is healthy once the lock is gone."""
    monkeypatch.setitem(engines.SESSION_SETTINGS, "lock_timeout", LOCK_TIMEOUT)
    monkeypatch.setattr(running, "INTERVAL", 0.1)
    url = new_database(tmp_path / "deadwood.db")
    heart = Heartbeat(database_name(url))
    async with sandbox_for_processes() as sandbox, AsyncExitStack() as stack:
        async with lock_tables(table)(url):
            bot = await stack.enter_async_context(serving(sandbox, url, wait_for_connection=False))
            await eventually(lambda: bot.done() or "database unavailable" in log.getvalue())
        await eventually(lambda: bot.done() or heart.trouble() is None)
        send_sigterm()
        assert await exit_code_of(bot) == 0


LOCKS: Final = {
    "match": lock_tables("match"),
    "vacuum": vacuum_waiting,
    "lease": lock_tables("lease"),
    "match for writers": lock_tables("match", mode="SHARE"),
    "outbox": lock_tables("outbox_message"),
    "seat": lock_tables("seat"),
    "shard": lock_tables("shard"),
}


@pytest.mark.parametrize("lock", nightly_after(2, LOCKS.values()), ids=LOCKS.keys())
async def test_background_tasks_wait_out_a_locked_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: Lock
) -> None:
    """A locked table ends no background task. The problem is reported while the lock lasts, and logged only once."""
    monkeypatch.setitem(engines.SESSION_SETTINGS, "lock_timeout", LOCK_TIMEOUT)
    monkeypatch.setattr(housekeeping, "HEARTBEAT_INTERVAL", 0.2)
    async with open_match_scene(tmp_path) as scene:
        alive, client = scene.bot, scene.bot.client
        hand = await scene.wait_for_turn(scene.north)
        await scene.wait_until_idle()
        with capture_logs() as lines:
            async with lock(url_of(alive.database)):
                pressed = await scene.press(scene.north, hand, Action.PASS)
                await eventually(lambda: alive.database.health.trouble is not None)
                assert "database" in str(await find_trouble(client))
                # Wait until the players' clocks are stopped.
                await eventually(lambda: not alive.app.connected.shards.numbers)
                # The locked table is still reported after transactions on other tables have succeeded.
                for _ in range(3):
                    await scene.ask(scene.east, "help")
                    assert "database" in str(await find_trouble(client))
            await eventually(lambda: bool(alive.app.connected.shards.numbers))
            assert await find_trouble(client) is None
        assert not client.background_failure.done()
        assert not [line for line in lines if line["event"].startswith(("something broke", "an interaction failed"))]
        logged_events = [(line["event"], line["use"]) for line in lines if line["event"].startswith("the database")]
        assert len(logged_events) == len({*logged_events})
        if DID_NOT_COUNT in pressed.text:
            await scene.press(scene.north, hand, Action.PASS)
        await scene.wait_for_turn(scene.south)
