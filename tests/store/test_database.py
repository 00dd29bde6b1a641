"""Tests of transactions, and of closing the database."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from bot.model.ids import MatchId
from bot.model.outbox import MessageKind
from bot.model.shards import ALL_SHARDS
from bot.store import key_values, outbox
from bot.store.database import CONNECTIONS_PER_LANE, Database, Lane
from bot.store.errors import DatabaseError, DatabaseUnavailableError
from bot.store.opening import open_database
from bot.store.rows import WantedMessage
from bot.store.transaction import Transaction
from tests.helpers.databases import new_database


class TroubleError(Exception):
    """Raised inside transactions by these tests."""


async def counter(transaction: Transaction) -> int:
    """Return the value of the counter that these tests store."""
    return int(await key_values.load(transaction, "count") or 0)


async def increment(transaction: Transaction) -> None:
    """Read the counter, let other tasks run, and increment it."""
    value = await counter(transaction)
    await asyncio.sleep(0)
    await key_values.save(transaction, "count", str(value + 1))


async def read_counter(database: Database) -> int:
    """Return the counter's value, in a transaction of its own."""
    async with database.read() as transaction:
        return await counter(transaction)


async def increment_counter(database: Database) -> None:
    """Increment the counter in a transaction of its own."""
    async with database.write() as transaction:
        await increment(transaction)


@pytest.mark.parametrize("lane", Lane)
async def test_lanes_do_not_block_each_other(database: Database, lane: Lane) -> None:
    """A reader of one lane does not wait while all connections of the other lanes are in use."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        for other in set(Lane) - {lane}:
            for _ in range(CONNECTIONS_PER_LANE[other]):
                await stack.enter_async_context(database.read(other))
        async with database.read(lane) as transaction:
            assert await counter(transaction) == 0


@pytest.mark.both_databases
async def test_commits_are_counted(database: Database) -> None:
    """The metric of commits counts one for each write transaction, but none for reads and rollbacks."""

    def commits() -> float:
        return REGISTRY.get_sample_value("deadwood_commit_seconds_count") or 0

    before = commits()
    await increment_counter(database)
    await increment_counter(database)
    await read_counter(database)
    with suppress(TroubleError):
        async with database.write() as transaction:
            await increment(transaction)
            raise TroubleError
    assert commits() == before + 2


async def run_loop(turns: int) -> None:
    """Let the event loop run `turns` times."""
    for _ in range(turns):
        await asyncio.sleep(0)


async def pragmas(transaction: Transaction) -> dict[str, object]:
    """Return the settings of a transaction's connection."""
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "query_only", "trusted_schema")
    return {name: (await transaction.execute(text(f"PRAGMA {name}"))).scalar() for name in names}


@pytest.mark.sqlite
async def test_connections_are_set_up_for_safety(path: Path) -> None:
    """Writers and readers use WAL, full synchronization, a busy timeout and foreign keys. Readers cannot write."""
    database = await open_database(new_database(path))
    common = {
        "journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000, "foreign_keys": 1, "trusted_schema": 0
    }  # fmt: skip
    async with database.write() as transaction:
        assert await pragmas(transaction) == common | {"query_only": 0}
    async with database.read() as transaction:
        assert await pragmas(transaction) == common | {"query_only": 1}
    await database.close()


async def test_exception_rolls_back(database: Database) -> None:
    """An exception rolls back the transaction and reaches the caller. The next transaction works."""

    async def save_and_fail() -> None:
        async with database.write() as transaction:
            await key_values.save(transaction, "count", "99")
            raise TroubleError

    with pytest.raises(TroubleError):
        await save_and_fail()
    assert await read_counter(database) == 0
    await increment_counter(database)
    assert await read_counter(database) == 1


@pytest.mark.sqlite
async def test_failed_commit_rolls_back(database: Database) -> None:
    """Changes of a failed commit are rolled back, and the next transaction does not commit them."""

    async def seat_in_no_match() -> None:
        async with database.write() as transaction:
            await increment(transaction)
            # The foreign key is checked only at the commit.
            await transaction.execute(text("PRAGMA defer_foreign_keys=ON"))
            await transaction.execute(text("INSERT INTO seat (match_id, seat) VALUES (99, 0)"))

    with pytest.raises(sqlite3.IntegrityError):
        await seat_in_no_match()
    await increment_counter(database)
    assert await read_counter(database) == 1


async def test_a_reader_cannot_write(database: Database) -> None:
    """A write in a read transaction is refused."""

    async def write_in_read() -> None:
        async with database.read() as transaction:
            await increment(transaction)

    with pytest.raises(DatabaseUnavailableError, match="read-only"):
        await write_in_read()
    assert await read_counter(database) == 0


@pytest.mark.sqlite
@pytest.mark.thorough
async def test_no_update_is_lost(database: Database) -> None:
    """No update is lost if 50 tasks read and write the same value at the same time."""
    await asyncio.gather(*(increment_counter(database) for _ in range(50)))
    assert await read_counter(database) == 50


