"""`python -m bot`: each command, run as a host runs it."""

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
from bot.heartbeat import Heartbeat
from cogs.kit.actions import Action
from tests.helpers.databases import new_database
from tests.helpers.players import Player, next_turn, sit_down
from tests.helpers.processes import BOT, ROOT, sandbox_for_processes, settings_for, started
from tests.helpers.visitors import visiting
from tests.helpers.waiting import MAX_WAIT, beating


@asynccontextmanager
async def sandboxed(directory: Path, *arguments: str) -> AsyncGenerator[tuple[Process, str]]:
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
    async with sandboxed(tmp_path) as (process, page):
        async with visiting(page, "North") as north:
            await north.until(lambda: north.commands)
            await north.use("gin help")
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), MAX_WAIT) == 0
    assert (tmp_path / "sandbox.db").exists()
    assert not (tmp_path / "deadwood.db").exists()


@pytest.mark.nightly
async def test_the_sandbox_goes_on_after_a_kill(tmp_path: Path) -> None:
    """After a kill and a restart, the sandbox shows the same messages and their buttons work."""
    async with sandboxed(tmp_path) as (process, page):
        async with visiting(page, "North") as north:
            # The page lists a channel's commands once the bot has registered them.
            await north.until(lambda: north.commands)
            await north.act("slash", command="gin challenge", options={"opponent": north.people["South"]})
            invited = await north.until(lambda: north.button(Action.ACCEPT))
        process.kill()
        await process.wait()
    async with sandboxed(tmp_path, "sandbox", "--port", "0") as (process, page), visiting(page, "South") as south:
        assert south.button(Action.ACCEPT) == invited
        assert len(south.messages) == 2
        message, custom_id = invited
        await south.act("press", message=message, custom_id=custom_id)
        await south.until(lambda: south.button(Action.SHOW_HAND))


@pytest.mark.nightly
@pytest.mark.usefixtures("alone")
async def test_a_host_runs_checks_backs_up_and_stops_the_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot is healthy, can be backed up during a match, and excludes a second bot. SIGTERM loses no move."""
    async with (
        sandbox_for_processes() as sandbox,
        started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as process,
    ):
        await sandbox.ready(MAX_WAIT)
        players = [Player(sandbox, name, sandbox.channel("games"), "host") for name in ("North", "South")]
        await sit_down(sandbox, *players)
        mover, deed = await next_turn(sandbox, players)
        await beating(Heartbeat(tmp_path / "deadwood.db"))
        for arguments in (["health"], ["backup", "copy.db"]):
            assert await asyncio.to_thread(main, arguments) == 0
        assert capsys.readouterr().err == ""
        async with started(tmp_path, [*BOT, "run"], settings_for(sandbox)) as second:
            said = b"another bot is running on deadwood.db; stop it first, or use another file\n"
            assert await second.communicate() == (b"", said)
            assert second.returncode == 2
        with closing(connect(tmp_path / "copy.db")) as copy:
            assert copy.execute("SELECT count(*) FROM match").fetchone() == (1,)
        await (await mover.click(deed)).done()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), MAX_WAIT) == 0
        assert not (tmp_path / "deadwood.db.heartbeat").exists()
    with closing(connect(tmp_path / "deadwood.db")) as database:
        assert database.execute("SELECT count(*) FROM action WHERE text LIKE '% pass'").fetchone() == (1,)


@pytest.mark.thorough
def test_checks_of_the_health_do_not_load_the_bot(tmp_path: Path) -> None:
    """`deadwood health`, which containers run often, imports little more than the settings."""
    script = """
import sys
from bot.__main__ import main
assert main(["health"]) == 1
assert not {"discord", "cogs", "cardart", "alembic", "aiosqlite", "prometheus_client"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True)


@pytest.mark.usefixtures("alone")
def test_no_token_and_no_sandbox_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `DEADWOOD_SANDBOX=never`, as in the image, a missing token is exit code 2 and one line."""
    monkeypatch.setenv("DEADWOOD_SANDBOX", "never")
    assert main([]) == 2
    assert capsys.readouterr().err == "there is no token: set DISCORD_TOKEN or DISCORD_TOKEN_FILE\n"


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("name", "value", "said"),
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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    """An invalid setting is exit code 2 and one line that names it."""
    monkeypatch.setenv("DISCORD_TOKEN", "a.planted.token")
    monkeypatch.setenv(name, value)
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)
    assert "a.planted.token" not in line


@pytest.mark.usefixtures("alone")
def test_health_is_only_good_with_a_fresh_heartbeat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`health` succeeds only with a fresh heartbeat. Otherwise it reports the age or the reason for the exit."""
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


@pytest.mark.usefixtures("alone")
def test_the_sandbox_has_a_health_and_backups_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--sandbox`, health and backup use the sandbox's database, which the bot on Discord cannot share."""
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


@pytest.mark.usefixtures("alone")
def test_what_needs_a_file_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Backing up PostgreSQL and a sandbox without a file are refused in one line each, without the password."""
    monkeypatch.setenv("DEADWOOD_DATABASE_URL", "postgresql://bot:secret@host/deadwood?passfile=there")
    assert main(["backup", "copy of today"]) == 2
    assert capsys.readouterr().err == (
        "PostgreSQL has its own program for this: pg_dump --format=custom '--file=copy of today' "
        "postgresql://bot@host/deadwood (docs/operating.md tells more)\n"
    )
    monkeypatch.setenv("DEADWOOD_SANDBOX_DATABASE_URL", "postgresql://bot:secret@host/sandbox")
    assert main(["sandbox"]) == 2
    said = "DEADWOOD_SANDBOX_DATABASE_URL: the sandbox needs a file: write sqlite:///path/to/file.db\n"
    assert capsys.readouterr().err == said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("alone")
def test_the_health_of_a_bot_whose_database_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A PostgreSQL bot's heartbeat is found with or without the password, but not if others can write to its folder."""
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


@pytest.mark.usefixtures("alone")
def test_a_file_of_the_sandbox_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unusable file of the sandbox is exit code 2 and one line that names the file."""
    new_database(tmp_path / "sandbox.db")
    (tmp_path / "sandbox.db.discord").write_text("not the file of a sandbox " * 99)
    assert main(["sandbox", "--port", "0"]) == 2
    assert capsys.readouterr().err == "cannot use sandbox.db.discord: file is not a database\n"


@pytest.mark.usefixtures("alone")
def test_the_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the package's version, even if a setting is invalid."""
    monkeypatch.setenv("DEADWOOD_LOG_LEVEL", "loud")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"deadwood {declared}\n"


@pytest.mark.usefixtures("alone")
def test_a_backup_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup without a database or to an existing file is one line and exit code 2."""
    assert main(["backup", "copy.db"]) == 2
    new_database(tmp_path / "deadwood.db")
    assert main(["backup", "copy.db"]) == 0
    assert main(["backup", "copy.db"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "already exists" in said[1]
