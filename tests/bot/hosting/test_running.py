"""The running bot: failed starts, shutdown within its time limit, and restarts of the sandbox."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.__main__ import main
from bot.connection import client
from bot.connection.shutdown import SHUTDOWN_LIMIT, LastResort, run_shutdown_step
from bot.exit_codes import RETRY, UNUSABLE
from bot.hosting import running
from bot.hosting.heartbeat import CHECKING, NO_HEARTBEAT, Heartbeat
from bot.hosting.running import serve
from bot.hosting.settings import Settings
from bot.hosting.starts import FREE_STARTS, count_start
from bot.play.application import Application
from bot.play.sharing.leases import LeaseLostError
from bot.sandbox import Channel, Delay, Message, Person, Sandbox
from bot.store import sqlite
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError
from cogs.actions import Action
from cogs.delivery import saving
from cogs.kit import answers
from tests.bot.hosts import exit_code_of, send_sigterm, serving
from tests.helpers.cases import nightly_after
from tests.helpers.components import has_button
from tests.helpers.databases import file_of, new_database, open_new_database
from tests.helpers.host_faults import full_disk, locked, small_disk
from tests.helpers.living import bot_on, running_bot, sandbox_of, start_match
from tests.helpers.processes import BOT, ROOT, sandbox_for_processes, settings_for, started
from tests.helpers.waiting import MAX_WAIT, eventually


@asynccontextmanager
async def unresponsive_discord(sandbox: Sandbox) -> AsyncGenerator[None]:
    """Leave the bot's requests to Discord unanswered until the end of the block, and let North use two commands."""
    north, channel = sandbox.person("North"), sandbox.channel("games")
    await sandbox.until(lambda: north.commands(channel), MAX_WAIT)
    hanging = sandbox.faults.requests(Delay(600), on="POST *", times=100)
    for command in ("gin challenge", "gin help"):
        await north.slash(command, channel)
    await sandbox.until(lambda: hanging.hits == 2, MAX_WAIT)
    yield
    sandbox.world.clock.advance(600)
    sandbox.unanswered.clear()


@pytest.mark.nightly
async def test_shutdown_does_not_wait_for_discord(tmp_path: Path, log: StringIO) -> None:
    """A stop does not wait for Discord. It logs the abandoned answers and exits with code 0."""
    async with (
        sandbox_for_processes() as sandbox,
        serving(sandbox, tmp_path / "deadwood.db") as bot,
        unresponsive_discord(sandbox),
    ):
        send_sigterm()
        assert await exit_code_of(bot) == 0
        assert "abandoned at shutdown" in log.getvalue()


@pytest.mark.nightly
async def test_shutdown_ends_the_process_in_time(tmp_path: Path) -> None:
    """A stop ends the whole process in time, even if answers hang."""
    async with sandbox_for_processes() as sandbox, started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as process:
        await sandbox.ready(MAX_WAIT)
        async with unresponsive_discord(sandbox):
            process.send_signal(signal.SIGTERM)
            said, log = await asyncio.wait_for(process.communicate(), MAX_WAIT)
        assert process.returncode == 0
        assert b"abandoned at shutdown" in said + log


async def test_a_failing_shutdown_step_is_abandoned(log: StringIO) -> None:
    """If a step of the shutdown hangs or fails, that is logged, and the shutdown continues."""

    async def fail() -> None:
        raise RuntimeError

    async with asyncio.timeout(MAX_WAIT):
        await run_shutdown_step(0.01, "hanging", asyncio.Event().wait())
        await run_shutdown_step(MAX_WAIT, "failing", fail())
    said = log.getvalue()
    assert 'event="abandoned at shutdown" what=hanging' in said
    assert 'event="failed at shutdown" what=failing' in said


CALLBACK = "POST /interactions/{interaction_id}/{token}/callback"


def test_shutdown_timeouts_are_within_the_limit() -> None:
    """All shutdown timeouts together are within the limit, because Docker kills a container after ten seconds."""
    client_timeouts = (
        client.SHUTDOWN_TIMEOUT,
        client.CANCEL_TIMEOUT,
        client.BACKGROUND_TIMEOUT,
        client.LEASES_TIMEOUT,
        client.GATEWAY_TIMEOUT,
        client.PICTURES_TIMEOUT,
    )
    other_timeouts = (running.DATABASE_TIMEOUT, running.TASKS_TIMEOUT, running.WORKERS_TIMEOUT)
    assert sum(client_timeouts) + sum(other_timeouts) <= SHUTDOWN_LIMIT


