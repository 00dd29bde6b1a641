"""Unusable or world-readable files: the errors that an operator without root privileges gets."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import discord.gateway
import discord.http
import pytest

from bot.__main__ import main
from tests.helpers.databases import template
from tests.helpers.processes import ANOTHER_USER, BOT, ROOT, needs_root, unprivileged, unprivileged_prefix

UNREACHABLE_DISCORD = {
    "DISCORD_TOKEN": "a.planted.token",
    "DEADWOOD_DISCORD_API": "http://127.0.0.1:9/api/v10",
    "DEADWOOD_DISCORD_GATEWAY": "ws://127.0.0.1:9",
}
"""Settings for a Discord that cannot be reached."""


@dataclass(frozen=True)
class Host:
    """Runs the bot as an ordinary user, in a working directory whose files the test prepares."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def write_file(self, name: str, content: str = "", mode: int = 0o600, *, by_another_user: bool = False) -> None:
        """Write a file. With `by_another_user`, its owner is not the user who runs the bot."""
        file = self.folder / name
        file.write_text(content)
        _set_mode_and_owner(file, mode, by_another_user=by_another_user)

    def put_database(self, mode: int = 0o600, *, by_another_user: bool = False) -> None:
        """Create an empty database in the folder."""
        _set_mode_and_owner(
            Path(shutil.copy(template(), self.folder / "deadwood.db")), mode, by_another_user=by_another_user
        )

    def run(self, *arguments: str, **settings: str) -> tuple[int, list[str]]:
        """Run the bot with an unreachable Discord. Return its exit code and output lines."""
        self.capture.readouterr()
        with pytest.MonkeyPatch.context() as environment, unprivileged():
            for name, value in (UNREACHABLE_DISCORD | settings).items():
                environment.setenv(name, value)
            code = main(list(arguments))
        said = self.capture.readouterr()
        assert said.out == ""
        assert "a.planted.token" not in said.err
        return code, said.err.replace(f"{self.folder}/", "").splitlines()


def _set_mode_and_owner(file: Path, mode: int, *, by_another_user: bool) -> None:
    file.chmod(mode)
    if by_another_user:
        os.chown(file, ANOTHER_USER, ANOTHER_USER)


