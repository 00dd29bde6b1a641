"""Tests of PostgreSQL databases that several processes share: conflicts, migrations, erasures and lost connections."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, cast

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, delete, select, text
from structlog.testing import capture_logs

from bot.play.loading.unit_of_work import shielded
from bot.store import key_values, tables
from bot.store.database import Database, Lane
from bot.store.errors import (
    ConflictError,
    DatabaseDamagedError,
    DatabaseError,
    DatabaseLockedError,
    DatabaseUnavailableError,
)
from bot.store.migrate import Migrations
from bot.store.opening import open_database
from bot.store.postgres import PostgresDatabase, engines
from bot.store.postgres.database import WRITERS
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.store.test_database import count, count_up, read_count, write_count
from tests.store.test_migrate import later_scripts

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

WAITS: Final = "SELECT wait_event FROM pg_stat_activity WHERE datname = current_database()"
"""Query for the events that connections wait for: https://www.postgresql.org/docs/current/monitoring-stats.html."""
PROCESSES: Final = 4
"""Number of simulated processes: databases that are opened with the same URL."""
LATEST: Final = "9999"
"""The revision of a later version of the program."""

Update = Callable[..., Coroutine[Any, Any, Database]]


@pytest.fixture
async def databases(url: str) -> AsyncIterator[list[Database]]:
    """Open the same database several times, and close it after the test."""
    async with AsyncExitStack() as stack:
        opened = [await open_database(url) for _ in range(PROCESSES)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened


async def test_traces_are_erased_beside_readers(databases: list[Database], host: Any) -> None:
    """Erasing does not wait for readers such as a long dump. A vacuum that truncates a table would wait."""
    first, second, *_ = databases
    lessons = [{"person_id": number, "step": 1} for number in range(10_000)]
    async with first.write() as transaction:
        await transaction.execute(tables.lesson.insert(), lessons)
    async with first.write() as transaction:
        await transaction.execute(delete(tables.lesson))
    async with second.read() as reading:
        await reading.execute(select(tables.lesson).limit(1))
        # A truncating vacuum would wait for five seconds: VACUUM_TRUNCATE_LOCK_TIMEOUT.
        erasing, waits = asyncio.create_task(first.erase_traces()), set[str | None]()
        while not erasing.done():
            waits |= {row["wait_event"] for row in await host.fetch(WAITS)}
        await erasing
    assert "VacuumTruncate" not in waits


async def test_traces_are_erased_in_every_table(databases: list[Database], host: Any) -> None:
    """Erasing vacuums and analyzes every table."""
    await databases[0].erase_traces()
    query = "SELECT relname FROM pg_stat_user_tables WHERE vacuum_count > 0 AND analyze_count > 0"
    erased = set[str]()
    async with asyncio.timeout(MAX_WAIT):
        # The server updates these counters with a delay.
        while not erased >= set(tables.metadata.tables):
            erased = {row["relname"] for row in await host.fetch(query)}


async def test_an_erasure_does_not_wait_for_a_lock_without_end(
    databases: list[Database], host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Erasing fails soon while a table is locked, because people and housekeeping wait for it. Later it works."""
    monkeypatch.setitem(engines.SESSION, "lock_timeout", "200ms")
    async with host.transaction():
        await host.execute("LOCK TABLE lesson IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(DatabaseLockedError):
            await asyncio.wait_for(databases[0].erase_traces(), 60)
    await databases[0].erase_traces()


async def test_of_two_that_change_the_same_one_is_made_again(databases: list[Database]) -> None:
    """If two transactions change the same row, the second one fails with a conflict and saves nothing."""
    first, second, *_ = databases
    await write_count(first)

    async def be_overtaken() -> None:
        async with first.write() as one:
            await count(one)
            await write_count(second)
            await count_up(one)

    with pytest.raises(ConflictError):
        await be_overtaken()
    assert await read_count(first) == 2


async def test_shielded_functions_all_count(databases: list[Database]) -> None:
    """Simultaneous calls of a shielded function all succeed, and each takes effect exactly once."""

    @shielded
    async def write(database: Database) -> None:
        await write_count(database)

    await asyncio.gather(*(write(database) for database in databases for _ in range(2)))
    assert await read_count(databases[0]) == 2 * PROCESSES


@pytest.mark.nightly
async def test_as_many_write_at_a_time_as_may(databases: list[Database]) -> None:
    """`WRITERS` transactions that change different rows can be open at the same time."""
    database, *_ = databases
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        for number in range(WRITERS):
            transaction = await stack.enter_async_context(database.write())
            await key_values.save(transaction, str(number), "1")


async def test_a_reader_cannot_write(databases: list[Database]) -> None:
    """A write in a read transaction is refused."""
    with pytest.raises(DatabaseUnavailableError, match="read-only"):
        async with databases[0].read() as transaction:
            await count_up(transaction)


async def test_a_connection_that_is_lost_before_the_end_saves_nothing(databases: list[Database]) -> None:
    """A transaction whose connection is lost before its commit raises a conflict and saves nothing."""
    first, second, *_ = databases

    async def be_cut_off() -> None:
        async with first.write() as one:
            await count_up(one)
            process = (await one.execute(text("SELECT pg_backend_pid()"))).scalar_one()
            async with second.write() as other:
                await other.execute(text("SELECT pg_terminate_backend(:process)"), {"process": process})
            await count(one)

    with pytest.raises(ConflictError):
        await be_cut_off()
    await write_count(first)
    assert await read_count(first) == 1


async def test_after_a_restart_of_the_server_nobody_is_refused(databases: list[Database]) -> None:
    """After a server restart, reads and writes succeed, because old connections are replaced."""
    first, second, *_ = databases
    await write_count(first)
    for lane in Lane:
        async with first.read(lane) as transaction:
            await count(transaction)
    async with second.write() as other:
        of_first = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ended = (await other.execute(text(f"SELECT pid, pg_terminate_backend(pid) {of_first}"))).all()
    # A client can notice the end of its connection only after the server's process is gone.
    await eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid, _ in ended))
    # The event loop reads the server's last words first, and the end of the connection a turn later.
    for _ in range(10):
        await asyncio.sleep(0)
    for lane in Lane:
        async with first.read(lane) as transaction:
            assert await count(transaction) == 1
    await write_count(first)
    assert await read_count(first) == 2


@pytest.mark.nightly
@pytest.mark.parametrize("options", ["sslmode=disable", "sslmode=prefer&target_session_attrs=any"])
async def test_addresses_as_hosts_of_databases_write_them(url: str, options: str) -> None:
    """URLs may start with `postgres://` and have the options of PostgreSQL's own programs."""
    database = await open_database(f"{url.replace('postgresql://', 'postgres://')}?{options}")
    await write_count(database)
    await database.close()


@pytest.mark.nightly
@pytest.mark.parametrize("options", ["speed=fast", "sslmode", "port=1", "options=-c%20speed%3Dfast"])
async def test_an_option_that_would_not_count_is_refused(url: str, options: str) -> None:
    """An unknown, incomplete, duplicate or rejected option prevents the opening."""
    with pytest.raises(DatabaseError, match=r"speed|sslmode|port"):
        await open_database(f"{url}?{options}")


async def test_a_server_that_cannot_be_reached_is_trouble_that_may_pass(databases: list[Database], url: str) -> None:
    """If the server cannot be reached, opening raises `DatabaseUnavailableError` without the password."""
    with pytest.raises(DatabaseUnavailableError) as caught:
        await open_database("postgresql://somebody:secret@127.0.0.1:1/deadwood")
    assert "no connection (" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.nightly
async def test_a_database_that_does_not_exist_is_refused(url: str) -> None:
    """Opening a database that does not exist is refused with an error that names it."""
    with pytest.raises(DatabaseError, match="nowhere"):
        await open_database(f"{url}_nowhere")


@pytest.fixture
async def update(url: str, host: Any, tmp_path: Path) -> AsyncIterator[Update]:
    """Return a function that opens the database with a later version of the program.

    Its argument is the last statement of the later version's migration. The changes are removed after the test, because
    other tests reuse the database.
    """
    numbers = itertools.count()
    async with AsyncExitStack() as at_end:

        async def update(last: str = "pass") -> Database:
            scripts = later_scripts(tmp_path / str(next(numbers)), last)
            database = await PostgresDatabase.open(url, scripts)
            at_end.push_async_callback(database.close)
            return database

        yield update
    await host.execute("DROP TABLE IF EXISTS trophy; ALTER TABLE key_value DROP COLUMN IF EXISTS note")
    await host.execute(f"UPDATE alembic_version SET version_num = '{Migrations().head}'")


@pytest.mark.nightly
async def test_an_update_brings_the_tables_up_to_date(url: str, update: Update, host: Any) -> None:
    """An update migrates the tables and keeps the rows. Afterwards the old version refuses to open the database."""
    old = await open_database(url)
    await write_count(old)
    await old.close()
    updated = await update()
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATEST
    assert [tuple(row) for row in await host.fetch("SELECT value, note FROM key_value")] == [("1", None)]
    assert await host.fetchval("SELECT count(*) FROM trophy") == 0
    await write_count(updated)
    for _ in range(2):
        with pytest.raises(DatabaseError, match=rf"comes from a newer version \(revision {LATEST}\); update"):
            await open_database(url)
    assert await read_count(updated) == 2


async def test_an_update_is_refused_while_an_older_version_runs(url: str, update: Update, host: Any) -> None:
    """An update is refused, and changes nothing, while an older version is running. Then it succeeds."""
    old = await open_database(url)
    for _ in range(2):
        with pytest.raises(DatabaseUnavailableError, match=r"an older version is running on .*: stop it"):
            await update()
    await write_count(old)
    await (await open_database(url)).close()
    assert await host.fetchval("SELECT to_regclass('trophy')") is None
    await old.close()
    await write_count(await update())
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATEST


async def test_an_update_that_fails_changes_nothing(url: str, update: Update, host: Any) -> None:
    """If the last statement of an update fails, everything is rolled back, and the old version still works."""
    before = await host.fetchval("SELECT version_num FROM alembic_version")
    with pytest.raises(DatabaseError, match=r'cannot use .*"nowhere" does not exist'):
        await update('op.execute("DROP TABLE nowhere")')
    assert await host.fetchval("SELECT to_regclass('trophy')") is None
    assert await host.fetchval("SELECT version_num FROM alembic_version") == before
    again = await open_database(url)
    await write_count(again)
    await again.close()


async def test_of_several_processes_one_updates(update: Update, host: Any) -> None:
    """If two processes update at the same time, one runs the migrations and the other waits for it."""
    first, second = await asyncio.gather(update(), update())
    await write_count(first)
    assert await read_count(second) == 1
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATEST


@pytest.mark.nightly
async def test_the_tables_are_those_of_the_metadata(url: str) -> None:
    """A new database has exactly the tables of the metadata."""
    database = cast(PostgresDatabase, await open_database(url))

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), tables.metadata))

    async with database.read() as transaction:
        assert await transaction.run_sync(differences) == []
    await database.close()


