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
from bot.store.address import parsed, place_of
from bot.store.database import CONNECTIONS, Database, Lane
from bot.store.errors import ConflictError, DatabaseError, DatabaseUnavailableError
from bot.store.health import DatabaseHealth
from bot.store.migrate import SCRIPTS, Migrations
from bot.store.postgres.engines import UNLIMITED, create_engine, create_reader
from bot.store.postgres.faults import fault
from bot.store.postgres.keeper import IN_USE, Keeper
from bot.store.tables import metadata
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

UPDATE: Final = "update"
"""The lock of the process that is migrating the tables."""
ASKED_AGAIN_AFTER: Final = 0.5
"""Interval between attempts to take the `UPDATE` lock, in seconds."""

OLDEST_POSTGRESQL: Final = 14
"""The oldest supported version: https://www.postgresql.org/support/versioning/."""

WRITERS: Final = 4
"""Maximum number of simultaneous write transactions of a process."""

LOCKS_WAITED_FOR: Final = "500ms"
"""Lock timeout of transactions while another one is known to be blocked.

Shorter than `deadlock_timeout`, so that another session that locks several tables is not aborted as a deadlock.
"""

LEAVING_TAKES: Final = 1.0
"""Time in which the server notices that a process was killed and releases its locks, in seconds."""


class PostgresDatabase(Database):
    """A PostgreSQL database, which several processes can share. Create one with `open`, and close it."""

    def __init__(
        self, address: URL, place: str, keeper: Keeper, writers: AsyncEngine, readers: Mapping[Lane, AsyncEngine]
    ) -> None:
        super().__init__(DatabaseHealth(partial(fault, place)), keeper)
        self._address = address
        self._keeper = keeper
        self._writers = writers
        self._readers = readers

    @staticmethod
    async def open(
        url: str, scripts_at: str = SCRIPTS, *, alone: bool = False, existing: bool = False
    ) -> PostgresDatabase:
        """Migrate the tables, one process at a time, and take the lock of a process that uses the database.

        Args:
            url: the URL of the database.
            scripts_at: the folder of the migrations.
            alone: keep other processes from opening the database while this one uses it.
            existing: require that the database already has tables.

        Raises:
            DatabaseError: the database cannot be used, or comes from a newer version.
            DatabaseUnavailableError: the trouble is temporary, for example an older version is still running.
        """
        address, place = parsed(url), str(place_of(url))
        try:
            keeper = await Keeper.connect(address)
            try:
                await _require_version(keeper, place)
                async with _turn_to_update(keeper, place):
                    migrations = Migrations(scripts_at)
                    await _update(keeper, address, place, migrations, existing=existing)
                    if alone:
                        await _require_alone(keeper, place)
                    elif not await keeper.hold(IN_USE, shared=True):
                        raise DatabaseUnavailableError(f"{place} is being worked on: that has to end first")
                    keeper.revision = migrations.head
            except BaseException:
                await keeper.close()
                raise
        except (DatabaseError, ModuleNotFoundError):
            raise
        except Exception as error:
            # Errors while connecting come directly from the driver.
            # SQLAlchemy's errors repeat the statement on many lines.
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise fault(place, error, starting=True) or DatabaseError(f"cannot use {place}: {reason}") from error
        readers = {lane: create_reader(address, connections) for lane, connections in CONNECTIONS.items()}
        return PostgresDatabase(address, place, keeper, create_engine(address, WRITERS), readers)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. Raise `ConflictError` if the connection is lost before the commit: it can be retried."""
        await self._keeper.require()
        async with self._writers.connect() as connection:
            committing = False
            try:
                transaction = await connection.begin()
                try:
                    await self._hurry(connection)
                    yield connection
                except BaseException:
                    await transaction.rollback()
                    raise
                committing = True
                with metrics.COMMITS.time():
                    await transaction.commit()
            except DBAPIError as error:
                if error.connection_invalidated and not committing:
                    raise ConflictError("the connection was lost") from error
                raise

    @asynccontextmanager
    async def _reading(self, lane: Lane) -> AsyncGenerator[Transaction]:
        async with self._readers[lane].begin() as connection:
            await self._hurry(connection)
            yield connection

    async def _hurry(self, transaction: Transaction) -> None:
        """Shorten the lock timeout while a lock is stuck, because other transactions are waiting for the connection."""
        if self.health.is_locked:
            await transaction.execute(text(f"SET LOCAL lock_timeout = '{LOCKS_WAITED_FOR}'"))

    async def _require_locks(self, transaction: Transaction) -> None:
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        await transaction.execute(text(f"LOCK TABLE {names} IN ROW EXCLUSIVE MODE"))

    async def _change_something(self, transaction: Transaction) -> None:
        """Write a dummy message to the write-ahead log."""
        await transaction.execute(text("SELECT pg_logical_emit_message(true, 'deadwood', '')"))

    async def erase_traces(self) -> None:
        """Vacuum and analyze all tables, so that deleted rows disappear from them and from the planner's statistics.

        The write-ahead log, replicas and backups are the operator's responsibility.
        """
        engine = create_engine(self._address, 1, "AUTOCOMMIT", patient=True)
        with self._in_use():
            try:
                async with engine.connect() as connection:
                    for table in metadata.sorted_tables:
                        await connection.execute(text(f'VACUUM (ANALYZE, TRUNCATE false) "{table.name}"'))
            except DBAPIError as error:
                raise fault("the database", error) or DatabaseError(f"cannot tidy up: {error.orig}") from error
            finally:
                await engine.dispose()

    async def remove_copies(self, until: datetime) -> None:
        """Do nothing: backups of the database are the operator's responsibility."""

    async def _tidy_up(self) -> None:
        async with AsyncExitStack() as at_end:
            at_end.push_async_callback(self._keeper.close)
            for engine in (self._writers, *self._readers.values()):
                at_end.push_async_callback(engine.dispose)


