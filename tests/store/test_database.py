"""Transactions: whole or not at all, one writer at a time, and out of reach of cancellations."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from bot.store import notices, settings
from bot.store.database import Database, Transaction
from bot.store.rows import MessageKind
from bot.store.sqlite import DatabaseError


class TroubleError(Exception):
    """What a unit of work raises here."""


async def pragmas(transaction: Transaction) -> dict[str, object]:
    """How the connection of a transaction is set up."""
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "query_only", "trusted_schema")
    return {name: (await transaction.execute(text(f"PRAGMA {name}"))).scalar() for name in names}


async def count(transaction: Transaction) -> int:
    """Read a counter."""
    return int(await settings.load(transaction, "count") or 0)


async def count_up(transaction: Transaction) -> None:
    """Read a counter, give others the time to do so too, and write it one higher."""
    before = await count(transaction)
    await asyncio.sleep(0)
    await settings.keep(transaction, "count", str(before + 1))


async def test_connections_are_set_up_for_safety(database: Database) -> None:
    """Writers and readers use WAL, full synchronisation, a busy timeout and foreign keys; readers cannot write."""
    common = {
        "journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000, "foreign_keys": 1, "trusted_schema": 0
    }  # fmt: skip
    assert await database.write(pragmas) == common | {"query_only": 0}
    assert await database.read(pragmas) == common | {"query_only": 1}


async def test_work_that_raises_changes_nothing(database: Database) -> None:
    """An exception rolls the whole transaction back, reaches the caller, and the next transaction is clean."""

    async def work(transaction: Transaction) -> None:
        await settings.keep(transaction, "count", "99")
        raise TroubleError

    with pytest.raises(TroubleError):
        await database.write(work)
    assert await database.read(count) == 0
    await database.write(count_up)
    assert await database.read(count) == 1


async def test_a_reader_cannot_write(database: Database) -> None:
    """A write in a read transaction is refused."""
    with pytest.raises(OperationalError, match="readonly"):
        await database.read(count_up)
    assert await database.read(count) == 0


async def test_fifty_read_modify_writes_count_fifty(database: Database) -> None:
    """Writers that read before they write never lose one another's work."""
    await asyncio.gather(*(database.write(count_up) for _ in range(50)))
    assert await database.read(count) == 50


async def test_writers_begin_immediately(database: Database, path: Path) -> None:
    """A write transaction has the lock from its first query on: another connection cannot write before it ends."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(transaction: Transaction) -> None:
        await count(transaction)
        begun.set()
        await go_on.wait()
        await count_up(transaction)

    writing = asyncio.create_task(database.write(work))
    await begun.wait()
    with pytest.raises(OperationalError, match="locked"):
        await database.read(steal)
    go_on.set()
    await writing
    assert await database.read(count) == 1


async def steal(transaction: Transaction) -> None:
    """Try to become the writer on a connection for reading, without waiting."""
    await transaction.execute(text("PRAGMA busy_timeout=0"))
    await transaction.execute(text("PRAGMA query_only=OFF"))
    await settings.keep(transaction, "count", "7")


async def test_readers_see_one_state(database: Database) -> None:
    """A read transaction sees the same before and after somebody else's commit; the next one sees the new state."""
    await database.write(count_up)

    async def work(transaction: Transaction) -> tuple[int, int]:
        before = await count(transaction)
        await database.write(count_up)
        return before, await count(transaction)

    assert await database.read(work) == (1, 1)
    assert await database.read(count) == 2


async def test_more_readers_than_connections_all_get_an_answer(database: Database) -> None:
    """Readers beyond the number of connections wait for one."""
    await database.write(count_up)
    assert set(await asyncio.gather(*(database.read(count) for _ in range(40)))) == {1}


@pytest.mark.parametrize("turns", range(0, 40, 3))
async def test_a_cancelled_writer_commits_whole(database: Database, turns: int) -> None:
    """Wherever a cancellation hits the caller, the transaction ends whole, and nothing of it leaks into the next."""

    async def both(transaction: Transaction) -> None:
        await settings.keep(transaction, "first", "1")
        await asyncio.sleep(0)
        await settings.keep(transaction, "second", "1")

    async def found(transaction: Transaction) -> tuple[str | None, str | None]:
        return await settings.load(transaction, "first"), await settings.load(transaction, "second")

    caller = asyncio.create_task(database.write(both))
    for _ in range(turns):
        await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await database.write(count_up)
    assert await database.read(found) == (("1", "1") if turns else (None, None))
    assert await database.read(count) == 1


