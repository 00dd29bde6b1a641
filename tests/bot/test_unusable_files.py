"""Files that cannot be used, or that others may read: what the process tells a host who is an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import pytest

from tests.helpers.databases import template
from tests.helpers.processes import BOT, ROOT

pytestmark = pytest.mark.slow

NOBODY = 65534
IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can make files of another user")


@dataclass(frozen=True)
class Host:
    """A working directory of an ordinary user, and the bot in it."""

    folder: Path

    def put(self, name: str, content: str = "", mode: int = 0o600, *, foreign: bool = False) -> None:
        """Write a file, of this user or of another."""
        file = self.folder / name
        file.write_text(content)
        self._own(file, mode, foreign=foreign)

    def put_database(self, mode: int = 0o600, *, foreign: bool = False) -> None:
        """Put an empty database there."""
        self._own(Path(shutil.copy(template(), self.folder / "deadwood.db")), mode, foreign=foreign)

    def _own(self, file: Path, mode: int, *, foreign: bool) -> None:
        file.chmod(mode)
        if IS_ROOT and not foreign:
            os.chown(file, NOBODY, NOBODY)

    def run(self, *arguments: str, **settings: str) -> tuple[int, list[str]]:
        """Run the bot without a Discord that it could reach, and return its exit code and the lines it wrote."""
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if IS_ROOT else []
        nowhere = {"DEADWOOD_DISCORD_API": "http://127.0.0.1:9/api/v10", "DEADWOOD_DISCORD_GATEWAY": "ws://127.0.0.1:9"}
        done = subprocess.run(
            [*user, *BOT, *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "a.planted.token"}
            | nowhere
            | settings,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stdout == ""
        assert "a.planted.token" not in done.stderr
        return done.returncode, done.stderr.replace(f"{self.folder}/", "").splitlines()


@pytest.fixture
def host() -> Iterator[Host]:
    """Make the directory. pytest's own is closed to other users."""
    folder = Path(mkdtemp(prefix="deadwood-host-"))
    if IS_ROOT:
        os.chown(folder, NOBODY, NOBODY)
    yield Host(folder)
    shutil.rmtree(folder)


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
    "an unreadable .env": (lambda host: host.put(".env", mode=0o000), "cannot read .env: Permission denied"),
    "a .env that is no text": (
        lambda host: (host.folder / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe"),
        "cannot read .env: it is not UTF-8 text",
    ),
    "an open .env": (lambda host: host.put(".env", mode=0o644), "everyone may read .env; run: chmod o-rwx .env"),
    "an open database": (
        lambda host: host.put_database(0o644),
        "everyone may read deadwood.db; run: chmod o-rwx deadwood.db",
    ),
    "an open log of a database": (
        lambda host: (host.put_database(), host.put("deadwood.db-wal", mode=0o606)),
        "everyone may read deadwood.db-wal; run: chmod o-rwx deadwood.db-wal",
    ),
}
FOREIGN: dict[str, tuple[Callable[[Host], object], str]] = {
    "somebody else's database": (
        lambda host: host.put_database(foreign=True),
        "cannot use deadwood.db: Permission denied",
    ),
    "somebody else's lock": (
        lambda host: host.put("deadwood.db.lock", foreign=True),
        "cannot use deadwood.db.lock: Permission denied",
    ),
    "somebody else's log": (
        lambda host: (host.put_database(), host.put("deadwood.db-wal", foreign=True)),
        "cannot use deadwood.db: unable to open database file",
    ),
    "somebody else's .env": (
        lambda host: host.put(".env", foreign=True),
        "cannot read .env: Permission denied",
    ),
}


ONE_OF_EACH: Final = ("unreadable", "a .env that is no text")
"""What each kind of trouble is shown by in the suite: every case starts a process, which takes a second."""


def _cases() -> Iterator[object]:
    for what in (*UNUSABLE, *FOREIGN):
        marks = [needs_root] * (what in FOREIGN) + [pytest.mark.nightly] * (what not in ONE_OF_EACH)
        yield pytest.param(what, marks=marks)


@pytest.mark.parametrize("what", list(_cases()))
def test_a_file_that_cannot_be_used_is_one_line(host: Host, what: str) -> None:
    """Exit code 2, and which file it is and why."""
    make, said = (UNUSABLE | FOREIGN)[what]
    make(host)
    assert host.run() == (2, [said])


def test_a_token_that_everyone_may_read_is_refused(host: Host) -> None:
    """The same rule and the same words as for other private files, fit to be pasted into a shell."""
    host.put("the token", "another.planted.token", 0o644)
    said = "everyone may read the token; run: chmod o-rwx 'the token'"
    assert host.run(DISCORD_TOKEN_FILE="the token") == (2, [said])


def test_what_the_line_says_helps(host: Host) -> None:
    """The command in the message is enough: the next start gets as far as Discord."""
    host.put_database(0o644)
    code, (said,) = host.run()
    assert (code, said) == (2, UNUSABLE["an open database"][1])
    subprocess.run(said.partition("run: ")[2], shell=True, cwd=host.folder, check=True)
    code, lines = host.run()
    assert (code, "Discord cannot be reached" in lines[-1]) == (1, True)


@pytest.mark.parametrize("foreign", [IS_ROOT, pytest.param(not IS_ROOT, marks=pytest.mark.nightly)])
def test_mounted_secrets_are_warned_of(host: Host, foreign: bool) -> None:
    """What an orchestrator mounts for everyone to read, as somebody else's or read-only, is used all the same."""
    host.put("token", "another.planted.token", 0o444, foreign=foreign)
    host.put(".env", "DEADWOOD_LOG_LEVEL=WARNING", 0o444, foreign=foreign)
    code, lines = host.run(DISCORD_TOKEN_FILE="token")
    assert [line.partition(" file=")[2] for line in lines if "everyone may read a private file" in line] == [
        *(".env", "token")
    ]  # fmt: skip
    assert (code, "Discord cannot be reached" in lines[-1]) == (1, True)
    assert "another.planted.token" not in "".join(lines)


def test_a_backup_says_what_it_cannot_read_or_write(host: Host) -> None:
    """One line and exit code 2 for folders that may not be entered and files that may not be read."""
    host.put_database()
    (host.folder / "closed").mkdir(mode=0o000)
    host.put("closed.db", mode=0o000)
    for arguments, url in ((("backup", "closed/copy.db"), "deadwood.db"), (("backup", "copy.db"), "closed/closed.db")):
        code, lines = host.run(*arguments, DEADWOOD_DATABASE_URL=f"sqlite:///{url}")
        assert (code, len(lines)) == (2, 1)
        assert lines[0].startswith(f"cannot copy {url} to {arguments[1]}: ")
        assert "Permission denied" in lines[0]
    code, lines = host.run("backup", "copy.db", DEADWOOD_DATABASE_URL="sqlite:///closed.db")
    assert (code, lines) == (2, ["cannot copy closed.db to copy.db: unable to open database file"])
