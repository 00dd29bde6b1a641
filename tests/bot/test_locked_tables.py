"""Tables of PostgreSQL that somebody keeps locked: the bot waits, says so, and plays on afterwards."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot import client as client_module
from bot.heartbeat import Heartbeat
from bot.running import find_trouble
from bot.sandbox import Sandbox
from bot.store.address import place_of
from bot.store.postgres import engines
from bot.values.shards import Shards
from tests.cogs.scenes import at_table
from tests.helpers.databases import new_database, url_of
from tests.helpers.living import sandbox_of
from tests.helpers.players import Player, next_turn, sit_down
from tests.helpers.postgres import connected
from tests.helpers.processes import settings_for, started
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]

PATIENCE: Final = "200ms"
"""How long the bot waits for a lock here."""
HELD_FOR: Final = 5.0
"""Seconds for which a lock is held: many times as long."""

IMPATIENT: Final = f"""
import sys
from bot import client, running
from bot.__main__ import main
from bot.store.postgres import PostgresDatabase, engines
engines.SESSION["lock_timeout"] = "{PATIENCE}"
client.HEARTBEAT_INTERVAL = running.INTERVAL = 0.5
sys.exit(main(["run"]))
"""
"""The bot's program, which waits for locks only briefly and reports its health often."""

Lock = Callable[[str], AbstractAsyncContextManager[None]]


def locked(*tables: str, mode: str = "ACCESS EXCLUSIVE") -> Lock:
    """Return what keeps tables locked during a block."""

    @asynccontextmanager
    async def lock(url: str) -> AsyncGenerator[None]:
        async with connected(url) as host, host.transaction():
            await host.execute(f"LOCK TABLE {', '.join(tables)} IN {mode} MODE")
            yield

    return lock


@asynccontextmanager
async def vacuumed(url: str) -> AsyncGenerator[None]:
    """Let the matches be read during a block, as by a dump, and a VACUUM FULL wait for that: all others wait for it."""
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
    """Run two processes of the bot on a database, each for a shard, which wait for locks only briefly."""
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
    """Return what the processes in a directory have logged."""
    return "".join(log.read_text() for log in directory.glob("*.log"))


@pytest.mark.parametrize("lock", [locked("match"), vacuumed], ids=["locked", "vacuumed"])
async def test_processes_wait_out_a_locked_table(tmp_path: Path, lock: Lock) -> None:
    """Moves do not count meanwhile and people are told; health knows; then the same button works in each process."""
    url = new_database(tmp_path / "deadwood.db")
    hearts = [Heartbeat(place_of(url), Shards(frozenset((shard,)), 2)) for shard in range(2)]
    async with sandbox_of(hall(1, running=True)) as sandbox, processes(sandbox, tmp_path, url) as running:
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        players = [Player(sandbox, name, sandbox.channel("table-1"), "locked") for name in pair(1)]
        await sit_down(sandbox, *players)
        mover, deed = await next_turn(sandbox, players)
        async with lock(url):
            until = asyncio.get_running_loop().time() + HELD_FOR
            while asyncio.get_running_loop().time() < until:
                refused = await (await mover.click(deed)).done()
                assert "did not count" in refused.text
            await eventually(lambda: all("database" in str(heart.trouble()) for heart in hearts), 40)
        counted = await (await mover.click(deed)).done()
        assert "did not count" not in counted.text
        await next_turn(sandbox, players)
        await eventually(lambda: all(heart.trouble() is None for heart in hearts))
        assert [process.returncode for process in running] == [None, None]
        for process in running:
            process.terminate()
        assert [await process.wait() for process in running] == [0, 0]
    assert "Traceback" not in logged(tmp_path)


@pytest.mark.parametrize("table", ["match", "key_value", "shard"])
async def test_a_start_waits_for_a_locked_table(tmp_path: Path, table: str) -> None:
    """The process goes on, and connects once the lock is gone."""
    url = new_database(tmp_path / "deadwood.db")
    async with sandbox_of() as sandbox, AsyncExitStack() as stack:
        async with locked(table)(url):
            settings = settings_for(sandbox) | {"DEADWOOD_DATABASE_URL": url}
            process = await stack.enter_async_context(started(tmp_path, [sys.executable, "-c", IMPATIENT], settings))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(process.wait(), HELD_FOR)
        await sandbox.ready(60)
        process.terminate()
        assert await process.wait() == 0


LOCKS: Final = {
    "match": locked("match"),
    "match for writers": locked("match", mode="SHARE"),
    "outbox": locked("outbox_message"),
    "seat": locked("seat"),
    "lease": locked("lease"),
    "shard": locked("shard"),
    "vacuum": vacuumed,
}


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS.keys())
async def test_background_tasks_wait_out_a_locked_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: Lock
) -> None:
    """None ends; health says so until the lock is gone; the log says once that there is trouble, and once its end."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", PATIENCE)
    monkeypatch.setattr(client_module, "HEARTBEAT_INTERVAL", 0.2)
    async with at_table(tmp_path) as scene:
        alive, client = scene.alive, scene.alive.client
        hand = await scene.turn(scene.north)
        await scene.quiet()
        with capture_logs() as lines:
            async with lock(url_of(alive.database)):
                pressed = await scene.press(scene.north, hand, "Pass")
                await eventually(lambda: alive.database.health.trouble is not None)
                assert "database" in str(await find_trouble(client))
                # Time stands still.
                await eventually(lambda: not alive.app.connected.shards.numbers)
                # Transactions that need other tables work, which does not end the trouble.
                for _ in range(3):
                    await scene.ask(scene.east, "help")
                    assert "database" in str(await find_trouble(client))
            await eventually(lambda: bool(alive.app.connected.shards.numbers))
            assert await find_trouble(client) is None
        assert not client.background_failure.done()
        assert not {line["event"] for line in lines} & {"something broke", "an interaction failed"}
        told = [(line["event"], line["use"]) for line in lines if line["event"].startswith("the database")]
        assert len(told) == len({*told})
        if "did not count" in pressed.text:
            await scene.press(scene.north, hand, "Pass")
        await scene.turn(scene.south)
