"""Tests of the SQLite file: its lock, its permissions, backups, erased traces and the write-ahead log."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert

from bot.store import key_values, tables
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.opening import open_database
from bot.store.sqlite import (
    MIN_ROWS_FOR_STATISTICS,
    MIN_SQLITE_VERSION,
    backup,
    check,
    create_migration_engine,
    require_version,
)
from bot.store.sqlite_connections import MAX_LOG_SIZE, PRAGMAS
from tests.helpers.traces import traces

pytestmark = pytest.mark.sqlite

HOLDER_SCRIPT = """
import asyncio, sys
from bot.store import key_values
from bot.store.opening import open_database

async def main():
    database = await open_database(sys.argv[1])
    async with database.write() as transaction:
        await key_values.save(transaction, "kept", "before the kill")
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""A script that acts as a bot in another process: it saves a value, and keeps the database open until it is killed."""


def write_repeated(path: Path, content: str) -> None:
    """Write a file with repeated content that is not a database."""
    path.write_text(content * 200)
    path.chmod(0o600)


def read_repeated(path: Path) -> str:
    """Return the content that `write_repeated` repeated."""
    content = path.read_text()
    return content[: len(content) // 200]


async def read_kept(url: str) -> str | None:
    """Open a database, return the value of the key "kept", and close it."""
    database = await open_database(url)
    async with database.read() as transaction:
        value = await key_values.load(transaction, "kept")
    await database.close()
    return value


async def save(database: Database, key: str, value: str) -> None:
    """Save a value in its own transaction."""
    async with database.write() as transaction:
        await key_values.save(transaction, key, value)


@contextmanager
def held_by_another_process(url: str) -> Generator[None]:
    """Keep a database open in another process during the block, and kill that process at the end."""
    with subprocess.Popen([sys.executable, "-c", HOLDER_SCRIPT, url], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        yield
        holder.send_signal(signal.SIGKILL)


async def test_a_second_bot_on_the_same_file_is_refused(path: Path, database: Database) -> None:
    """While a bot uses a file, opening it again is refused, even in the same process."""
    with pytest.raises(DatabaseError, match="another bot is running"):
        await open_database(f"sqlite:///{path}")
    await database.check_health()


async def test_a_second_bot_by_another_name_is_refused(path: Path, database: Database) -> None:
    """The lock also applies if the file is opened through a link or another path."""
    path.with_name("link.db").symlink_to(path)
    for name in ("link.db", f"../{path.parent.name}/{path.name}"):
        with pytest.raises(DatabaseError, match="another bot is running"):
            await open_database(f"sqlite:///{path.parent / name}")


async def test_only_the_owner_can_read(path: Path, database: Database) -> None:
    """The file, SQLite's side files, the lock and every copy have mode 0600."""
    await save(database, "kept", "here")
    await asyncio.to_thread(backup, f"sqlite:///{path}", path.with_name("copy.db"))
    modes = {file.name.removeprefix(path.name): file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes == dict.fromkeys(("", "-wal", "-shm", ".lock", "copy.db"), 0o600)


@pytest.mark.nightly
async def test_killing_the_process_releases_the_lock(path: Path) -> None:
    """A bot in another process locks the file until it is killed. Then the file opens with all saved values."""
    url = f"sqlite:///{path}"
    with held_by_another_process(url), pytest.raises(DatabaseError, match="another bot is running"):
        await open_database(url)
    backup(url, path.with_name("after the kill.db"))
    assert await read_kept(url) == "before the kill"
    assert await read_kept(f"sqlite:///{path.with_name('after the kill.db')}") == "before the kill"


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A path in a missing folder is refused with an error that names the folder."""
    with pytest.raises(DatabaseError, match=r"cannot use .*nowhere.*No such file"):
        await open_database(f"sqlite:///{tmp_path}/nowhere/deadwood.db")


async def test_file_that_is_not_a_database_is_refused(path: Path) -> None:
    """A file that is not a database is refused and not changed, and its lock is released."""
    write_repeated(path, "dear diary")
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"cannot use .*not a database"):
            await open_database(f"sqlite:///{path}")
    assert read_repeated(path) == "dear diary"
    with pytest.raises(DatabaseError, match="cannot copy"):
        backup(f"sqlite:///{path}", path.with_name("copy.db"))
    assert not list(path.parent.glob("copy*"))


def test_a_connection_to_an_unusable_file_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file is not a database, the connection that found out is closed, even while the error is in use."""
    write_repeated(path, "not a database")
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_and_record(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect_and_record)
    with pytest.raises(DatabaseError):
        check(path)
    (connection,) = opened
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


async def test_backup_during_writes_is_consistent(path: Path, database: Database) -> None:
    """A backup made during writes holds one committed state, is undamaged, and can be opened by a bot."""

    async def write_on() -> None:
        number = 0
        while not done.is_set():
            number += 1
            await save(database, "left", str(number) * 500)
            await save(database, "kept", str(number))
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
        values = dict(copy.execute("SELECT key, value FROM key_value").fetchall())
    assert int(values["kept"]) <= int(values["left"][: len(values["left"]) // 500]) <= int(values["kept"]) + 1
    assert await read_kept(f"sqlite:///{target}") == values["kept"]
    assert {file.name for file in path.parent.glob("*.part*")} == set()


def test_a_backup_never_overwrites(path: Path, tmp_path: Path) -> None:
    """A backup to an existing target, from a missing source or to a missing folder is refused."""
    with pytest.raises(DatabaseError, match="there is no database"):
        backup(f"sqlite:///{path}", tmp_path / "copy.db")
    path.touch()
    (tmp_path / "precious.db").write_text("mine")
    with pytest.raises(DatabaseError, match="already exists"):
        backup(f"sqlite:///{path}", tmp_path / "precious.db")
    assert (tmp_path / "precious.db").read_text() == "mine"
    with pytest.raises(DatabaseError, match="cannot copy"):
        backup(f"sqlite:///{path}", tmp_path / "nowhere" / "copy.db")


@pytest.mark.nightly
async def test_deleted_rows_leave_no_traces(path: Path, database: Database) -> None:
    """After `erase_traces`, the file contains no bytes of deleted rows, even of rows that SQLite moved between pages.

    SQLite itself leaves such bytes in unused parts of pages, in inner pages of its trees, and in statistics.
    """
    random = Random(1)
    people = [random.randrange(2**60, 2**62) for _ in range(1000)]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for number, person in enumerate(people * 3):
            name = f"P{person} " + "-" * random.randrange(40)
            connection.execute("INSERT OR REPLACE INTO person (id, name, seen_at) VALUES (?, ?, 0)", (person, name))
            connection.execute("INSERT INTO guest VALUES (?, ?, ?, 0, 1)", (number, random.choice(people), number))
            connection.execute("DELETE FROM guest WHERE challenge_id = ?", (random.randrange(number + 1),))
        connection.execute("COMMIT")
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("CREATE TABLE sqlite_stat4 (tbl, idx, neq, nlt, ndlt, sample)")
        connection.execute("INSERT INTO sqlite_stat4 (sample) VALUES (?)", (str(people[0]),))
        deleted, remaining = people[:600], people[600:]
        connection.execute("BEGIN")
        for person in deleted:
            connection.execute("DELETE FROM guest WHERE person_id = ?", (person,))
            connection.execute("DELETE FROM person WHERE id = ?", (person,))
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert {form for _, form in traces(path.parent, *deleted)} >= {"varint", "digits"}
    await database.erase_traces()
    assert traces(path.parent, *deleted) == set()
    assert {form for _, form in traces(path.parent, *remaining)} == {"varint", "integer", "digits"}


def test_secure_delete_is_on(path: Path) -> None:
    """Every connection has `secure_delete` on, whatever SQLite's build options are."""
    engine = create_migration_engine(path)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
    engine.dispose()
    assert "PRAGMA secure_delete=ON" in PRAGMAS, "it is only the default of Debian's SQLite"


def test_a_sqlite_that_is_too_old_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A SQLite library older than 3.37, the first version with STRICT tables, is refused."""
    require_version()
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (MIN_SQLITE_VERSION[0], MIN_SQLITE_VERSION[1] - 1, 5))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.36.5")
    with pytest.raises(DatabaseError, match=r"3\.36\.5 is too old"):
        require_version()


async def test_small_tables_leave_no_statistics(path: Path) -> None:
    """Closing deletes statistics of small tables, which would keep SQLite from using indexes. Other statistics stay."""
    for keys, is_kept in ((range(3), False), (range(3, MIN_ROWS_FOR_STATISTICS), True)):
        database = await open_database(f"sqlite:///{path}")
        async with database.write() as transaction:
            rows = [{"key": f"key {number}", "value": "value"} for number in keys]
            await transaction.execute(insert(tables.key_value), rows)
            await transaction.exec_driver_sql("ANALYZE")
        await database.close()
        with closing(sqlite3.connect(path)) as connection:
            known = {table for (table,) in connection.execute("SELECT tbl FROM sqlite_stat1")}
        assert known == ({"key_value"} if is_kept else set())


async def grow_log(database: Database, size: int) -> None:
    """Make the write-ahead log grow by at least `size` bytes."""
    for number in range(1 + size // 1_000_000):
        await save(database, "much", f"{number}" * 1_000_000)


@pytest.mark.thorough
async def test_log_shrinks_after_readers(path: Path, database: Database) -> None:
    """The log grows while another program reads, and shrinks afterwards. `log_size` is the log file's size."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM key_value").fetchall()
        await grow_log(database, 2 * MAX_LOG_SIZE)
        assert database.log_size > 2 * MAX_LOG_SIZE
        assert database.log_size == path.with_name(f"{path.name}-wal").stat().st_size
        other.execute("COMMIT")
    await grow_log(database, MAX_LOG_SIZE // 4)
    assert 0 < database.log_size <= MAX_LOG_SIZE


async def test_missing_log_has_size_zero(path: Path, database: Database) -> None:
    """`log_size` is 0 if the log file is missing."""
    path.with_name(f"{path.name}-wal").rename(path.with_name("elsewhere"))
    assert database.log_size == 0
    path.with_name("elsewhere").rename(path.with_name(f"{path.name}-wal"))
