"""The file: its address, its lock, and copies of it while it is in use."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.store import settings
from bot.store.database import Database
from bot.store.sqlite import DatabaseError, backup, file_of

HOLDER = """
import asyncio, sys
from bot.store import settings
from bot.store.database import Database

async def main():
    database = await Database.open(sys.argv[1])
    await database.write(lambda transaction: settings.keep(transaction, "kept", "before the kill"))
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""A bot of another process: it writes once, and then holds the database until it is killed."""


def write(path: Path, content: str) -> None:
    """Make a file of something else."""
    path.write_text(content * 200)


def read(path: Path) -> str:
    """What such a file holds."""
    content = path.read_text()
    return content[: len(content) // 200]


async def kept(url: str) -> str | None:
    """Open a database, read what the holder kept, and close."""
    database = await Database.open(url)
    found = await database.read(lambda transaction: settings.load(transaction, "kept"))
    await database.close()
    return found


@contextmanager
def held_by_another(url: str) -> Generator[None]:
    """Have another process hold a database, and kill it at the end."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, url], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        yield
        holder.send_signal(signal.SIGKILL)


@pytest.mark.parametrize(
    "url", ["postgresql://host/deadwood", "sqlite://", "sqlite:///:memory:", "deadwood.db", "", "sqlite+oops"]
)
def test_an_address_that_is_no_file_is_refused(url: str) -> None:
    """Anything but a file of SQLite's is refused with a word on what to write."""
    with pytest.raises(DatabaseError, match="write sqlite:///"):
        file_of(url)


def test_a_refused_address_shows_no_password() -> None:
    """The message about a wrong address is fit for a log."""
    with pytest.raises(DatabaseError) as caught:
        file_of("postgresql://bot:secret@host/deadwood")
    assert "secret" not in str(caught.value)


async def test_a_second_bot_on_the_same_file_is_refused(path: Path, database: Database) -> None:
    """While one bot runs on a file another is told so, whether in the same process or not."""
    with pytest.raises(DatabaseError, match="another bot is running"):
        await Database.open(f"sqlite:///{path}")
    await database.ping()


async def test_a_second_bot_by_another_name_is_refused(path: Path, database: Database) -> None:
    """A link to the file, or a way round to it, is the same file."""
    path.with_name("link.db").symlink_to(path)
    for name in ("link.db", f"../{path.parent.name}/{path.name}"):
        with pytest.raises(DatabaseError, match="another bot is running"):
            await Database.open(f"sqlite:///{path.parent / name}")


async def test_only_the_owner_can_read(path: Path, database: Database) -> None:
    """The file, what SQLite keeps beside it, the lock and every copy are for the user who runs the bot."""
    await database.write(lambda transaction: settings.keep(transaction, "kept", "here"))
    await asyncio.to_thread(backup, f"sqlite:///{path}", path.with_name("copy.db"))
    modes = {one.name.removeprefix(path.name): one.stat().st_mode & 0o777 for one in path.parent.iterdir()}
    assert modes == dict.fromkeys(("", "-wal", "-shm", ".lock", "copy.db"), 0o600)


@pytest.mark.slow
async def test_the_lock_dies_with_its_process(path: Path) -> None:
    """A bot of another process keeps this one out until it is killed; then the file opens at once, with all it kept."""
    url = f"sqlite:///{path}"
    with held_by_another(url), pytest.raises(DatabaseError, match="another bot is running"):
        await Database.open(url)
    backup(url, path.with_name("after the kill.db"))
    assert await kept(url) == "before the kill"
    assert await kept(f"sqlite:///{path.with_name('after the kill.db')}") == "before the kill"


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A path that cannot be used is refused in one line that names it."""
    with pytest.raises(DatabaseError, match=r"cannot use .*nowhere.*No such file"):
        await Database.open(f"sqlite:///{tmp_path}/nowhere/deadwood.db")


async def test_a_file_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    """A file that is no database is refused clearly, byte for byte as it was, and its lock let go."""
    write(path, "dear diary")
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"cannot use .*not a database"):
            await Database.open(f"sqlite:///{path}")
    assert read(path) == "dear diary"
    with pytest.raises(DatabaseError, match="cannot copy"):
        backup(f"sqlite:///{path}", path.with_name("copy.db"))
    assert not list(path.parent.glob("copy*"))


async def test_a_backup_of_a_busy_database_is_whole(path: Path, database: Database) -> None:
    """A copy made amid writes is one committed state: complete, undamaged, and a database a bot can open."""

    async def write_on() -> None:
        number = 0
        while not done.is_set():
            number += 1
            pair = str(number)
            await database.write(lambda transaction: settings.keep(transaction, "left", pair * 500))  # noqa: B023
            await database.write(lambda transaction: settings.keep(transaction, "kept", pair))  # noqa: B023
            begun.set()

    begun, done = asyncio.Event(), asyncio.Event()
    writing = asyncio.create_task(write_on())
    target = path.with_name("copy.db")
    await begun.wait()
    await asyncio.to_thread(backup, f"sqlite:///{path}", target)
    done.set()
    await writing
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        values = dict(copy.execute("SELECT name, value FROM setting").fetchall())
    assert int(values["kept"]) <= int(values["left"][: len(values["left"]) // 500]) <= int(values["kept"]) + 1
    assert await kept(f"sqlite:///{target}") == values["kept"]
    assert {one.name for one in path.parent.glob("*.part*")} == set()


def test_a_backup_never_overwrites(path: Path, tmp_path: Path) -> None:
    """An existing target, a missing source and a missing folder are refused, and nothing is left behind."""
    with pytest.raises(DatabaseError, match="there is no database"):
        backup(f"sqlite:///{path}", tmp_path / "copy.db")
    path.touch()
    (tmp_path / "precious.db").write_text("mine")
    with pytest.raises(DatabaseError, match="exists already"):
        backup(f"sqlite:///{path}", tmp_path / "precious.db")
    assert (tmp_path / "precious.db").read_text() == "mine"
    with pytest.raises(DatabaseError, match="cannot copy"):
        backup(f"sqlite:///{path}", tmp_path / "nowhere" / "copy.db")
