"""The bot as it runs: starts that fail, stops in time, and the sandbox started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import AsyncExitStack
from io import StringIO
from pathlib import Path

import pytest

from bot import running
from bot.__main__ import main
from bot.exit_codes import LOST, UNUSABLE
from bot.heartbeat import CHECKING, NO_HEARTBEAT, Heartbeat
from bot.play.application import Application
from bot.play.sharing.leases import LeaseLostError
from bot.running import serve
from bot.sandbox import Delay
from bot.settings import Settings
from bot.shutdown import LIMIT
from bot.starts import FREE_STARTS, count_start
from bot.store import sqlite
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError
from cogs.support import saving
from tests.helpers.databases import file_of, new_database, opened
from tests.helpers.host_faults import full, locked, small_disk
from tests.helpers.living import bot_on, living, sandbox_of, start_match
from tests.helpers.processes import BOT, ROOT, settings_for, started
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.slow


async def test_a_stop_ends_in_time_whatever_hangs(tmp_path: Path) -> None:
    """Discord answers nothing any more: the process still ends, says what it abandoned, and the exit code is 0."""
    async with sandbox_of() as sandbox, started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as process:
        await sandbox.ready(20)
        north, channel = sandbox.person("North"), sandbox.channel("games")
        await sandbox.until(lambda: north.commands(channel))
        hanging = sandbox.faults.requests(Delay(600), on="POST *", times=100)
        for command in ("gin challenge", "gin help"):
            await north.slash(command, channel)
        await sandbox.until(lambda: hanging.hits == 2)
        process.send_signal(signal.SIGTERM)
        # Docker waits for so long, and then kills.
        said, log = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 0
        assert b"abandoned at the stop" in said + log
        sandbox.world.clock.advance(600)
        sandbox.unanswered.clear()


async def test_a_stop_while_the_database_is_locked(tmp_path: Path) -> None:
    """Those who wait for it get no answer any more: one line says how many, and none counts as a fault."""
    async with sandbox_of() as sandbox, started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as process:
        await sandbox.ready(20)
        people, channel = [sandbox.person(name) for name in ("North", "South", "East")], sandbox.channel("games")
        await sandbox.until(lambda: people[0].commands(channel))
        with locked(tmp_path / "deadwood.db"):
            for person in people:
                await person.slash("gin challenge", channel)
            await sandbox.until(
                lambda: sandbox.journal.routes["POST /interactions/{interaction_id}/{token}/callback"] == 3
            )
            process.send_signal(signal.SIGTERM)
            _, said = await asyncio.wait_for(process.communicate(), 2 * LIMIT)
        assert process.returncode == 0
        assert re.findall(r"what=answers count=\d", said.decode()) == ["what=answers count=3"]
        assert not re.search("interaction failed|could not be answered|failed at the stop", said.decode())
        sandbox.unanswered.clear()


async def test_a_stop_while_the_database_is_opened(tmp_path: Path) -> None:
    """A process that is told to stop before it is even there ends with exit code 0, and never meets Discord."""
    async with sandbox_of() as sandbox:
        script = "import os, signal, sys; from bot import __main__ as program; from bot.store import sqlite"
        script += (
            "; real = sqlite.check; sqlite.check = lambda path: (os.kill(os.getpid(), signal.SIGTERM), real(path))"
        )
        script += "; sys.exit(program.main(['run']))"
        async with started(tmp_path, [sys.executable, "-c", script], settings_for(sandbox)) as process:
            await process.communicate()
        assert process.returncode == 0
        assert not sandbox.journal.routes


@pytest.mark.both_databases
async def test_a_stop_while_another_process_fills_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take hours: whoever waits for it ends at once, and leaves nothing behind."""
    monkeypatch.setattr(running, "STEP_TIMEOUT", 0.1)
    stop = asyncio.Event()
    async with opened(tmp_path / "deadwood.db") as database:
        app, began = Application(database), asyncio.Event()

        async def wait_for_it() -> None:
            began.set()
            await running.fill(app, stop)

        async with app.exclusive.alone("filling"):
            starting = asyncio.create_task(running.despite_trouble(stop, wait_for_it))
            await began.wait()
            await asyncio.sleep(0.1)
            assert not starting.done()
            stop.set()
            async with asyncio.timeout(2):
                assert await starting is None
        async with asyncio.timeout(2), app.exclusive.alone("filling"):
            pass