async def _require_version(keeper: Keeper, place: str) -> None:
    if int(await _shown(keeper, "server_version_num")) // 10_000 < OLDEST_POSTGRESQL:
        raise DatabaseError(f"{place} is too old: PostgreSQL {OLDEST_POSTGRESQL} or newer is needed")
    if (encoding := await _shown(keeper, "server_encoding")) != "UTF8":
        raise DatabaseError(f"{place} cannot hold all names: its encoding is {encoding}; create one with UTF8")


async def _shown(keeper: Keeper, setting: str) -> str:
    row = await keeper.execute(text(f"SHOW {setting}"))
    assert row is not None
    return row[0]


async def _require_alone(keeper: Keeper, place: str) -> None:
    """Take exclusive use of the database. Raise `DatabaseError` if another process uses it."""
    for _ in range(10):
        if await keeper.hold(IN_USE):
            return
        await asyncio.sleep(LEAVING_TAKES / 10)
    raise DatabaseError(f"a bot is running on {place}; stop it first")


@asynccontextmanager
async def _turn_to_update(keeper: Keeper, place: str) -> AsyncGenerator[None]:
    """Hold the `UPDATE` lock during the block. Wait for it without a timeout."""
    told = False
    while not await keeper.hold(UPDATE):
        if not told:
            log.info("waiting for another process to migrate the tables", database=place)
            told = True
        await asyncio.sleep(ASKED_AGAIN_AFTER)
    try:
        yield
    finally:
        await keeper.let_go(UPDATE)


async def _update(keeper: Keeper, address: URL, place: str, migrations: Migrations, *, existing: bool) -> None:
    """Migrate the tables if necessary. Raise `DatabaseUnavailableError` if another process uses them."""
    engine = create_engine(address, 1, "READ COMMITTED", patient=True, session=UNLIMITED)
    try:
        async with engine.connect() as connection:
            current = await connection.run_sync(migrations.revision_of, place)
            if current == migrations.head:
                return
            if current is None and existing:
                raise DatabaseError(f"there is no database of the bot at {place}: it has no tables")
            if not await keeper.hold(IN_USE):
                raise DatabaseUnavailableError(
                    f"an older version is running on {place}: stop it so that the update can begin"
                )
            try:
                if current is None:
                    await connection.run_sync(_create, migrations, place)
                else:
                    await connection.run_sync(migrations.run)
                await connection.commit()
            finally:
                await keeper.let_go(IN_USE)
    finally:
        await engine.dispose()


def _create(connection: Connection, migrations: Migrations, place: str) -> None:
    """Create all tables in their current form, and mark all migrations as done."""
    if tables := inspect(connection).get_table_names():
        raise DatabaseError(f"{place} has other tables, such as {tables[0]}: name an empty database")
    metadata.create_all(connection)
    migrations.stamp(connection)
