"""A PostgreSQL database and the migration of its tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Final

import structlog
from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import metrics
from bot.store.address import database_name, parse_url
from bot.store.database import CONNECTIONS_PER_LANE, Database, Lane
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError
from bot.store.health import DatabaseHealth
from bot.store.migrate import SCRIPT_LOCATION, Migrations
from bot.store.postgres.engines import PATIENT_SESSION_SETTINGS, create_engine, create_reader
from bot.store.postgres.faults import database_error
from bot.store.postgres.keeper import USERS_LOCK, LockConnection
from bot.store.postgres.transaction import PostgresTransaction
from bot.store.tables import metadata
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

MIGRATION_LOCK: Final = "update"
"""The lock of the process that is migrating the tables."""
MIGRATION_LOCK_INTERVAL: Final = 0.5
"""Interval between attempts to take the `MIGRATION_LOCK` lock, in seconds."""

MIN_POSTGRESQL_VERSION: Final = 14
"""The oldest supported version: https://www.postgresql.org/support/versioning/."""

MAX_WRITERS: Final = 4
"""Maximum number of simultaneous write transactions of a process."""

SHORT_LOCK_TIMEOUT: Final = "500ms"
"""Lock timeout of transactions while `health.is_locked` is true.

It is shorter than PostgreSQL's `deadlock_timeout`, so that in a deadlock with another session, the bot gives up first.
"""

EXIT_DETECTION_SECONDS: Final = 1.0
"""Time within which the server notices that a process was killed and releases its locks, in seconds."""