async def test_a_disk_without_room_for_the_start_is_waited_for(tmp_path: Path) -> None:
    """There is room to open the database, but not to count the start: nothing is asked of Discord until there is."""
    disk = tmp_path / "disk"
    with small_disk(disk) as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        new_database(disk / "deadwood.db")
        said = tmp_path / "log"
        with said.open("ab") as out:
            async with sandbox_of() as sandbox, AsyncExitStack() as stack:
                with full(disk / "deadwood.db"):
                    filler = disk / "filler"
                    # SQLite needs eight pages for its index of the log, and more than one for the first change.
                    os.truncate(filler, filler.stat().st_size - 9 * 4096)
                    bot = started(disk, [*BOT, "run"], settings_for(sandbox), out)
                    process = await stack.enter_async_context(bot)
                    await eventually(lambda: "the start waits for the database" in said.read_text(), 20)
                    assert not sandbox.journal.routes
                await sandbox.ready(20)
                process.send_signal(signal.SIGTERM)
                assert await process.wait() == 0
        assert "the disk is full" in said.read_text()


@pytest.mark.usefixtures("alone")
async def test_a_start_that_checks_its_database_is_healthy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as that takes, `health` says so and exits with 0: nobody should end it. Then there is no beat yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sqlite, "SAID_EVERY", 0.05)
    released, check, heart = threading.Event(), sqlite.check, Heartbeat(Path("deadwood.db"))

    def check_for_long(path: Path) -> None:
        released.wait(30)
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


async def test_a_start_that_is_refused_takes_no_heartbeat_away(tmp_path: Path) -> None:
    """It is that of the bot which has the database."""
    path, stop = tmp_path / "deadwood.db", asyncio.Event()
    heart = Heartbeat(path)
    async with running.open_application(f"sqlite:///{path}", stop, heart):
        heart.beat()
        with pytest.raises(DatabaseError, match="another bot"):
            async with running.open_application(f"sqlite:///{path}", stop, Heartbeat(path)):
                pass
        assert heart.trouble() is None


@pytest.mark.parametrize("stops", [False, True])
async def test_a_start_waits_for_a_locked_database(
    tmp_path: Path, log: StringIO, monkeypatch: pytest.MonkeyPatch, *, stops: bool
) -> None:
    """It is opened once that is possible, unless the process is told to stop before; the log says so once."""
    impatient = [one for one in sqlite.PRAGMAS if "busy_timeout" not in one]
    monkeypatch.setattr(sqlite, "PRAGMAS", (*impatient, "PRAGMA busy_timeout=0"))
    monkeypatch.setattr(saving, "FIRST_PAUSE", 0.05)
    path, stop = tmp_path / "deadwood.db", asyncio.Event()
    new_database(path)

    async def opens() -> bool:
        async with running.open_application(f"sqlite:///{path}", stop) as app:
            return app is not None

    with locked(path):
        opening = asyncio.create_task(opens())
        await eventually(lambda: "the start waits for the database" in log.getvalue())
        if stops:
            stop.set()
            assert not await opening
    assert await opening is not stops
    assert log.getvalue().count("another program has locked it") == 1


async def test_a_bot_that_started_often_waits_before_the_gateway(tmp_path: Path, log: StringIO) -> None:
    """The tenth start within an hour asks nothing of Discord for now, says so, and still stops at once."""
    path = tmp_path / "deadwood.db"
    async with sandbox_of() as sandbox:
        async with opened(path) as database:
            app = Application(database)
            for _ in range(FREE_STARTS):
                await count_start(app.key_values, sandbox.token, None, app.clock())
        settings = Settings(
            database_url=f"sqlite:///{path}",
            discord_api=sandbox.api,
            discord_gateway=sandbox.gateway_url,
        )
        serving = asyncio.create_task(serve(settings, sandbox.token))
        await eventually(lambda: "waiting before the gateway" in log.getvalue())
        await asyncio.sleep(0.3)
        assert not sandbox.journal.routes
        os.kill(os.getpid(), signal.SIGTERM)
        assert await asyncio.wait_for(serving, 5) == 0


STUCK: dict[str, str] = {
    "the loop, amid the stop": "LastResort(0.6).arm(7); time.sleep(600)",
    "the loop, before the stop": "asyncio.run(stop_while_stuck(LastResort(0.6)))",
    "the log": "logging.root.addHandler(stuck := logging.StreamHandler()); stuck.acquire(); LastResort(0.6).arm(7); "
    "time.sleep(600)",
}