@pytest.mark.nightly
async def test_a_stop_while_the_database_is_locked(
    tmp_path: Path, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that wait for a locked database at a stop get no answer. The log has their number, but no error."""
    # The deferrals show that the commands are waiting.
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.1)
    database = tmp_path / "deadwood.db"
    async with sandbox_for_processes() as sandbox, serving(sandbox, database) as bot:
        people, channel = [sandbox.person(name) for name in ("North", "South", "East")], sandbox.channel("games")
        await sandbox.until(lambda: people[0].commands(channel), MAX_WAIT)
        # The bot must have finished starting: if one of its own writes waits for the lock, the commands fail with it.
        await (await people[0].slash("gin play", channel)).answer()
        await sandbox.until(lambda: "event=ready" in log.getvalue(), MAX_WAIT)
        answered = sandbox.journal.routes[CALLBACK]
        with locked(database):
            for person in people:
                await person.slash("gin challenge", channel)
            await sandbox.until(lambda: sandbox.journal.routes[CALLBACK] == answered + 3, MAX_WAIT)
            send_sigterm()
            assert await exit_code_of(bot) == 0
        said = log.getvalue()
        assert re.findall(r"what=answers count=\d", said) == ["what=answers count=3"]
        assert not re.search("interaction failed|could not be answered|failed at shutdown", said)
        sandbox.unanswered.clear()


async def test_a_stop_while_the_database_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is stopped while opening the database exits with code 0 without contacting Discord."""
    check = sqlite.check

    def stop_and_check(path: Path) -> None:
        send_sigterm()
        check(path)

    monkeypatch.setattr(sqlite, "check", stop_and_check)
    async with sandbox_of() as sandbox, serving(sandbox, tmp_path / "deadwood.db", wait_for_connection=False) as bot:
        assert await exit_code_of(bot) == 0
        assert not sandbox.journal.routes


@pytest.mark.both_databases
async def test_a_stop_while_another_process_backfills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that waits for another process's backfill can be stopped immediately, and keeps no lock."""
    monkeypatch.setattr(running, "START_STEP_TIMEOUT", 0.1)
    stop = asyncio.Event()
    async with open_new_database(tmp_path / "deadwood.db") as database:
        app, began = Application(database), asyncio.Event()

        async def wait_for_it() -> None:
            began.set()
            await running.run_backfills(app, stop)

        async with app.exclusive.locked("filling"):
            starting = asyncio.create_task(running.retry_while_unavailable(stop, wait_for_it))
            await began.wait()
            assert not starting.done()
            stop.set()
            async with asyncio.timeout(MAX_WAIT):
                assert await starting is None
        async with asyncio.timeout(MAX_WAIT), app.exclusive.locked("filling"):
            pass


@pytest.mark.nightly
async def test_a_start_waits_for_a_full_disk(tmp_path: Path, log: StringIO) -> None:
    """If the disk has room to open the database but not to change it, the bot waits before it contacts Discord."""
    with small_disk(tmp_path / "disk") as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        database, filler = tmp_path / "disk" / "deadwood.db", tmp_path / "disk" / "filler"
        new_database(database)
        async with sandbox_for_processes() as sandbox, AsyncExitStack() as stack:
            with full_disk(database):
                # Free nine pages. SQLite's log index needs eight of them, which leaves too few for the first change.
                os.truncate(filler, filler.stat().st_size - 9 * 4096)
                bot = await stack.enter_async_context(serving(sandbox, database, wait_for_connection=False))
                await eventually(lambda: bot.done() or "waiting for the database before starting" in log.getvalue())
                assert not sandbox.journal.routes
            await sandbox.ready(MAX_WAIT)
            send_sigterm()
            assert await exit_code_of(bot) == 0
    assert "the disk is full" in log.getvalue()


@pytest.mark.usefixtures("clean_environment")
async def test_a_start_that_checks_its_database_is_healthy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a starting bot checks its database, `health` succeeds and reports the check.

    After the check, `health` fails until the first heartbeat.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sqlite, "PROGRESS_INTERVAL", 0.05)
    released, check, heart = threading.Event(), sqlite.check, Heartbeat(Path("deadwood.db"))

    def check_for_long(path: Path) -> None:
        released.wait(MAX_WAIT)
        check(path)

    monkeypatch.setattr(sqlite, "check", check_for_long)

    async def opens() -> None:
        async with running.open_application("sqlite:///deadwood.db", asyncio.Event(), heart) as app:
            assert app is not None
            assert heart.trouble() == NO_HEARTBEAT

    opening = asyncio.create_task(opens())
    await eventually(lambda: heart.trouble() == CHECKING)
    heart.stop()
    await eventually(lambda: heart.trouble() == CHECKING)
    assert main(["health"]) == 0
    assert "checking" in capsys.readouterr().out
    released.set()
    await opening
    assert main(["health"]) == 1


