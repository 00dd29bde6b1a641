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
from bot.store.postgres.database import MAX_WRITERS
from tests.helpers.waiting import MAX_WAIT, eventually
from tests.store.test_database import counter, increment, increment_counter, read_counter
from tests.store.test_migrate import with_later_migration

pytestmark = [pytest.mark.thorough, pytest.mark.postgresql]

WAIT_EVENTS: Final = "SELECT wait_event FROM pg_stat_activity WHERE datname = current_database()"
"""Query for the events that connections wait for: https://www.postgresql.org/docs/current/monitoring-stats.html."""
PROCESSES: Final = 4
"""Number of simulated processes, each of which opens the same database."""
LATER_REVISION: Final = "9999"
"""The revision of a later version of the program."""

OpenLaterVersion = Callable[..., Coroutine[Any, Any, Database]]


@pytest.fixture
async def databases(url: str) -> AsyncIterator[list[Database]]:
    """Open the same database several times, and close it after the test."""
    async with AsyncExitStack() as stack:
        opened = [await open_database(url) for _ in range(PROCESSES)]
        for database in opened:
            stack.push_async_callback(database.close)
        yield opened


async def test_erasing_does_not_wait_for_readers(databases: list[Database], host: Any) -> None:
    """Erasing does not wait for readers, such as a long dump. A vacuum that truncates tables would wait."""
    first, second, *_ = databases
    lessons = [{"person_id": number, "step": 1} for number in range(10_000)]
    async with first.write() as transaction:
        await transaction.execute(tables.lesson.insert(), lessons)
    async with first.write() as transaction:
        await transaction.execute(delete(tables.lesson))
    async with second.read() as reading:
        await reading.execute(select(tables.lesson).limit(1))
        # A truncating vacuum would wait for five seconds: VACUUM_TRUNCATE_LOCK_TIMEOUT.
        erasing, wait_events = asyncio.create_task(first.erase_traces()), set[str | None]()
        while not erasing.done():
            wait_events |= {row["wait_event"] for row in await host.fetch(WAIT_EVENTS)}
        await erasing
    assert "VacuumTruncate" not in wait_events


async def test_traces_are_erased_in_every_table(databases: list[Database], host: Any) -> None:
    """`erase_traces` runs VACUUM and ANALYZE on every table."""
    await databases[0].erase_traces()
    query = "SELECT relname FROM pg_stat_user_tables WHERE vacuum_count > 0 AND analyze_count > 0"
    erased = set[str]()
    async with asyncio.timeout(MAX_WAIT):
        # The server updates these counters with a delay.
        while not erased >= set(tables.metadata.tables):
            erased = {row["relname"] for row in await host.fetch(query)}