async def test_a_cancelled_writer_that_fails_rolls_back(database: Database) -> None:
    """Work whose caller has gone is rolled back as any other when it raises, and disturbs nobody."""
    begun = asyncio.Event()

    async def work(transaction: Transaction) -> None:
        await settings.keep(transaction, "count", "99")
        begun.set()
        await asyncio.sleep(0)
        raise TroubleError

    caller = asyncio.create_task(database.write(work))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await database.write(count_up)
    assert await database.read(count) == 1


async def test_cancelled_readers_leave_their_connections_usable(database: Database) -> None:
    """A hundred cancelled reads later, reads still get an answer."""
    callers = [asyncio.create_task(database.read(count)) for _ in range(100)]
    for turn, caller in enumerate(callers):
        if turn % 7 == 0:
            await asyncio.sleep(0)
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert await asyncio.gather(*(database.read(count) for _ in range(10))) == [0] * 10


async def test_a_transaction_killed_at_its_core_is_rolled_back(database: Database) -> None:
    """Even when the loop cancels the task of a transaction itself, as it does on its way out, nothing half is kept."""
    begun = asyncio.Event()

    async def work(transaction: Transaction) -> None:
        await settings.keep(transaction, "count", "99")
        begun.set()
        await asyncio.Event().wait()

    before = asyncio.all_tasks()
    caller = asyncio.create_task(database.write(work))
    await begun.wait()
    for task in asyncio.all_tasks() - before:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await database.write(count_up)
    assert await database.read(count) == 1


async def test_closing_waits_for_work_and_leaves_no_thread(path: Path) -> None:
    """Closing lets running work finish, ends the driver's threads, and folds the log back into the file."""
    threads = set(threading.enumerate())
    database = await Database.open(f"sqlite:///{path}")
    await asyncio.gather(*(database.read(count) for _ in range(5)))
    caller = asyncio.create_task(database.write(count_up))
    await asyncio.sleep(0)
    await database.close()
    await caller
    left = {one for one in threading.enumerate() if not one.name.startswith("asyncio_")} - threads
    for thread in left:
        thread.join(timeout=5)
    assert not [thread for thread in left if thread.is_alive()]
    assert not path.with_name(path.name + "-wal").exists()
    with pytest.raises(DatabaseError, match="closed"):
        await database.write(count_up)
    with pytest.raises(DatabaseError, match="closed"):
        await database.read(count)


async def test_closing_is_not_stopped_by_a_cancellation(path: Path) -> None:
    """A close that is cancelled, or asked for twice, still closes: the file can be opened again at once."""
    database = await Database.open(f"sqlite:///{path}")
    await database.write(count_up)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await database.close()
    again = await Database.open(f"sqlite:///{path}")
    assert await again.read(count) == 1
    await again.close()


async def test_a_close_that_fails_lets_the_file_go(path: Path) -> None:
    """On a full disk the tidying up fails, and says so; the file is free nonetheless, with all that it kept."""

    async def fill(transaction: Transaction) -> None:
        wanted = {"kind": MessageKind.HAND, "part": 0, "wanted": 1, "fresh": 0, "gone": False, "due_at": now}
        await notices.want(transaction, [wanted | {"subject": number} for number in range(3000)])
        pages = (await transaction.execute(text("PRAGMA page_count"))).scalar()
        await transaction.execute(text(f"PRAGMA max_page_count={pages}"))
        await notices.due(transaction, now)

    now = datetime.now(UTC)
    database = await Database.open(f"sqlite:///{path}")
    await database.write(fill)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await database.close()
    again = await Database.open(f"sqlite:///{path}")
    assert len(await again.read(lambda transaction: notices.due(transaction, now))) == 3000
    await again.close()


@pytest.mark.slow
def test_a_program_that_fails_without_closing_ends(path: Path) -> None:
    """The driver's threads hold no process up whose main function has raised: a supervisor can start it again."""
    script = (
        "import asyncio, sys\n"
        "from bot.store.database import Database\n"
        "async def main():\n"
        "    database = await Database.open(sys.argv[1])\n"
        "    await database.ping()\n"
        "    raise SystemExit(7)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, f"sqlite:///{path}"], timeout=30, check=False)
    assert done.returncode == 7


async def test_a_ping_reaches_the_file(database: Database) -> None:
    """The health check runs a real query, and fails once the database is closed."""
    await database.ping()
    await database.close()
    with pytest.raises(DatabaseError, match="closed"):
        await database.ping()