@pytest.mark.thorough
async def test_a_refused_start_keeps_the_heartbeat(tmp_path: Path) -> None:
    """A refused start does not remove the heartbeat of the running bot."""
    path, stop = tmp_path / "deadwood.db", asyncio.Event()
    heart = Heartbeat(path)
    async with running.open_application(f"sqlite:///{path}", stop, heart):
        heart.beat()
        with pytest.raises(DatabaseError, match="another bot"):
            async with running.open_application(f"sqlite:///{path}", stop, Heartbeat(path)):
                pass
        assert heart.trouble() is None


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_a_start_waits_for_a_locked_database(
    tmp_path: Path, log: StringIO, monkeypatch: pytest.MonkeyPatch, *, is_stopped: bool
) -> None:
    """A start waits until the database is unlocked or the process is stopped. The wait is logged once."""
    impatient = [pragma for pragma in sqlite.PRAGMAS if "busy_timeout" not in pragma]
    monkeypatch.setattr(sqlite, "PRAGMAS", (*impatient, "PRAGMA busy_timeout=0"))
    monkeypatch.setattr(saving, "MIN_PAUSE", 0.05)
    path, stop = tmp_path / "deadwood.db", asyncio.Event()
    new_database(path)

    async def opens() -> bool:
        async with running.open_application(f"sqlite:///{path}", stop) as app:
            return app is not None

    with locked(path):
        opening = asyncio.create_task(opens())
        await eventually(lambda: "waiting for the database before starting" in log.getvalue())
        if is_stopped:
            stop.set()
            assert not await opening
    assert await opening is not is_stopped
    assert log.getvalue().count("another program has locked it") == 1


async def test_a_bot_that_started_often_waits_before_the_gateway(tmp_path: Path, log: StringIO) -> None:
    """The tenth start within an hour waits before contacting Discord and logs that. It can be stopped immediately."""
    path = tmp_path / "deadwood.db"
    async with sandbox_of() as sandbox:
        async with open_new_database(path) as database:
            app = Application(database)
            for _ in range(FREE_STARTS):
                await count_start(app.key_values, sandbox.token, None, app.clock())
        async with serving(sandbox, path, wait_for_connection=False) as bot:
            await eventually(lambda: bot.done() or "waiting before connecting" in log.getvalue())
            send_sigterm()
            assert await exit_code_of(bot) == 0
        assert not sandbox.journal.routes


async def test_a_stop_signal_works_while_the_loop_is_stuck() -> None:
    """A stop signal starts the countdown to a forced exit even if the event loop is stuck."""
    last_resort = Mock(LastResort)
    with running.stop_signals(last_resort) as stop:
        send_sigterm()
        last_resort.arm.assert_called_once_with(0)
        assert not stop.is_set()
        await asyncio.wait_for(stop.wait(), MAX_WAIT)


STUCK_SCRIPTS: dict[str, str] = {
    "the loop, amid the stop": "LastResort(0.6).arm(7); time.sleep(600)",
    "the log": "logging.root.addHandler(stuck := logging.StreamHandler()); stuck.acquire(); LastResort(0.6).arm(7); "
    "time.sleep(600)",
    "the loop, before the stop": "asyncio.run(stop_while_stuck(LastResort(0.6)))",
}