@pytest.mark.sqlite
async def test_writers_lock_before_they_read(database: Database) -> None:
    """A write transaction holds the lock from its first query, so its reads stay valid until its end."""

    async def steal() -> None:
        async with database.read() as transaction:
            await transaction.execute(text("PRAGMA busy_timeout=0"))
            await transaction.execute(text("PRAGMA query_only=OFF"))
            await key_values.save(transaction, "count", "7")

    async with database.write() as transaction:
        assert await counter(transaction) == 0
        with pytest.raises(DatabaseUnavailableError, match="locked"):
            await steal()
        await increment(transaction)
    assert await read_counter(database) == 1


async def test_readers_see_one_snapshot(database: Database) -> None:
    """A read transaction does not see commits made after its start. The next read transaction sees them."""
    await increment_counter(database)
    async with database.read() as transaction:
        assert await counter(transaction) == 1
        await increment_counter(database)
        assert await counter(transaction) == 1
    assert await read_counter(database) == 2


async def test_more_readers_than_connections_all_get_an_answer(database: Database) -> None:
    """If there are more readers than connections, they wait and all succeed."""
    await increment_counter(database)
    assert set(await asyncio.gather(*(read_counter(database) for _ in range(40)))) == {1}


@pytest.mark.sqlite
async def test_cancelled_writer_leaves_the_queue(database: Database) -> None:
    """A writer that is cancelled while it waits does not block the writers behind it."""
    async with database.write() as transaction:
        waiting = [asyncio.create_task(increment_counter(database)) for _ in range(6)]
        await run_loop(3)
        for task in waiting[::2]:
            task.cancel()
        await run_loop(3)
        await increment(transaction)
    await asyncio.gather(*waiting, return_exceptions=True)
    assert [task.cancelled() for task in waiting] == [True, False] * 3
    assert await read_counter(database) == 4


@pytest.mark.sqlite
async def test_closing_waits_for_transactions_and_leaves_no_thread(path: Path) -> None:
    """Closing waits for open transactions and ends the driver's threads.

    It also moves the contents of the write-ahead log into the database file.
    """
    threads = set(threading.enumerate())
    database = await open_database(new_database(path))
    await asyncio.gather(*(read_counter(database) for _ in range(5)))
    async with database.write() as writing, database.read() as reading:
        closing = asyncio.create_task(database.close())
        await run_loop(20)
        assert not closing.done()
        with pytest.raises(DatabaseError, match="closed"):
            await increment_counter(database)
        assert await counter(reading) == 0
        await increment(writing)
    await closing
    left = {thread for thread in threading.enumerate() if not thread.name.startswith("asyncio_")} - threads
    for thread in left:
        thread.join(timeout=30)
    assert not [thread for thread in left if thread.is_alive()]
    assert not path.with_name(path.name + "-wal").exists()
    with pytest.raises(DatabaseError, match="closed"):
        await read_counter(database)
    again = await open_database(f"sqlite:///{path}")
    assert await read_counter(again) == 1
    await again.close()


async def test_idle_without_open_transactions(database: Database) -> None:
    """`is_idle` is True before and after transactions, and False while any transaction is open."""
    assert database.is_idle
    async with database.read():
        async with database.write():
            assert not database.is_idle
        assert not database.is_idle
    assert database.is_idle


@pytest.mark.sqlite
async def test_cancelled_close_completes(path: Path) -> None:
    """Cancelling `close` does not stop it: after a second `close`, the file can be reopened immediately."""
    database = await open_database(new_database(path))
    await increment_counter(database)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await database.close()
    again = await open_database(f"sqlite:///{path}")
    assert await read_counter(again) == 1
    await again.close()


@pytest.mark.sqlite
@pytest.mark.thorough
async def test_failed_close_releases_the_file(path: Path) -> None:
    """If cleaning up fails on a full disk, `close` raises, but it releases the lock and no saved data is lost."""
    now = datetime.now(UTC)
    wanted = [WantedMessage(MessageKind.HAND, number, 0, None, 1, 0, False, now) for number in range(3000)]
    database = await open_database(new_database(path))
    async with database.write() as transaction:
        outbox.request(transaction, wanted)
        pages = (await transaction.execute(text("PRAGMA page_count"))).scalar()
        await transaction.execute(text(f"PRAGMA max_page_count={pages}"))
        await outbox.awaits_showdown(transaction, MatchId(5))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await database.close()
    again = await open_database(f"sqlite:///{path}")
    async with again.read() as transaction:
        assert len(await outbox.due(transaction, ALL_SHARDS, now, (), 9999)) == 3000
    await again.close()


@pytest.mark.sqlite
@pytest.mark.nightly
def test_process_exits_without_close(path: Path) -> None:
    """A process exits when its main function raises an exception, although the driver's threads are still running."""
    script = (
        "import asyncio, sys\n"
        "from bot.store.opening import open_database\n"
        "async def main():\n"
        "    database = await open_database(sys.argv[1])\n"
        "    await database.check_health()\n"
        "    raise SystemExit(7)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, f"sqlite:///{path}"], timeout=120, check=False)
    assert done.returncode == 7


async def test_health_check_fails_after_close(database: Database) -> None:
    """`check_health` succeeds while the database is open, and fails once it is closed."""
    await database.check_health()
    await database.close()
    with pytest.raises(DatabaseError, match="closed"):
        await database.check_health()
