"""`python -m bot`: each command, run as an operator runs it."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import time
import tomllib
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from sqlite3 import connect

import pytest

from bot.__main__ import main
from bot.hosting.heartbeat import Heartbeat
from cogs.actions import Action
from tests.helpers.databases import new_database
from tests.helpers.players import Player, challenge_and_accept, next_turn
from tests.helpers.processes import BOT, ROOT, sandbox_for_processes, settings_for, started
from tests.helpers.visitors import visiting
from tests.helpers.waiting import MAX_WAIT, wait_for_heartbeat


@asynccontextmanager
async def running_sandbox(directory: Path, *arguments: str) -> AsyncGenerator[tuple[Process, str]]:
    """Start the program in a directory without a token. Yield its process and the URL of the sandbox's page."""
    async with started(directory, [*BOT, *arguments], {"DEADWOOD_SANDBOX_PORT": "0"}) as process:
        assert process.stdout is not None
        address = None
        while address is None:
            line = (await asyncio.wait_for(process.stdout.readline(), MAX_WAIT)).decode()
            assert line, "the program ended before it printed the page's URL"
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        yield process, address[0]


@pytest.mark.whole_process
async def test_without_a_token_the_sandbox_runs_until_it_is_stopped(tmp_path: Path) -> None:
    """Without a token, the sandbox runs: commands on its page work, and SIGTERM ends it with exit code 0."""
    async with running_sandbox(tmp_path) as (process, page):
        async with visiting(page, "North") as north:
            await north.until(lambda: north.commands)
            await north.use("gin help")
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), MAX_WAIT) == 0
    assert (tmp_path / "sandbox.db").exists()
    assert not (tmp_path / "deadwood.db").exists()


@pytest.mark.nightly
async def test_the_sandbox_resumes_after_a_kill(tmp_path: Path) -> None:
    """After a kill and a restart, the sandbox shows the same messages and their buttons work."""
    async with running_sandbox(tmp_path) as (process, page):
        async with visiting(page, "North") as north:
            # The page lists a channel's commands once the bot has registered them.
            await north.until(lambda: north.commands)
            await north.act("slash", command="gin challenge", options={"opponent": north.people["South"]})
            invited = await north.until(lambda: north.button(Action.ACCEPT))
        process.kill()
        await process.wait()
    async with running_sandbox(tmp_path, "sandbox", "--port", "0") as (process, page), visiting(page, "South") as south:
        assert south.button(Action.ACCEPT) == invited
        assert len(south.messages) == 2
        message, custom_id = invited
        await south.act("press", message=message, custom_id=custom_id)
        await south.until(lambda: south.button(Action.SHOW_HAND))


@pytest.mark.nightly
@pytest.mark.usefixtures("clean_environment")
async def test_a_host_runs_checks_backs_up_and_stops_the_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot is healthy, can be backed up during a match, and lets no second bot start. SIGTERM loses no move."""
    async with (
        sandbox_for_processes() as sandbox,
        started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as process,
    ):
        await sandbox.ready(MAX_WAIT)
        players = [Player(sandbox, name, sandbox.channel("games"), "host") for name in ("North", "South")]
        await challenge_and_accept(sandbox, *players)
        mover, button = await next_turn(sandbox, players)
        await wait_for_heartbeat(Heartbeat(tmp_path / "deadwood.db"))
        for arguments in (["health"], ["backup", "copy.db"]):
            assert await asyncio.to_thread(main, arguments) == 0
        assert capsys.readouterr().err == ""
        async with started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as second:
            error = b"another bot is running on deadwood.db; stop it first, or use another file\n"
            assert await second.communicate() == (b"", error)
            assert second.returncode == 2
        with closing(connect(tmp_path / "copy.db")) as copy:
            assert copy.execute("SELECT count(*) FROM match").fetchone() == (1,)
        await (await mover.click(button)).done()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), MAX_WAIT) == 0
        assert not (tmp_path / "deadwood.db.heartbeat").exists()
    with closing(connect(tmp_path / "deadwood.db")) as database:
        assert database.execute("SELECT count(*) FROM action WHERE text LIKE '% pass'").fetchone() == (1,)


@pytest.mark.nightly
def test_health_checks_do_not_import_the_bot(tmp_path: Path) -> None:
    """`deadwood health`, which containers run often, imports little more than the settings."""
    script = """
import sys
from bot.__main__ import main
assert main(["health"]) == 1
assert not {"discord", "cogs", "cardart", "alembic", "aiosqlite", "prometheus_client"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True)


