"""When a SQLite file is read to its end: before it is used, or meanwhile."""

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
from tests.store.test_sqlite import held_by_another

pytestmark = pytest.mark.sqlite

ENDLESS = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT max(n) FROM number"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files that are checked before they are used, as that happens."""
    found: list[Path] = []
    check = sqlite.check

    def noting(path: Path) -> None:
        found.append(path)
        check(path)

    monkeypatch.setattr(sqlite, "check", noting)
    return found


async def fill(database: Database) -> None:
    """Save so much that the end of the file holds nothing else."""
    async with database.write() as transaction:
        await key_values.save(transaction, "much", "much" * 100_000)


async def closed(path: Path) -> str:
    """Make a file that a bot closed, and return its URL."""
    database = await open_database(new_database(path))
    await fill(database)
    await database.close()
    return f"sqlite:///{path}"


def rot(path: Path) -> None:
    """Change pages behind everybody's back: the file looks as it did."""
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(before.st_size - 20 * 4096)
        file.write(b"\xa5" * 4096)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def write_to(path: Path) -> None:
    """Use the file as another program would."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO key_value VALUES ('other', 'program')")
        connection.commit()


def put_back(path: Path) -> None:
    """Restore a backup, with the time at which it was made."""
    copy = path.with_name("copy.db")
    backup(f"sqlite:///{path}", copy)
    shutil.copy2(copy, path)


def leave_log(path: Path) -> None:
    """Leave a write-ahead log behind."""
    path.with_name(f"{path.name}-wal").touch(0o600)


def lose_note(path: Path) -> None:
    """Remove what the last process left in the lock file."""
    path.with_name(f"{path.name}.lock").unlink()


async def test_a_file_that_was_closed_well_is_not_checked_first(path: Path, checked: list[Path]) -> None:
    """A start takes as long as before, however large the file has become; a new file is checked."""
    url = await closed(path)
    assert checked == [path]
    for _ in range(2):
        await (await open_database(url)).close()
    assert checked == [path]


@pytest.mark.parametrize("touch", thorough_after(1, [write_to, put_back, leave_log, lose_note]))
async def test_a_file_that_was_touched_is_checked_first(
    path: Path, checked: list[Path], touch: Callable[[Path], None]
) -> None:
    """It is not the one that was closed, whatever the lock file says."""
    url = await closed(path)
    checked.clear()
    touch(path)
    await (await open_database(url)).close()
    assert checked == [path]


@pytest.mark.thorough
async def test_a_file_whose_bot_was_killed_is_checked_first(path: Path, checked: list[Path]) -> None:
    """Whatever an earlier one left as a note."""
    url = await closed(path)
    with held_by_another(url):
        pass
    checked.clear()
    await (await open_database(url)).close()
    assert checked == [path]


async def test_a_start_that_fails_leaves_no_note(path: Path, checked: list[Path]) -> None:
    """What a check before that found is not forgotten by the next start."""
    url = await closed(path)
    checked.clear()
    rot(path)
    write_to(path)
    for _ in range(2):
        with pytest.raises(DatabaseDamagedError):
            await open_database(url)
    assert checked == [path] * 2


async def test_damage_of_a_file_that_was_closed_well_is_found_while_it_is_used(path: Path) -> None:
    """It is read beside those who use it, and the process is to end then; the next start is refused."""
    url = await closed(path)
    rot(path)
    database = await open_database(url)
    async with asyncio.timeout(60):
        assert "restore a backup" in str(await database.health.wait_for_damage())
    await database.close()
    with pytest.raises(DatabaseDamagedError):
        await open_database(url)


async def test_a_check_ends_with_the_database(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it would take, and however early it is."""
    url = await closed(path)

    def read_for_ever(_: Path, connection: Any) -> None:
        connection.execute(ENDLESS)

    monkeypatch.setattr(sqlite, "_require_whole", read_for_ever)
    for seconds in (0, 0.1):
        database = await open_database(url)
        await asyncio.sleep(seconds)
        async with asyncio.timeout(60):
            await database.close()
    monkeypatch.undo()
    await (await open_database(url)).close()


async def test_a_refused_bot_takes_no_note(path: Path, checked: list[Path]) -> None:
    """One that runs on the file already still leaves its own."""
    url = await closed(path)
    database = await open_database(url)
    with pytest.raises(DatabaseError, match="another bot is running"):
        await open_database(url)
    await database.close()
    checked.clear()
    await (await open_database(url)).close()
    assert checked == []