class PostgresDatabase(Database):
    """A PostgreSQL database, which several processes can share. Create one with `open`, and close it."""

    def __init__(
        self,
        address: URL,
        place: str,
        lock_connection: LockConnection,
        writers: AsyncEngine,
        readers: Mapping[Lane, AsyncEngine],
    ) -> None:
        super().__init__(DatabaseHealth(partial(database_error, place)), lock_connection)
        self._address = address
        self._lock_connection = lock_connection
        self._writers = writers
        self._readers = readers

    @staticmethod
    async def open(
        url: str, scripts_folder: str = SCRIPT_LOCATION, *, exclusive: bool = False, must_exist: bool = False
    ) -> PostgresDatabase:
        """Migrate the tables, one process at a time, and take the `USERS_LOCK` lock.

        Args:
            url: the URL of the database.
            scripts_folder: the folder of the migrations.
            exclusive: keep other processes from opening the database while this one uses it.
            must_exist: require that the database already has tables.

        Raises:
            DatabaseError: the database cannot be used, or comes from a newer version.
            DatabaseUnavailableError: the trouble is temporary, for example an older version is still running.
        """
        address, place = parse_url(url), str(database_name(url))
        try:
            lock_connection = await LockConnection.connect(address)
            try:
                await _require_version(lock_connection, place)
                async with _migration_lock(lock_connection, place):
                    migrations = Migrations(scripts_folder)
                    await _migrate(lock_connection, address, place, migrations, must_exist=must_exist)
                    if exclusive:
                        await _require_exclusive(lock_connection, place)
                    elif not await lock_connection.try_lock(USERS_LOCK, is_shared=True):
                        raise DatabaseUnavailableError(
                            f"{place} is in exclusive use by another command: wait until it ends"
                        )
                    lock_connection.revision = migrations.head
            except BaseException:
                await lock_connection.close()
                raise
        except (DatabaseError, ModuleNotFoundError):
            raise
        except Exception as error:
            # Errors while connecting come directly from the driver.
            # SQLAlchemy's own errors repeat the statement on many lines.
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise database_error(place, error, is_starting=True) or DatabaseError(
                f"cannot use {place}: {reason}"
            ) from error
        readers = {lane: create_reader(address, connections) for lane, connections in CONNECTIONS_PER_LANE.items()}
        return PostgresDatabase(address, place, lock_connection, create_engine(address, MAX_WRITERS), readers)

    @asynccontextmanager
    async def _write_transaction(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. If the connection is lost before the commit, raise `ConflictError` to cause a retry."""
        await self._lock_connection.require_use()
        async with self._writers.connect() as connection:
            is_committing = False
            try:
                transaction = await connection.begin()
                try:
                    work = PostgresTransaction(connection)
                    await self._shorten_lock_timeout(work)
                    yield work
                    await work.flush()
                except BaseException:
                    await transaction.rollback()
                    raise
                is_committing = True
                with metrics.COMMITS.time():
                    await transaction.commit()
            except DBAPIError as error:
                if error.connection_invalidated and not is_committing:
                    raise ConflictError("the connection was lost") from error
                raise

    @asynccontextmanager
    async def _read_transaction(self, lane: Lane) -> AsyncGenerator[Transaction]:
        async with self._readers[lane].begin() as connection:
            transaction = PostgresTransaction(connection)
            await self._shorten_lock_timeout(transaction)
            yield transaction

    async def _shorten_lock_timeout(self, transaction: Transaction) -> None:
        """Shorten the lock timeout if a table or row was found locked: other transactions may need the connection."""
        if self.health.is_locked:
            await transaction.execute(text(f"SET LOCAL lock_timeout = '{SHORT_LOCK_TIMEOUT}'"))

    async def _require_locks(self, transaction: Transaction) -> None:
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        await transaction.execute(text(f"LOCK TABLE {names} IN ROW EXCLUSIVE MODE"))

    async def _make_dummy_change(self, transaction: Transaction) -> None:
        """Write a dummy message to the write-ahead log."""
        await transaction.execute(text("SELECT pg_logical_emit_message(true, 'deadwood', '')"))

    async def erase_traces(self) -> None:
        """Vacuum and analyze all tables, so that deleted rows disappear from them and from the planner's statistics.

        The write-ahead log, replicas and backups are the operator's responsibility.
        """
        engine = create_engine(self._address, 1, "AUTOCOMMIT", no_timeout=True)
        with self._in_use():
            try:
                async with engine.connect() as connection:
                    for table in metadata.sorted_tables:
                        await connection.execute(text(f'VACUUM (ANALYZE, TRUNCATE false) "{table.name}"'))
            except DBAPIError as error:
                raise database_error("the database", error) or DatabaseError(f"cannot tidy up: {error.orig}") from error
            finally:
                await engine.dispose()

    async def remove_copies(self, until: datetime) -> None:
        """Do nothing: backups of the database are the operator's responsibility."""

    async def _close_connections(self) -> None:
        async with AsyncExitStack() as at_end:
            at_end.push_async_callback(self._lock_connection.close)
            for engine in (self._writers, *self._readers.values()):
                at_end.push_async_callback(engine.dispose)


async def _require_version(lock_connection: LockConnection, place: str) -> None:
    if int(await _setting(lock_connection, "server_version_num")) // 10_000 < MIN_POSTGRESQL_VERSION:
        raise DatabaseError(f"{place} is too old: PostgreSQL {MIN_POSTGRESQL_VERSION} or newer is needed")
    if (encoding := await _setting(lock_connection, "server_encoding")) != "UTF8":
        raise DatabaseError(f"{place} cannot hold all names: its encoding is {encoding}; create one with UTF8")


async def _setting(lock_connection: LockConnection, setting: str) -> str:
    row = await lock_connection.execute(text(f"SHOW {setting}"))
    assert row is not None
    return row[0]


async def _require_exclusive(lock_connection: LockConnection, place: str) -> None:
    """Take exclusive use of the database. Raise `DatabaseError` if another process uses it."""
    for _ in range(10):
        if await lock_connection.try_lock(USERS_LOCK):
            return
        await asyncio.sleep(EXIT_DETECTION_SECONDS / 10)
    raise DatabaseError(f"a bot is running on {place}; stop it first")


@asynccontextmanager
async def _migration_lock(lock_connection: LockConnection, place: str) -> AsyncGenerator[None]:
    """Hold the `MIGRATION_LOCK` lock during the block. Wait for it without a timeout."""
    is_logged = False
    while not await lock_connection.try_lock(MIGRATION_LOCK):
        if not is_logged:
            log.info("waiting for another process to migrate the tables", database=place)
            is_logged = True
        await asyncio.sleep(MIGRATION_LOCK_INTERVAL)
    try:
        yield
    finally:
        await lock_connection.release(MIGRATION_LOCK)


async def _migrate(
    lock_connection: LockConnection, address: URL, place: str, migrations: Migrations, *, must_exist: bool
) -> None:
    """Migrate the tables if necessary. Raise `DatabaseUnavailableError` if another process uses them."""
    engine = create_engine(address, 1, "READ COMMITTED", no_timeout=True, session=PATIENT_SESSION_SETTINGS)
    try:
        async with engine.connect() as connection:
            current_revision = await connection.run_sync(migrations.revision_of, place)
            if current_revision == migrations.head:
                return
            if current_revision is None and must_exist:
                raise DatabaseError(f"there is no database of the bot at {place}: it has no tables")
            if not await lock_connection.try_lock(USERS_LOCK):
                raise DatabaseUnavailableError(
                    f"an older version is running on {place}: stop it so that the update can begin"
                )
            try:
                if current_revision is None:
                    await connection.run_sync(_create_tables, migrations, place)
                else:
                    await connection.run_sync(migrations.run)
                await connection.commit()
            finally:
                await lock_connection.release(USERS_LOCK)
    finally:
        await engine.dispose()


def _create_tables(connection: Connection, migrations: Migrations, place: str) -> None:
    """Create all tables in their current form, and mark all migrations as done."""
    if tables := inspect(connection).get_table_names():
        raise DatabaseError(f"{place} has other tables, such as {tables[0]}: name an empty database")
    metadata.create_all(connection)
    migrations.stamp(connection)