@pytest.mark.parametrize("what", nightly_after(2, STUCK_SCRIPTS))
def test_a_stuck_process_exits(what: str) -> None:
    """If the event loop or the log is stuck at a shutdown, the process exits after the limit with its exit code."""
    script = f"""
import asyncio, logging, os, signal, time
from bot.connection.shutdown import LastResort

async def stop_while_stuck(last_resort):
    from bot.hosting.running import stop_signals
    with stop_signals(last_resort):
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            time.sleep(0.01)

{STUCK_SCRIPTS[what]}
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=MAX_WAIT, check=False)
    assert done.returncode == (0 if "before" in what else 7)


@pytest.mark.usefixtures("clean_environment")
async def test_a_refused_token_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A token that Discord refuses gives exit code 2 and a one-line error that does not contain the token."""
    async with sandbox_of() as sandbox:
        settings = Settings(discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)
        assert await serve(settings, "a.wrong.token") == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "Discord refuses the token: check DISCORD_TOKEN"
    assert "a.wrong.token" not in said.out + said.err


@pytest.mark.nightly
@pytest.mark.usefixtures("clean_environment")
async def test_an_unreachable_discord_is_one_log_line(capsys: pytest.CaptureFixture[str]) -> None:
    """An unreachable Discord gives one log line without a traceback, and exit code 1 so that a supervisor retries."""
    async with sandbox_of():
        settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
        assert await serve(settings, "a.wrong.token") == 1
    said = capsys.readouterr()
    assert "Discord cannot be reached" in said.out + said.err
    assert "Traceback" not in said.out + said.err


async def test_a_lost_lease_is_one_log_line(tmp_path: Path, log: StringIO) -> None:
    """A lost shard lease gives one log line without a traceback, and exit code 1 so that a supervisor retries."""
    async with running_bot(tmp_path) as alive:
        alive.client.background_failure.set_exception(LeaseLostError("another process is connected as shard 3"))
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await running.run_client(alive.client, alive.sandbox.token, heart, asyncio.Event()) == RETRY
    assert 'restarts the bot" reason="another process is connected as shard 3"' in log.getvalue()
    assert "Traceback" not in log.getvalue()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConflictError("another was first"), RETRY),
        (DatabaseUnavailableError("away for a moment"), RETRY),
        (DatabaseError("several processes need PostgreSQL"), UNUSABLE),
    ],
    ids=["conflict", "unavailable", "other"],
)
async def test_exit_codes_of_background_failures(tmp_path: Path, error: DatabaseError, code: int) -> None:
    """A background failure exits with code 1 if it is temporary, and with code 2 only if a restart cannot help."""
    async with running_bot(tmp_path) as alive:
        alive.client.background_failure.set_exception(error)
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await running.run_client(alive.client, alive.sandbox.token, heart, asyncio.Event()) == code


@pytest.mark.nightly
def test_unused_modules_are_not_imported(tmp_path: Path) -> None:
    """With a token, the sandbox is not imported. With SQLite, the PostgreSQL code and driver are not imported.

    SQLAlchemy's own PostgreSQL modules are not checked, because Alembic always imports them.
    """
    script = """
import asyncio, sys
from bot.hosting.running import serve
from bot.hosting.settings import Settings
settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
assert asyncio.run(serve(settings, "a.wrong.token")) == 1
unused = ("bot.sandbox", "bot.store.postgres", "asyncpg")
assert not [name for name in sys.modules if name.startswith(unused)]
"""
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True
    )


@pytest.mark.thorough
async def test_a_match_continues_in_a_new_sandbox(tmp_path: Path) -> None:
    """In a new sandbox, the bot registers its commands again and posts the table and both hands of a running match."""
    async with running_bot(tmp_path) as alive:
        url = f"sqlite:///{file_of(alive.database)}"
        await start_match(alive, target=10)
    async with sandbox_of() as second, bot_on(second, url) as second_bot:
        await second_bot.app.key_values.clear()
        await second_bot.app.outbox.forget_posts()
        second_bot.app.outbox.notify()
        north, south = second_bot.person("North"), second_bot.person("South")
        tables = partial(_tables, north, second_bot.channel)
        await second.until(tables, MAX_WAIT)
        await second.until(lambda: north.direct_messages() and south.direct_messages())
        await second_bot.idle()
        assert len(tables()) == 1
        assert [len(person.direct_messages()) for person in (north, south)] == [1, 1]
    async with sandbox_of() as third, bot_on(third, url) as third_bot:
        commands = await third.until(lambda: third_bot.person("South").commands(third_bot.channel))
        assert [row["name"] for row in commands] == ["gin", "gin-deal", "gin-stats"]


def _tables(person: Person, channel: Channel) -> list[Message]:
    """Return the table messages that a person sees in a channel."""
    return [message for message in person.sees(channel) if has_button(message, Action.SHOW_SCORE)]