@pytest.fixture
def host(
    tmp_path: Path, clean_environment: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Host:
    """Return a host whose working directory is empty."""
    # Restore these constants of discord.py after the test, because the bot changes them.
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    return Host(tmp_path, capsys)


def _folder(name: str) -> Callable[[Host], None]:
    def put(host: Host) -> None:
        (host.folder / name).mkdir()

    return put


UNUSABLE: dict[str, tuple[Callable[[Host], object], str]] = {
    "unreadable": (lambda host: host.put_database(0o000), "cannot use deadwood.db: Permission denied"),
    "read-only": (lambda host: host.put_database(0o400), "cannot use deadwood.db: Permission denied"),
    "a folder in its place": (_folder("deadwood.db"), "cannot use deadwood.db: Is a directory"),
    "a link to itself in its place": (
        lambda host: (host.folder / "deadwood.db").symlink_to("deadwood.db"),
        "cannot use deadwood.db: Too many levels of symbolic links",
    ),
    "a folder as its log": (
        lambda host: (host.put_database(), _folder("deadwood.db-wal")(host)),
        "cannot use deadwood.db: unable to open database file",
    ),
    "a read-only folder": (lambda host: host.folder.chmod(0o500), "cannot use deadwood.db.lock: Permission denied"),
    "an unreadable .env": (lambda host: host.write_file(".env", mode=0o000), "cannot read .env: Permission denied"),
    "a .env that is no text": (
        lambda host: (host.folder / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe"),
        "cannot read .env: it is not UTF-8 text",
    ),
    "an open .env": (lambda host: host.write_file(".env", mode=0o644), "everyone may read .env; run: chmod o-rwx .env"),
    "an open database": (
        lambda host: host.put_database(0o644),
        "everyone may read deadwood.db; run: chmod o-rwx deadwood.db",
    ),
    "an open log of a database": (
        lambda host: (host.put_database(), host.write_file("deadwood.db-wal", mode=0o606)),
        "everyone may read deadwood.db-wal; run: chmod o-rwx deadwood.db-wal",
    ),
}
UNUSABLE_FOREIGN: dict[str, tuple[Callable[[Host], object], str]] = {
    "somebody else's database": (
        lambda host: host.put_database(by_another_user=True),
        "cannot use deadwood.db: Permission denied",
    ),
    "somebody else's lock": (
        lambda host: host.write_file("deadwood.db.lock", by_another_user=True),
        "cannot use deadwood.db.lock: Permission denied",
    ),
    "somebody else's log": (
        lambda host: (host.put_database(), host.write_file("deadwood.db-wal", by_another_user=True)),
        "cannot use deadwood.db: unable to open database file",
    ),
    "somebody else's .env": (
        lambda host: host.write_file(".env", by_another_user=True),
        "cannot read .env: Permission denied",
    ),
}


def _cases() -> Iterator[object]:
    for what in (*UNUSABLE, *UNUSABLE_FOREIGN):
        yield pytest.param(what, marks=[needs_root] * (what in UNUSABLE_FOREIGN))


@pytest.mark.parametrize("what", list(_cases()))
def test_a_file_that_cannot_be_used_is_one_line(host: Host, what: str) -> None:
    """An unusable file gives exit code 2 and a one-line error with the file and the reason."""
    make, said = (UNUSABLE | UNUSABLE_FOREIGN)[what]
    make(host)
    assert host.run() == (2, [said])


@pytest.mark.nightly
def test_a_process_ends_with_that_line(tmp_path: Path) -> None:
    """If the database is unreadable, the bot's process exits with code 2 and prints only the one-line error."""
    _set_mode_and_owner(Path(shutil.copy(template(), tmp_path / "deadwood.db")), 0o000, by_another_user=False)
    done = subprocess.run(
        [*unprivileged_prefix(), *BOT],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | UNREACHABLE_DISCORD,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{UNUSABLE['unreadable'][1]}\n")


def test_a_token_that_everyone_may_read_is_refused(host: Host) -> None:
    """A world-readable token file is refused like other private files. The suggested command is quoted for a shell."""
    host.write_file("the token", "another.planted.token", 0o644)
    said = "everyone may read the token; run: chmod o-rwx 'the token'"
    assert host.run(DISCORD_TOKEN_FILE="the token") == (2, [said])


def test_the_suggested_command_fixes_the_problem(host: Host) -> None:
    """Running the suggested command fixes the problem: the next start gets as far as Discord."""
    host.put_database(0o644)
    code, (said,) = host.run()
    assert (code, said) == (2, UNUSABLE["an open database"][1])
    subprocess.run(said.partition("run: ")[2], shell=True, cwd=host.folder, check=True)
    code, lines = host.run()
    assert (code, "Discord cannot be reached" in lines[-1]) == (1, True)


@pytest.mark.parametrize("foreign", [False, pytest.param(True, marks=[needs_root, pytest.mark.thorough])])
def test_mounted_secrets_cause_a_warning(host: Host, foreign: bool) -> None:
    """World-readable secrets cause only a warning if they are read-only, as orchestrators mount them."""
    host.write_file("token", "another.planted.token", 0o444, by_another_user=foreign)
    host.write_file(".env", "DEADWOOD_LOG_LEVEL=WARNING", 0o444, by_another_user=foreign)
    code, lines = host.run(DISCORD_TOKEN_FILE="token")
    assert [line.partition(" file=")[2] for line in lines if "a private file is readable by everyone" in line] == [
        *(".env", "token")
    ]  # fmt: skip
    assert (code, "Discord cannot be reached" in lines[-1]) == (1, True)
    assert "another.planted.token" not in "".join(lines)


def test_inaccessible_files_in_a_backup(host: Host) -> None:
    """A backup from or to an inaccessible place gives exit code 2 and a one-line error."""
    host.put_database()
    (host.folder / "closed").mkdir(mode=0o000)
    host.write_file("closed.db", mode=0o000)
    for arguments, url in ((("backup", "closed/copy.db"), "deadwood.db"), (("backup", "copy.db"), "closed/closed.db")):
        code, lines = host.run(*arguments, DEADWOOD_DATABASE_URL=f"sqlite:///{url}")
        assert (code, len(lines)) == (2, 1)
        assert lines[0].startswith(f"cannot copy {url} to {arguments[1]}: ")
        assert "Permission denied" in lines[0]
    code, lines = host.run("backup", "copy.db", DEADWOOD_DATABASE_URL="sqlite:///closed.db")
    assert (code, lines) == (2, ["cannot copy closed.db to copy.db: unable to open database file"])


def test_a_command_on_an_inaccessible_database_is_one_line(host: Host) -> None:
    """A command exits with code 2 and one line if its database is in an inaccessible folder."""
    (host.folder / "closed").mkdir(mode=0o000)
    code, lines = host.run("call-off", DEADWOOD_DATABASE_URL="sqlite:///closed/deadwood.db")
    assert (code, len(lines)) == (2, 1)
    assert lines[0].startswith("cannot use closed/deadwood.db: ")
    assert "Permission denied" in lines[0]