@pytest.mark.usefixtures("clean_environment")
def test_no_token_and_no_sandbox_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `DEADWOOD_SANDBOX=never`, as in the Docker image, a missing token gives exit code 2 and a one-line error."""
    monkeypatch.setenv("DEADWOOD_SANDBOX", "never")
    assert main([]) == 2
    assert capsys.readouterr().err == "there is no token: set DISCORD_TOKEN or DISCORD_TOKEN_FILE\n"


@pytest.mark.usefixtures("clean_environment")
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("DEADWOOD_LOG_LEVEL", "loud", "a setting cannot be used: log_level: "),
        ("DISCORD_TOKEN_FILE", "nowhere", "DISCORD_TOKEN_FILE: cannot read nowhere: "),
        ("DEADWOOD_DATABASE_URL", "mysql://there", "'mysql://there' is neither SQLite nor PostgreSQL"),
        ("DEADWOOD_SHARDS", "4/4", "a setting cannot be used: shards: "),
        ("DEADWOOD_SHARDS", "5", "a setting cannot be used: shards: "),
        ("DEADWOOD_METRICS", "here", "a setting cannot be used: metrics: "),
        ("DEADWOOD_METRICS", "9464", "a setting cannot be used: metrics: "),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, error: str
) -> None:
    """An invalid setting gives exit code 2 and a one-line error that names the setting."""
    monkeypatch.setenv("DISCORD_TOKEN", "a.planted.token")
    monkeypatch.setenv(name, value)
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(error)
    assert "a.planted.token" not in line


@pytest.mark.usefixtures("clean_environment")
def test_health_is_only_good_with_a_fresh_heartbeat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`health` succeeds only with a fresh heartbeat. Otherwise it reports the heartbeat's age or the exit reason."""
    beat = tmp_path / "deadwood.db.heartbeat"
    assert main(["health"]) == 1
    assert "no heartbeat" in capsys.readouterr().err
    beat.write_text(str(time.time() - 60))
    assert main(["health"]) == 1
    assert "the last heartbeat was 60 seconds ago" in capsys.readouterr().err
    beat.write_text(str(time.time()))
    assert main(["health"]) == 0
    assert capsys.readouterr().err == ""
    Heartbeat(tmp_path / "deadwood.db").end("its files are gone")
    assert main(["health"]) == 1
    assert capsys.readouterr().err == "its files are gone\n"


@pytest.mark.usefixtures("clean_environment")
def test_the_sandbox_has_a_health_and_backups_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--sandbox`, `health` and `backup` use the sandbox's database, which cannot be the real bot's database."""
    monkeypatch.setenv("DEADWOOD_SANDBOX_DATABASE_URL", "sqlite:///elsewhere.db")
    new_database(tmp_path / "elsewhere.db")
    (tmp_path / "elsewhere.db.heartbeat").write_text(str(time.time()))
    assert main(["health"]) == 1
    assert main(["health", "--sandbox"]) == 0
    assert main(["backup", "copy.db"]) == 2
    assert main(["backup", "--sandbox", "copy.db"]) == 0
    assert (tmp_path / "copy.db").exists()
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", f"sqlite:///{tmp_path / 'elsewhere.db'}")
    capsys.readouterr()
    assert main(["sandbox"]) == 2
    assert "DEADWOOD_SANDBOX_DATABASE_URL: the bot on Discord has the same" in capsys.readouterr().err


@pytest.mark.usefixtures("clean_environment")
def test_commands_that_need_a_file_refuse_postgresql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`backup` and the sandbox refuse PostgreSQL with one-line errors that do not contain the password."""
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", "postgresql://bot:secret@host/deadwood?passfile=there")
    assert main(["backup", "copy of today"]) == 2
    assert capsys.readouterr().err == (
        "PostgreSQL has its own program for this: pg_dump --format=custom '--file=copy of today' "
        "postgresql://bot@host/deadwood (see docs/hosting/postgresql.md)\n"
    )
    monkeypatch.setenv("DEADWOOD_SANDBOX_DATABASE_URL", "postgresql://bot:secret@host/sandbox")
    assert main(["sandbox"]) == 2
    error = "DEADWOOD_SANDBOX_DATABASE_URL: the sandbox needs a file: write sqlite:///path/to/file.db\n"
    assert capsys.readouterr().err == error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("clean_environment")
def test_health_with_postgresql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`health` finds a PostgreSQL bot's heartbeat with or without the password, and refuses an insecure folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", "postgresql://bot:secret@host/deadwood")
    assert main(["health"]) == 1
    Heartbeat("postgresql://bot@host/deadwood").beat()
    assert main(["health"]) == 0
    (folder,) = tmp_path.iterdir()
    folder.chmod(0o777)
    capsys.readouterr()
    assert main(["health"]) == 2
    assert capsys.readouterr().err.startswith(f"others may write to {folder}; ")


@pytest.mark.usefixtures("clean_environment")
def test_a_file_of_the_sandbox_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unusable file of the sandbox gives exit code 2 and a one-line error that names the file."""
    new_database(tmp_path / "sandbox.db")
    (tmp_path / "sandbox.db.discord").write_text("not the file of a sandbox " * 99)
    assert main(["sandbox", "--port", "0"]) == 2
    assert capsys.readouterr().err == "cannot use sandbox.db.discord: file is not a database\n"


@pytest.mark.usefixtures("clean_environment")
def test_the_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the package's version, even if a setting is invalid."""
    monkeypatch.setenv("DEADWOOD_LOG_LEVEL", "loud")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"deadwood {declared}\n"


@pytest.mark.usefixtures("clean_environment")
def test_a_backup_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup of a missing database or to an existing file gives exit code 2 and a one-line error."""
    assert main(["backup", "copy.db"]) == 2
    new_database(tmp_path / "deadwood.db")
    assert main(["backup", "copy.db"]) == 0
    assert main(["backup", "copy.db"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert "already exists" in errors[1]