async def test_erasing_times_out_on_a_locked_table(
    databases: list[Database], host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a table is locked, erasing fails after a short wait. Once the table is unlocked, erasing works."""
    monkeypatch.setitem(engines.SESSION_SETTINGS, "lock_timeout", "200ms")
    async with host.transaction():
        await host.execute("LOCK TABLE lesson IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(DatabaseLockedError):
            await asyncio.wait_for(databases[0].erase_traces(), 60)
    await databases[0].erase_traces()


async def test_conflicting_write_fails(databases: list[Database]) -> None:
    """If two transactions change the same row, the second one fails with a conflict and saves nothing."""
    first, second, *_ = databases
    await increment_counter(first)

    async def write_with_conflict() -> None:
        async with first.write() as transaction:
            await counter(transaction)
            await increment_counter(second)
            await increment(transaction)

    with pytest.raises(ConflictError):
        await write_with_conflict()
    assert await read_counter(first) == 2


async def test_shielded_functions_are_retried(databases: list[Database]) -> None:
    """Simultaneous calls of a `shielded` function are retried after conflicts: each takes effect exactly once."""

    @shielded
    async def write(database: Database) -> None:
        await increment_counter(database)

    await asyncio.gather(*(write(database) for database in databases for _ in range(2)))
    assert await read_counter(databases[0]) == 2 * PROCESSES


@pytest.mark.nightly
async def test_writers_run_in_parallel(databases: list[Database]) -> None:
    """`MAX_WRITERS` transactions that change different rows can be open at the same time."""
    database, *_ = databases
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        for number in range(MAX_WRITERS):
            transaction = await stack.enter_async_context(database.write())
            await key_values.save(transaction, str(number), "1")


async def test_a_reader_cannot_write(databases: list[Database]) -> None:
    """A write in a read transaction is refused."""
    with pytest.raises(DatabaseUnavailableError, match="read-only"):
        async with databases[0].read() as transaction:
            await increment(transaction)


async def test_lost_connection_before_commit_is_a_conflict(databases: list[Database]) -> None:
    """A transaction whose connection is lost before its commit raises a conflict and saves nothing."""
    first, second, *_ = databases

    async def write_with_lost_connection() -> None:
        async with first.write() as transaction:
            await increment(transaction)
            process = (await transaction.execute(text("SELECT pg_backend_pid()"))).scalar_one()
            async with second.write() as other:
                await other.execute(text("SELECT pg_terminate_backend(:process)"), {"process": process})
            await counter(transaction)

    with pytest.raises(ConflictError):
        await write_with_lost_connection()
    await increment_counter(first)
    assert await read_counter(first) == 1


async def test_server_restart_replaces_connections(databases: list[Database]) -> None:
    """After a server restart, reads and writes succeed, because old connections are replaced."""
    first, second, *_ = databases
    await increment_counter(first)
    for lane in Lane:
        async with first.read(lane) as transaction:
            await counter(transaction)
    async with second.write() as other:
        from_other_connections = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ended_processes = (
            await other.execute(text(f"SELECT pid, pg_terminate_backend(pid) {from_other_connections}"))
        ).all()
    # A client can notice the end of its connection only after the server's process is gone.
    await eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid, _ in ended_processes))
    # The event loop reads the server's last message first, and notices the end of the connection one turn later.
    for _ in range(10):
        await asyncio.sleep(0)
    for lane in Lane:
        async with first.read(lane) as transaction:
            assert await counter(transaction) == 1
    await increment_counter(first)
    assert await read_counter(first) == 2


@pytest.mark.nightly
@pytest.mark.parametrize("options", ["sslmode=disable", "sslmode=prefer&target_session_attrs=any"])
async def test_postgresql_url_options_are_accepted(url: str, options: str) -> None:
    """URLs may start with `postgres://` and have the options of PostgreSQL's own programs."""
    database = await open_database(f"{url.replace('postgresql://', 'postgres://')}?{options}")
    await increment_counter(database)
    await database.close()


@pytest.mark.nightly
@pytest.mark.parametrize("options", ["speed=fast", "sslmode", "port=1", "options=-c%20speed%3Dfast"])
async def test_unusable_option_is_refused(url: str, options: str) -> None:
    """A database is not opened if an option in its URL is unknown, incomplete, duplicate or rejected by the server."""
    with pytest.raises(DatabaseError, match=r"speed|sslmode|port"):
        await open_database(f"{url}?{options}")


async def test_unreachable_server_is_temporary_trouble(databases: list[Database], url: str) -> None:
    """If the server cannot be reached, opening raises `DatabaseUnavailableError` without the password."""
    with pytest.raises(DatabaseUnavailableError) as caught:
        await open_database("postgresql://somebody:secret@127.0.0.1:1/deadwood")
    assert "no connection (" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.nightly
async def test_missing_database_is_refused(url: str) -> None:
    """Opening a database that does not exist is refused with an error that names it."""
    with pytest.raises(DatabaseError, match="nowhere"):
        await open_database(f"{url}_nowhere")


@pytest.fixture
async def open_later_version(url: str, host: Any, tmp_path: Path) -> AsyncIterator[OpenLaterVersion]:
    """Return a function that opens the database with a later version of the program.

    Its argument is the last statement of the later version's migration. The changes are removed after the test, because
    other tests reuse the database.
    """
    numbers = itertools.count()
    async with AsyncExitStack() as at_end:

        async def update(last: str = "pass") -> Database:
            scripts = with_later_migration(tmp_path / str(next(numbers)), last)
            database = await PostgresDatabase.open(url, scripts)
            at_end.push_async_callback(database.close)
            return database

        yield update
    await host.execute("DROP TABLE IF EXISTS trophy; ALTER TABLE key_value DROP COLUMN IF EXISTS note")
    await host.execute(f"UPDATE alembic_version SET version_num = '{Migrations().head}'")


@pytest.mark.nightly
async def test_update_migrates_tables(url: str, open_later_version: OpenLaterVersion, host: Any) -> None:
    """An update migrates the tables and keeps the rows. Afterwards the old version refuses to open the database."""
    old = await open_database(url)
    await increment_counter(old)
    await old.close()
    updated = await open_later_version()
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATER_REVISION
    assert [tuple(row) for row in await host.fetch("SELECT value, note FROM key_value")] == [("1", None)]
    assert await host.fetchval("SELECT count(*) FROM trophy") == 0
    await increment_counter(updated)
    for _ in range(2):
        with pytest.raises(DatabaseError, match=rf"comes from a newer version \(revision {LATER_REVISION}\); update"):
            await open_database(url)
    assert await read_counter(updated) == 2


async def test_an_update_is_refused_while_an_older_version_runs(
    url: str, open_later_version: OpenLaterVersion, host: Any
) -> None:
    """An update is refused, and changes nothing, while an older version is running. Afterwards, it succeeds."""
    old = await open_database(url)
    for _ in range(2):
        with pytest.raises(DatabaseUnavailableError, match=r"an older version is running on .*: stop it"):
            await open_later_version()
    await increment_counter(old)
    await (await open_database(url)).close()
    assert await host.fetchval("SELECT to_regclass('trophy')") is None
    await old.close()
    await increment_counter(await open_later_version())
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATER_REVISION


async def test_failed_update_is_rolled_back(url: str, open_later_version: OpenLaterVersion, host: Any) -> None:
    """If the last statement of an update fails, everything is rolled back, and the old version still works."""
    earlier_revision = await host.fetchval("SELECT version_num FROM alembic_version")
    with pytest.raises(DatabaseError, match=r'cannot use .*"nowhere" does not exist'):
        await open_later_version('op.execute("DROP TABLE nowhere")')
    assert await host.fetchval("SELECT to_regclass('trophy')") is None
    assert await host.fetchval("SELECT version_num FROM alembic_version") == earlier_revision
    reopened = await open_database(url)
    await increment_counter(reopened)
    await reopened.close()


async def test_only_one_process_migrates(open_later_version: OpenLaterVersion, host: Any) -> None:
    """If two processes update at the same time, one runs the migrations, and the other waits until they are done."""
    first, second = await asyncio.gather(open_later_version(), open_later_version())
    await increment_counter(first)
    assert await read_counter(second) == 1
    assert await host.fetchval("SELECT version_num FROM alembic_version") == LATER_REVISION


@pytest.mark.nightly
async def test_tables_match_metadata(url: str) -> None:
    """A new database has exactly the tables of the metadata."""
    database = cast(PostgresDatabase, await open_database(url))

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), tables.metadata))

    readers = database._readers[Lane.PLAY]  # pyright: ignore[reportPrivateUsage]
    async with readers.connect() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


