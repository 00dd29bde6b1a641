"""`python -m bot`: each command as a host runs it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from sqlite3 import connect

import aiohttp
import pytest

from bot.__main__ import main
from bot.heartbeat import Heartbeat
from bot.running import serve
from bot.sandbox import Delay
from bot.settings import Settings
from bot.shutdown import LIMIT
from bot.store.database import Database
from bot.values.ids import ChannelId
from tests.cogs.scenes import Scene, hands
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full, locked, small_disk
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.processes import ROOT, settings_for
from tests.helpers.waiting import beating

pytestmark = pytest.mark.slow


@asynccontextmanager
async def _process(directory: Path, *arguments: str, **settings: str) -> AsyncGenerator[Process]:
    """`python -m bot` in a directory with nothing set but this."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV") if name in os.environ}
    environment = kept | {"PYTHONPATH": str(ROOT)} | settings
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, cwd=directory, env=environment, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.fixture
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unchanged_logging: None) -> None:  # pyright: ignore[reportUnusedFunction]
    """An empty working directory, and nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("DISCORD_", "DEADWOOD_"))]:
        monkeypatch.delenv(name)


async def test_without_a_token_the_sandbox_runs_until_it_is_stopped(tmp_path: Path) -> None:
    """One line says so, another gives the address, where a page answers; SIGTERM ends it with exit code 0."""
    async with _process(tmp_path) as process:
        assert process.stdout is not None
        first, second = [(await asyncio.wait_for(process.stdout.readline(), 20)).decode() for _ in range(2)]
        assert "No DISCORD_TOKEN is set, so this is the sandbox" in first
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", second)
        async with aiohttp.ClientSession() as session, session.get(address) as page:
            assert page.status == 200
            assert "<html" in await page.text()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 10) == 0
        assert (tmp_path / "sandbox.db").exists()
        assert not (tmp_path / "deadwood.db").exists()


@pytest.mark.usefixtures("_alone")
async def test_a_host_runs_checks_backs_up_and_stops_the_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Healthy while it runs, copied amid a match, alone on its database; after SIGTERM nothing is lost."""
    async with sandbox_of() as sandbox, _process(tmp_path, "run", **settings_for(sandbox)) as process:
        await sandbox.ready(20)
        url = f"sqlite:///{tmp_path / 'deadwood.db'}"
        scene = Scene(Living(sandbox, None, None, url))  # pyright: ignore[reportArgumentType]
        await sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), "Accept")
        mover = await sandbox.until(
            lambda: [one for one in (scene.north, scene.south) if hands(one) and "Your turn" in hands(one)[-1].text]
        )
        await beating(Heartbeat(tmp_path / "deadwood.db"))
        for arguments in (["health"], ["backup", "copy.db"]):
            assert await asyncio.to_thread(main, arguments) == 0
        assert capsys.readouterr().err == ""
        async with _process(tmp_path, "run", **settings_for(sandbox)) as second:
            said = b"another bot is running on deadwood.db; stop it first, or use another file\n"
            assert await second.communicate() == (b"", said)
            assert second.returncode == 2
        with connect(tmp_path / "copy.db") as copy:
            assert copy.execute("SELECT count(*) FROM match").fetchone() == (1,)
        copy.close()
        passed = await scene.press(mover[0], hands(mover[0])[-1], "Pass")
        assert "Waiting for" in passed.text
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 10) == 0
        assert not (tmp_path / "deadwood.db.heartbeat").exists()
        async with bot_on(sandbox, url) as alive:
            await Scene(alive).quiet()
            assert scene.table.text.count("passed") == 1
            card = await alive.app.lookup.running_in(ChannelId(scene.channel.id))
            assert card is not None


async def test_a_stop_ends_in_time_whatever_hangs(tmp_path: Path) -> None:
    """Discord answers nothing any more: the process still ends, says what it abandoned, and the exit code is 0."""
    async with sandbox_of() as sandbox, _process(tmp_path, "run", **settings_for(sandbox)) as process:
        await sandbox.ready(20)
        north, channel = sandbox.person("North"), sandbox.channel("games")
        await sandbox.until(lambda: north.commands(channel))
        hanging = sandbox.faults.requests(Delay(600), on="POST *", times=100)
        for command in ("gin challenge", "gin help"):
            await north.slash(command, channel)
        await sandbox.until(lambda: hanging.hits == 2)
        process.send_signal(signal.SIGTERM)
        said, log = await asyncio.wait_for(process.communicate(), 2 * LIMIT)
        assert process.returncode == 0
        assert b"abandoned at the stop" in said + log
        sandbox.world.clock.advance(600)
        sandbox.unanswered.clear()


async def test_a_stop_while_the_database_is_locked(tmp_path: Path) -> None:
    """Those who wait for it get no answer any more: one line says how many, and none counts as a fault."""
    async with sandbox_of() as sandbox, _process(tmp_path, "run", **settings_for(sandbox)) as process:
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
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | settings_for(sandbox)
        command = [sys.executable, "-c", script]
        process = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, env=environment, stderr=PIPE)
        await process.communicate()
        assert process.returncode == 0
        assert not sandbox.journal.routes


