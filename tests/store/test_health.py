"""Tests of the database's health: temporary trouble, damage, and the log of both."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from bot.store import key_values
from bot.store.database import Database
from bot.store.errors import DatabaseDamagedError, DatabaseError, DatabaseUnavailableError
from bot.store.opening import open_database
from tests.helpers.databases import file_of, new_database
from tests.helpers.host_faults import locked

pytestmark = pytest.mark.sqlite


async def shorten_lock_timeout(database: Database) -> None:
    """Shorten the writers' lock timeout to 50 milliseconds."""
    async with database.write() as transaction:
        await transaction.execute(text("PRAGMA busy_timeout=50"))


async def save(database: Database, value: str) -> None:
    """Save a value in its own transaction."""
    async with database.write() as transaction:
        await key_values.save(transaction, "key", value)


async def load(database: Database) -> str | None:
    """Return the value that `save` saved last."""
    async with database.read() as transaction:
        return await key_values.load(transaction, "key")


async def test_a_locked_database_is_logged_once_and_works_again(database: Database) -> None:
    """While the database is locked, writes fail and reads work. The trouble and its end are logged once each."""
    await shorten_lock_timeout(database)
    await save(database, "before")
    with capture_logs() as lines:
        with locked(file_of(database)):
            for _ in range(3):
                with pytest.raises(DatabaseUnavailableError, match="another program has locked it"):
                    await save(database, "meanwhile")
            assert await load(database) == "before"
            assert database.health.trouble is not None
        await save(database, "after")
        await save(database, "later")
    assert await load(database) == "later"
    assert database.health.trouble is None
    assert [line["event"] for line in lines] == ["database unavailable", "database available again"]


async def test_queued_writers_fail_together(database: Database) -> None:
    """If a writer fails because of a lock, the writers waiting behind it fail too, without waiting for the lock."""
    await shorten_lock_timeout(database)
    events = list[str]()
    with locked(file_of(database)):
        async with asyncio.TaskGroup() as group:

            async def attempt() -> None:
                try:
                    async with database.write() as transaction:
                        events.append("begun")
                        await key_values.save(transaction, "key", "value")
                except DatabaseUnavailableError:
                    events.append("refused")

            for _ in range(20):
                group.create_task(attempt())
    assert events == ["begun"] + ["refused"] * 20


async def test_a_full_disk_refuses_writes_until_there_is_room(database: Database) -> None:
    """Writes fail while the disk is full, and work again once there is room."""
    async with database.write() as transaction:
        pages = (await transaction.execute(text("PRAGMA page_count"))).scalar_one()
        await transaction.execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(DatabaseUnavailableError, match="the disk is full"):
        await save(database, "long" * 10_000)
    assert await load(database) is None
    async with database.write() as transaction:
        await transaction.execute(text(f"PRAGMA max_page_count={pages + 100}"))
    await save(database, "long" * 10_000)
    assert await load(database) == "long" * 10_000


def damage(path: Path) -> None:
    """Overwrite all pages except the first one."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))


async def test_a_damaged_file_is_not_opened(path: Path) -> None:
    """Opening a damaged file fails with a one-line error that gives the remedy, and releases the lock."""
    url = new_database(path)
    damage(path)
    for _ in range(2):
        with pytest.raises(DatabaseDamagedError, match="restore a backup") as refused:
            await open_database(url)
        assert len(str(refused.value).splitlines()) == 1


async def test_damage_found_by_erasing_is_reported(path: Path) -> None:
    """Damage found by `erase_traces`, outside a transaction, is reported by `wait_for_damage`."""
    database = await open_database(new_database(path))
    await save(database, "long" * 50_000)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damage(path)
    with pytest.raises(DatabaseError):
        await database.erase_traces()
    assert "restore a backup" in str(await database.health.wait_for_damage())
    await database.close()


async def test_damage_found_by_a_read_is_reported(path: Path) -> None:
    """If a read finds damage, the read fails, `wait_for_damage` reports it, and the file cannot be opened again."""
    database = await open_database(new_database(path))
    waiting = asyncio.create_task(database.health.wait_for_damage())
    damage(path)
    with pytest.raises(DatabaseDamagedError):
        await load(database)
    message = str(await waiting)
    assert message.endswith("restore a backup")
    assert len(message.splitlines()) == 1
    assert isinstance(database.health.trouble, DatabaseDamagedError)
    await database.close()
    with pytest.raises(DatabaseDamagedError):
        await open_database(f"sqlite:///{path}")
