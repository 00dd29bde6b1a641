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

from bot import client as client_module
from bot import running
from bot.heartbeat import Heartbeat
from bot.running import find_trouble
from bot.sandbox import Sandbox
from bot.store.address import place_of
from bot.store.postgres import engines
from bot.values.shards import Shards
from cogs.kit.actions import Action
from tests.bot.hosts import DID_NOT_COUNT, code_of, serving, tell_to_stop
from tests.cogs.scenes import at_table
from tests.helpers.cases import nightly_after
from tests.helpers.databases import new_database, url_of
from tests.helpers.players import Player, next_turn, sit_down
from tests.helpers.postgres import connected
from tests.helpers.processes import sandbox_for_processes, settings_for, started
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.helpers.worlds import hall, pair

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

PATIENCE: Final = "200ms"
"""The bot's lock timeout in these tests."""
IMPATIENT: Final = """
import sys
from bot import client, running
from bot.__main__ import main
from bot.store.postgres import PostgresDatabase, engines
engines.SESSION["lock_timeout"] = "2s"
client.HEARTBEAT_INTERVAL = running.INTERVAL = 0.5
sys.exit(main(["run"]))
"""
"""The bot's program with frequent health reports and a shorter lock timeout.

The timeout is still longer than the locks that two processes hold in turn on a busy machine.
"""

Lock = Callable[[str], AbstractAsyncContextManager[None]]


def locked(*tables: str, mode: str = "ACCESS EXCLUSIVE") -> Lock:
    """Return a context manager that locks tables."""

    @asynccontextmanager
    async def lock(url: str) -> AsyncGenerator[None]:
        async with connected(url) as host, host.transaction():
            await host.execute(f"LOCK TABLE {', '.join(tables)} IN {mode} MODE")
            yield

    return lock


@asynccontextmanager
async def vacuumed(url: str) -> AsyncGenerator[None]:
    """Block VACUUM FULL on the match table by an open reader, as a dump does, so that all other access waits."""
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
        found = list[Process]()
        for shard in range(2):
            settings = {"DEADWOOD_DATABASE_URL": url, "DEADWOOD_SHARDS": f"{shard}/2"}
            log = stack.enter_context((directory / f"{shard}.log").open("wb"))
            command = [sys.executable, "-c", IMPATIENT]
            found.append(
                await stack.enter_async_context(started(directory, command, settings_for(sandbox) | settings, log))
            )
        yield found


def logged(directory: Path) -> str:
    """Return the log output of all processes in a directory."""
    return "".join(log.read_text() for log in directory.glob("*.log"))


@pytest.mark.nightly
@pytest.mark.parametrize("lock", [locked("match"), vacuumed], ids=["locked", "vacuumed"])
async def test_processes_wait_out_a_locked_table(tmp_path: Path, lock: Lock) -> None:
    """While a table is locked, moves are refused and health reports it. Afterwards the same buttons work again."""
    url = new_database(tmp_path / "deadwood.db")
    hearts = [Heartbeat(place_of(url), Shards(frozenset((shard,)), 2)) for shard in range(2)]
    async with sandbox_for_processes(hall(1, running=True)) as sandbox, processes(sandbox, tmp_path, url) as bots:
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        players = [Player(sandbox, name, sandbox.channel("table-1"), "locked") for name in pair(1)]
        await sit_down(sandbox, *players)
        mover, deed = await next_turn(sandbox, players)
        async with lock(url):
            private = mover.person.direct_messages
            for _ in range(2):
                # If the bot has deferred the answer, the error is a separate message.
                await (await mover.click(deed)).done()
                await sandbox.until(lambda: any(DID_NOT_COUNT in one.text for one in private()), MAX_WAIT)
                await eventually(lambda: all("database" in str(heart.trouble()) for heart in hearts))
        counted = await (await mover.click(deed)).done()
        assert DID_NOT_COUNT not in counted.text
        await next_turn(sandbox, players)
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        assert [process.returncode for process in bots] == [None, None]
        for process in bots:
            process.terminate()
        assert [await process.wait() for process in bots] == [0, 0]
    assert "Traceback" not in logged(tmp_path)


@pytest.mark.parametrize("table", nightly_after(2, ["match", "shard", "key_value"]))
async def test_a_start_waits_for_a_locked_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: StringIO, table: str
) -> None:
    """A starting bot waits out a locked table, connects, and is healthy once the lock is gone."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)
    monkeypatch.setattr(running, "INTERVAL", 0.1)
    url = new_database(tmp_path / "deadwood.db")
    heart = Heartbeat(place_of(url))
    async with sandbox_for_processes() as sandbox, AsyncExitStack() as stack:
        async with locked(table)(url):
            bot = await stack.enter_async_context(serving(sandbox, url, connects=False))
            await eventually(lambda: bot.done() or "the database has trouble" in log.getvalue())
        await eventually(lambda: bot.done() or heart.trouble() is None)
        tell_to_stop()
        assert await code_of(bot) == 0


LOCKS: Final = {
    "match": locked("match"),
    "vacuum": vacuumed,
    "lease": locked("lease"),
    "match for writers": locked("match", mode="SHARE"),
    "outbox": locked("outbox_message"),
    "seat": locked("seat"),
    "shard": locked("shard"),
}


@pytest.mark.parametrize("lock", nightly_after(2, LOCKS.values()), ids=LOCKS.keys())
async def test_background_tasks_wait_out_a_locked_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: Lock
) -> None:
    """No task ends. Health reports the problem until the lock is gone. Its start and its end are each logged once."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)
    monkeypatch.setattr(client_module, "HEARTBEAT_INTERVAL", 0.2)
    async with at_table(tmp_path) as scene:
        alive, client = scene.alive, scene.alive.client
        hand = await scene.turn(scene.north)
        await scene.quiet()
        with capture_logs() as lines:
            async with lock(url_of(alive.database)):
                pressed = await scene.press(scene.north, hand, Action.PASS)
                await eventually(lambda: alive.database.health.trouble is not None)
                assert "database" in str(await find_trouble(client))
                # The players' clocks are stopped.
                await eventually(lambda: not alive.app.connected.shards.numbers)
                # Transactions on other tables succeed, but do not end the problem.
                for _ in range(3):
                    await scene.ask(scene.east, "help")
                    assert "database" in str(await find_trouble(client))
            await eventually(lambda: bool(alive.app.connected.shards.numbers))
            assert await find_trouble(client) is None
        assert not client.background_failure.done()
        assert not {line["event"] for line in lines} & {"something broke", "an interaction failed"}
        told = [(line["event"], line["use"]) for line in lines if line["event"].startswith("the database")]
        assert len(told) == len({*told})
        if DID_NOT_COUNT in pressed.text:
            await scene.press(scene.north, hand, Action.PASS)
        await scene.turn(scene.south)