async def test_after_the_close_nothing_is_left_open(url: str, host: Any) -> None:
    """After the close, all connections are gone, and using the database raises an error."""
    there = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    before = {row["pid"] for row in await host.fetch(there)}
    database = await open_database(url)
    await write_count(database)
    assert await read_count(database) == 1
    assert {row["pid"] for row in await host.fetch(there)} - before
    await database.close()
    with pytest.raises(DatabaseError, match="closed"):
        await read_count(database)
    # The server notices a closed connection with a delay.
    async with asyncio.timeout(60):
        while {row["pid"] for row in await host.fetch(there)} - before:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.05)


async def fail(database: Database, code: str) -> None:
    """Make the server raise an error with this code and with details on further lines."""
    error = f"RAISE EXCEPTION 'invalid page' USING ERRCODE = '{code}', DETAIL = 'more', HINT = 'and more'"
    async with database.write() as transaction:
        await transaction.execute(text(f"DO $$ BEGIN {error}; END $$"))


async def test_damage_is_told_in_one_line(databases: list[Database]) -> None:
    """The error for damage is one line with the server's message and the remedy, and without the statement."""
    database, *_ = databases
    waiting = asyncio.create_task(database.health.wait_for_damage())
    with pytest.raises(DatabaseDamagedError):
        await fail(database, "XX001")
    told = str(await waiting)
    assert len(told.splitlines()) == 1
    assert told.endswith(": invalid page; restore a backup")


async def test_trouble_is_logged_once_and_ends(databases: list[Database]) -> None:
    """While the disk is full, writes fail and reads work. The trouble and its end are logged once each."""
    database, *_ = databases
    with capture_logs() as lines:
        for _ in range(2):
            with pytest.raises(DatabaseUnavailableError, match="out of resources"):
                await fail(database, "53100")
        assert await read_count(database) == 0
        assert database.health.trouble is not None
        await write_count(database)
    assert database.health.trouble is None
    assert [line["event"] for line in lines] == ["the database has trouble", "the database works again"]