async def test_close_closes_all_connections(url: str, host: Any) -> None:
    """After `close`, all connections are closed, and using the database raises an error."""
    connections_query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    earlier_pids = {row["pid"] for row in await host.fetch(connections_query)}
    database = await open_database(url)
    await increment_counter(database)
    assert await read_counter(database) == 1
    assert {row["pid"] for row in await host.fetch(connections_query)} - earlier_pids
    await database.close()
    with pytest.raises(DatabaseError, match="closed"):
        await read_counter(database)
    # The server notices a closed connection with a delay.
    async with asyncio.timeout(60):
        while {row["pid"] for row in await host.fetch(connections_query)} - earlier_pids:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.05)


async def fail(database: Database, code: str) -> None:
    """Make the server raise an error with this code and with details on further lines."""
    error = f"RAISE EXCEPTION 'invalid page' USING ERRCODE = '{code}', DETAIL = 'more', HINT = 'and more'"
    async with database.write() as transaction:
        await transaction.execute(text(f"DO $$ BEGIN {error}; END $$"))


async def test_damage_is_reported_in_one_line(databases: list[Database]) -> None:
    """The error for damage is one line with the server's message and the remedy, and without the statement."""
    database, *_ = databases
    waiting = asyncio.create_task(database.health.wait_for_damage())
    with pytest.raises(DatabaseDamagedError):
        await fail(database, "XX001")
    message = str(await waiting)
    assert len(message.splitlines()) == 1
    assert message.endswith(": invalid page; restore a backup")


async def test_trouble_is_logged_once_and_ends(databases: list[Database]) -> None:
    """While the disk is full, writes fail and reads work. The trouble and its end are logged once each."""
    database, *_ = databases
    with capture_logs() as lines:
        for _ in range(2):
            with pytest.raises(DatabaseUnavailableError, match="out of resources"):
                await fail(database, "53100")
        assert await read_counter(database) == 0
        assert database.health.trouble is not None
        await increment_counter(database)
    assert database.health.trouble is None
    assert [line["event"] for line in lines] == ["database unavailable", "database available again"]