@pytest.mark.parametrize("what", STUCK)
def test_a_process_that_is_stuck_is_ended(what: str) -> None:
    """If not even the event loop goes on, the process ends by itself after the limit, with its exit code."""
    script = f"""
import asyncio, logging, os, signal, time
from bot.shutdown import LastResort

async def stop_while_stuck(last_resort):
    from bot.running import stop_signals
    with stop_signals(last_resort):
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            time.sleep(0.01)

{STUCK[what]}
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == (0 if "before" in what else 7)


@pytest.mark.usefixtures("alone")
async def test_a_token_that_discord_refuses_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and words for the host; the token is not in them."""
    async with sandbox_of() as sandbox:
        settings = Settings(discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)
        assert await serve(settings, "a.wrong.token") == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "Discord refuses the token: check DISCORD_TOKEN"
    assert "a.wrong.token" not in said.out + said.err


@pytest.mark.usefixtures("alone")
async def test_a_discord_that_cannot_be_reached_is_one_line_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, so that a supervisor tries again; no traceback."""
    async with sandbox_of():
        settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
        assert await serve(settings, "a.wrong.token") == 1
    said = capsys.readouterr()
    assert "Discord cannot be reached" in said.out + said.err
    assert "Traceback" not in said.out + said.err


async def test_a_shard_that_another_process_took_is_one_line_of_the_log(tmp_path: Path, log: StringIO) -> None:
    """Exit code 1, so that a supervisor starts it again, and no traceback: nothing is broken."""
    async with living(tmp_path) as alive:
        alive.client.background_failure.set_exception(LeaseLostError("another process is connected as shard 3"))
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await running.run_client(alive.client, alive.sandbox.token, heart, asyncio.Event()) == LOST
    assert 'giving up, to be started again" reason="another process is connected as shard 3"' in log.getvalue()
    assert "Traceback" not in log.getvalue()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConflictError("another was first"), LOST),
        (DatabaseUnavailableError("away for a moment"), LOST),
        (DatabaseError("several processes need PostgreSQL"), UNUSABLE),
    ],
    ids=lambda one: type(one).__name__,
)
async def test_trouble_that_passes_never_keeps_a_supervisor_from_starting_the_bot_again(
    tmp_path: Path, error: DatabaseError, code: int
) -> None:
    """Even if a background task did not wait for its end: only what a restart cannot help has exit code 2."""
    async with living(tmp_path) as alive:
        alive.client.background_failure.set_exception(error)
        heart = Heartbeat(tmp_path / "deadwood.db")
        assert await running.run_client(alive.client, alive.sandbox.token, heart, asyncio.Event()) == code


def test_a_bot_loads_only_what_it_uses(tmp_path: Path) -> None:
    """With a token it runs without the sandbox; with SQLite, without its own parts for PostgreSQL and the driver.

    Alembic imports SQLAlchemy's dialects of all databases.
    """
    script = """
import asyncio, sys
from bot.running import serve
from bot.settings import Settings
settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
assert asyncio.run(serve(settings, "a.wrong.token")) == 1
unused = ("bot.sandbox", "bot.store.postgres", "asyncpg")
assert not [name for name in sys.modules if name.startswith(unused)]
"""
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True
    )


async def test_a_match_goes_on_in_a_sandbox_that_forgot_everything(tmp_path: Path) -> None:
    """After a restart the sandbox knows the commands again, and has the table and both hands of a running match."""
    async with living(tmp_path) as alive:
        url = f"sqlite:///{file_of(alive.database)}"
        await start_match(alive, target=10)
    async with sandbox_of() as anew, bot_on(anew, url) as again:
        await again.app.key_values.clear()
        await again.app.outbox.forget_posts()
        again.app.outbox.notify()
        north, south = again.person("North"), again.person("South")
        await anew.until(lambda: any("vs" in message.text for message in north.sees(again.channel)))
        await anew.until(lambda: north.direct_messages() and south.direct_messages())
        await again.idle()
        assert sum("vs" in message.text for message in north.sees(again.channel)) == 1
        assert [len(person.direct_messages()) for person in (north, south)] == [1, 1]
    async with sandbox_of() as third, bot_on(third, url) as known:
        commands = await third.until(lambda: known.person("South").commands(known.channel))
        assert [row["name"] for row in commands] == ["gin", "gin-deal", "gin-stats"]