async def test_a_disk_without_room_for_the_start_is_one_line(tmp_path: Path) -> None:
    """There is room to open the database, but not to count the start: exit code 1, so that a supervisor tries again."""
    disk = tmp_path / "disk"
    with small_disk(disk) as mounted:
        if not mounted:
            pytest.skip("mounting is not allowed here")
        new_database(disk / "deadwood.db")
        async with sandbox_of() as sandbox:
            with full(disk / "deadwood.db"):
                filler = disk / "filler"
                # SQLite needs eight pages for its index of the log, and more than one for the first change.
                os.truncate(filler, filler.stat().st_size - 9 * 4096)
                async with _process(disk, "run", **settings_for(sandbox)) as process:
                    _, said = await process.communicate()
            assert process.returncode == 1
            trouble, told = said.decode().splitlines()
            assert "the disk is full" in trouble
            assert told == "the database cannot be used at the moment"
            assert not sandbox.journal.routes


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
from bot.running import stop_signals
from bot.shutdown import LastResort

async def stop_while_stuck(last_resort):
    with stop_signals(last_resort):
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            time.sleep(0.01)

{STUCK[what]}
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == (0 if "before" in what else 7)


@pytest.mark.usefixtures("_alone")
async def test_a_token_that_discord_refuses_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and words for the host; the token is not in them."""
    async with sandbox_of() as sandbox:
        settings = Settings(discord_api=sandbox.api, discord_gateway=sandbox.gateway_url)
        assert await serve(settings, "a.wrong.token") == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "Discord refuses the token: check DISCORD_TOKEN"
    assert "a.wrong.token" not in said.out + said.err


@pytest.mark.usefixtures("_alone")
async def test_a_discord_that_cannot_be_reached_is_one_line_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, so that a supervisor tries again; no traceback."""
    async with sandbox_of():
        settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
        assert await serve(settings, "a.wrong.token") == 1
    said = capsys.readouterr()
    assert "Discord cannot be reached" in said.out + said.err
    assert "Traceback" not in said.out + said.err


def test_a_bot_with_a_token_does_not_load_the_sandbox(tmp_path: Path) -> None:
    """Importing `bot.running` and running `serve` leave `bot.sandbox` out of the process."""
    script = """
import asyncio, sys
from bot.running import serve
from bot.settings import Settings
from bot.shutdown import LIMIT
settings = Settings(discord_api="http://127.0.0.1:9/api/v10", discord_gateway="ws://127.0.0.1:9")
assert asyncio.run(serve(settings, "a.wrong.token")) == 1
assert not [name for name in sys.modules if name.startswith("bot.sandbox")]
"""
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True
    )


def test_checks_of_the_health_do_not_load_the_bot(tmp_path: Path) -> None:
    """`deadwood health`, which containers run all the time, starts without discord.py, the cogs and the pictures."""
    script = """
import sys
from bot.__main__ import main
assert main(["health"]) == 1
assert not {"discord", "cogs", "cardart", "alembic"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True)


@pytest.mark.usefixtures("_alone")
def test_no_token_and_no_sandbox_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the image there is no sandbox: exit code 2, and what to set."""
    monkeypatch.setenv("DEADWOOD_SANDBOX", "never")
    assert main([]) == 2
    assert capsys.readouterr().err == "there is no token: set DISCORD_TOKEN or DISCORD_TOKEN_FILE\n"


@pytest.mark.usefixtures("_alone")
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DEADWOOD_LOG_LEVEL", "loud", "a setting cannot be used: log_level: "),
        ("DISCORD_TOKEN_FILE", "nowhere", "DISCORD_TOKEN_FILE: cannot read nowhere: "),
        ("DEADWOOD_DATABASE_URL", "postgresql://there", ""),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    """Exit code 2, and which setting it is."""
    monkeypatch.setenv("DISCORD_TOKEN", "a.planted.token")
    monkeypatch.setenv(name, value)
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)
    assert "a.planted.token" not in line


@pytest.mark.usefixtures("_alone")
def test_health_is_only_good_with_a_fresh_heartbeat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """None: not running or not connected; an old one: how old; a fresh one: exit code 0 and silence."""
    beat = tmp_path / "deadwood.db.heartbeat"
    assert main(["health"]) == 1
    assert "no heartbeat" in capsys.readouterr().err
    beat.write_text(str(time.time() - 60))
    assert main(["health"]) == 1
    assert "the last heartbeat was 60 seconds ago" in capsys.readouterr().err
    beat.write_text(str(time.time()))
    assert main(["health"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("_alone")
def test_a_backup_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a database, and where the file exists already, it is one line and exit code 2."""
    assert main(["backup", "copy.db"]) == 2

    async def make() -> None:
        await (await Database.open("sqlite:///deadwood.db")).close()

    asyncio.run(make())
    assert main(["backup", "copy.db"]) == 0
    assert main(["backup", "copy.db"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "already exists" in said[1]
