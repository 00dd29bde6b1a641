"""Tests of checking SQLite files for damage, before or during use."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store import key_values, sqlite
from bot.store.database import Database
from bot.store.errors import DatabaseDamagedError, DatabaseError
from bot.store.opening import open_database
from bot.store.sqlite import backup
from tests.helpers.cases import thorough_after
from tests.helpers.databases import new_database
from tests.store.test_sqlite import held_by_another_process

pytestmark = pytest.mark.sqlite

ENDLESS = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT max(n) FROM number"


@pytest.fixture
def checked_first(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list that collects the files that are checked before use."""
    found: list[Path] = []
    check = sqlite.check

    def noting(path: Path) -> None:
        found.append(path)
        check(path)

    monkeypatch.setattr(sqlite, "check", noting)
    return found


async def fill(database: Database) -> None:
    """Save a value that is large enough to fill the end of the file."""
    async with database.write() as transaction:
        await key_values.save(transaction, "much", "much" * 100_000)


async def properly_closed(path: Path) -> str:
    """Create a database, fill it and close it properly. Return its URL."""
    database = await open_database(new_database(path))
    await fill(database)
    await database.close()
    return f"sqlite:///{path}"


def damage_silently(path: Path) -> None:
    """Damage a page without changing the file's size or modification time."""
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(status.st_size - 20 * 4096)
        file.write(b"\xa5" * 4096)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def write_to(path: Path) -> None:
    """Write to the file like another program."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO key_value VALUES ('other', 'program')")
        connection.commit()


def restore_backup(path: Path) -> None:
    """Restore a backup, including its modification time."""
    copy = path.with_name("copy.db")
    backup(f"sqlite:///{path}", copy)
    shutil.copy2(copy, path)


def create_log(path: Path) -> None:
    """Create an empty write-ahead log."""
    path.with_name(f"{path.name}-wal").touch(0o600)


def delete_note(path: Path) -> None:
    """Delete the lock file, in which the last process noted that it closed the database properly."""
    path.with_name(f"{path.name}.lock").unlink()


async def test_properly_closed_file_is_not_checked_first(path: Path, checked_first: list[Path]) -> None:
    """A file is checked before its first use. After a proper close, it is not checked before later uses.

    Therefore, opening a growing database does not become slower.
    """
    url = await properly_closed(path)
    assert checked_first == [path]
    for _ in range(2):
        await (await open_database(url)).close()
    assert checked_first == [path]


@pytest.mark.parametrize("touch", thorough_after(1, [write_to, restore_backup, create_log, delete_note]))
async def test_touched_file_is_checked_first(
    path: Path, checked_first: list[Path], touch: Callable[[Path], None]
) -> None:
    """A file is checked before use if it was changed after it was closed, or if no proper close is noted."""
    url = await properly_closed(path)
    checked_first.clear()
    touch(path)
    await (await open_database(url)).close()
    assert checked_first == [path]


@pytest.mark.nightly
async def test_file_of_a_killed_bot_is_checked_first(path: Path, checked_first: list[Path]) -> None:
    """A file whose bot was killed is checked before use, even if an earlier bot closed it properly."""
    url = await properly_closed(path)
    with held_by_another_process(url):
        pass
    checked_first.clear()
    await (await open_database(url)).close()
    assert checked_first == [path]


async def test_a_start_that_fails_leaves_no_note(path: Path, checked_first: list[Path]) -> None:
    """A damaged file is checked at every start, because a failed start does not note a proper close."""
    url = await properly_closed(path)
    checked_first.clear()
    damage_silently(path)
    write_to(path)
    for _ in range(2):
        with pytest.raises(DatabaseDamagedError):
            await open_database(url)
    assert checked_first == [path] * 2


async def test_background_check_finds_damage(path: Path) -> None:
    """Damage in a properly closed file is found by the background check, and the next opening is refused."""
    url = await properly_closed(path)
    damage_silently(path)
    database = await open_database(url)
    async with asyncio.timeout(60):
        assert "restore a backup" in str(await database.health.wait_for_damage())
    await database.close()
    with pytest.raises(DatabaseDamagedError):
        await open_database(url)


async def test_close_interrupts_the_check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the database interrupts a background check, even one that has just started."""
    url = await properly_closed(path)

    def read_for_ever(_: Path, connection: Any) -> None:
        connection.execute(ENDLESS)

    monkeypatch.setattr(sqlite, "_require_undamaged", read_for_ever)
    for seconds in (0, 0.1):
        database = await open_database(url)
        await asyncio.sleep(seconds)
        async with asyncio.timeout(60):
            await database.close()
    monkeypatch.undo()
    await (await open_database(url)).close()


async def test_refused_bot_keeps_the_note(path: Path, checked_first: list[Path]) -> None:
    """If a second bot is refused because the file is in use, the first bot still notes its own proper close.

    Therefore, the next start does not check the file before use.
    """
    url = await properly_closed(path)
    database = await open_database(url)
    with pytest.raises(DatabaseError, match="another bot is running"):
        await open_database(url)
    await database.close()
    checked_first.clear()
    await (await open_database(url)).close()
    assert checked_first == []
