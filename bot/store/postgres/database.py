"""A PostgreSQL database, and how its tables are brought up to date."""

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
"""The lock of the process that brings the tables up to date."""
ASKED_AGAIN_AFTER: Final = 0.5
"""Seconds after which a process looks again whether it is its turn to do that."""

OLDEST_POSTGRESQL: Final = 14
"""The oldest version that is maintained: https://www.postgresql.org/support/versioning/."""

WRITERS: Final = 4
"""How many transactions of one process may write at a time."""

LOCKS_WAITED_FOR: Final = "500ms"
"""How long a transaction waits for locks once another one waited too long.

Shorter than `deadlock_timeout`, so that somebody who locks several tables is not ended as part of a deadlock.
"""

LEAVING_TAKES: Final = 1.0
"""Seconds within which the server has noticed that a process which used the database was killed."""


class PostgresDatabase(Database):
    """A PostgreSQL database that other processes may use as well. Make one with `open`, and close it."""

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
        """Bring the tables up to date, one process at a time, and say that this process uses the database.

        If it is to be used `alone`, no other process can open it meanwhile; if it is to be an `existing` one, it must
        have tables. Raise `DatabaseError` if it cannot be used or comes from a newer version,
        `DatabaseUnavailableError` for trouble that may pass, such as an older version that is still running.
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
            # What fails while a connection is made comes as the driver raises it.
            # Errors of SQLAlchemy repeat the statement, on many lines.
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise fault(place, error, starting=True) or DatabaseError(f"cannot use {place}: {reason}") from error
        readers = {lane: create_reader(address, connections) for lane, connections in CONNECTIONS.items()}
        return PostgresDatabase(address, place, keeper, create_engine(address, WRITERS), readers)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. One whose connection is lost before its end was rolled back, and can be made again."""
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
        """Let a transaction wait only briefly if somebody keeps a lock: others wait for its connection meanwhile."""
        if self.health.is_locked:
            await transaction.execute(text(f"SET LOCAL lock_timeout = '{LOCKS_WAITED_FOR}'"))

    async def _require_locks(self, transaction: Transaction) -> None:
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        await transaction.execute(text(f"LOCK TABLE {names} IN ROW EXCLUSIVE MODE"))

    async def _change_something(self, transaction: Transaction) -> None:
        """Write a message to the log, which no one reads."""
        await transaction.execute(text("SELECT pg_logical_emit_message(true, 'deadwood', '')"))

    async def erase_traces(self) -> None:
        """Let the server reuse the place of deleted rows, and forget what it sampled of them.

        Its log of changes, replicas and backups are the host's.
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
        """Do nothing: copies of the database are the host's."""

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
    """Keep all other processes from the database. Raise `DatabaseError` if one uses it."""
    for _ in range(10):
        if await keeper.hold(IN_USE):
            return
        await asyncio.sleep(LEAVING_TAKES / 10)
    raise DatabaseError(f"a bot is running on {place}; stop it first")


@asynccontextmanager
async def _turn_to_update(keeper: Keeper, place: str) -> AsyncGenerator[None]:
    """Wait until no other process brings the tables up to date, however long that takes."""
    told = False
    while not await keeper.hold(UPDATE):
        if not told:
            log.info("another process brings the tables up to date: waiting for it", database=place)
            told = True
        await asyncio.sleep(ASKED_AGAIN_AFTER)
    try:
        yield
    finally:
        await keeper.let_go(UPDATE)


async def _update(keeper: Keeper, address: URL, place: str, migrations: Migrations, *, existing: bool) -> None:
    """Bring the tables up to date, while no other process uses them."""
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
                    f"an older version is running on {place}: stop it, and the update begins"
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
    """Create all tables as they are now, as if all migrations had run."""
    if tables := inspect(connection).get_table_names():
        raise DatabaseError(f"{place} has other tables, such as {tables[0]}: name an empty database")
    metadata.create_all(connection)
    migrations.stamp(connection)
