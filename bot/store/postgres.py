"""PostgreSQL: a database that several processes share, how connections to it are set up, and what its errors mean.

Everything that holds for PostgreSQL alone is in this module.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime
from enum import IntEnum
from functools import partial
from typing import Final

from sqlalchemy import URL, Connection, inspect, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.database import CONNECTIONS, Database, Lane, Transaction
from bot.store.errors import ConflictError, DatabaseDamagedError, DatabaseError, DatabaseUnavailableError
from bot.store.health import DatabaseHealth
from bot.store.migrate import SCRIPTS, Migrations
from bot.store.tables import metadata

OLDEST_POSTGRESQL: Final = 14
"""The oldest version that is maintained: https://www.postgresql.org/support/versioning/."""

WRITERS: Final = 4
"""How many transactions of one process may write at a time."""

STATEMENTS: Final = 500
"""How many prepared statements each connection keeps: more than there are queries."""

CONNECT_TIMEOUT: Final = 10.0
COMMAND_TIMEOUT: Final = 60.0
"""Seconds that a connection and a statement may take."""

LEAVING_TAKES: Final = 1.0
"""Seconds within which the server has noticed that a process which used the database was killed."""

SESSION: Final = {
    "application_name": "deadwood",
    # A process that is stuck in a transaction must not keep the others from its rows.
    "idle_in_transaction_session_timeout": "30s",
    "lock_timeout": "10s",
    # All queries are short, and compiling them takes longer than running them.
    "jit": "off",
    "timezone": "UTC",
}

_CONFLICTS: Final = frozenset(("40001", "40P01", "55P03"))
"""Serialization failures, deadlocks, and locks that another holds for long."""
_DAMAGED: Final = frozenset(("XX001", "XX002"))
_TEMPORARY: Final = {
    "08": "the connection failed",
    "25006": "it is read-only",
    "53": "it is out of resources",
    "57": "it was interrupted",
    "58": "its system failed",
    "55000": "it is not in the state for it",
}
"""What the errors mean that may pass by themselves, by code or by class:
https://www.postgresql.org/docs/current/errcodes-appendix.html."""


class AdvisoryLock(IntEnum):
    """What processes lock for themselves; the numbers are this program's own, and must stay as they are."""

    IN_USE = 0x6465_6164_0001
    """Shared by each process that uses the database."""
    MIGRATION = 0x6465_6164_0002
    """The process that brings the tables up to date."""


def fault(place: str, error: BaseException | None) -> DatabaseError | None:
    """Return what an error of the driver says about the database; None if it is about the query."""
    code = _code(error)
    if code in _DAMAGED:
        return DatabaseDamagedError(f"{place} is damaged: {error}; restore a backup")
    if code in _CONFLICTS:
        return ConflictError(f"another transaction was first at {place}: {code}")
    reason = _TEMPORARY.get(code) or _TEMPORARY.get(code[:2])
    if reason is not None:
        return DatabaseUnavailableError(f"cannot use {place} at the moment: {reason}")
    if isinstance(error, OSError | TimeoutError) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return DatabaseUnavailableError(f"cannot use {place} at the moment: no connection")
    return None


def _code(error: BaseException | None) -> str:
    """Return the five characters with which the server says what went wrong; nothing if it said nothing."""
    orig = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(orig, "sqlstate", None) or "")


class PostgresDatabase(Database):
    """A PostgreSQL database that other processes may use as well. Make one with `open`, and close it."""

    def __init__(
        self, place: str, keeper: AsyncConnection, writers: AsyncEngine, readers: Mapping[Lane, AsyncEngine]
    ) -> None:
        super().__init__(DatabaseHealth(partial(fault, place)))
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
        address = make_url(url)
        place = address.set(query={}).render_as_string(hide_password=True)
        try:
            keeper = await _connect(address)
            try:
                await _require_version(keeper, place)
                await _update(keeper, address, place, scripts_at, existing=existing)
                if alone:
                    await _require_alone(keeper, place)
                else:
                    await _lock(keeper, AdvisoryLock.IN_USE, shared=True)
            except BaseException:
                await keeper.close()
                await keeper.engine.dispose()
                raise
        except (DatabaseError, ModuleNotFoundError):
            raise
        except Exception as error:
            # What fails while a connection is made comes as the driver raises it.
            found = fault(place, error)
            if isinstance(found, ConflictError):
                found = DatabaseUnavailableError(f"another program has {place} to itself, as for a move or an update")
            # Errors of SQLAlchemy repeat the statement, on many lines.
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise found or DatabaseError(f"cannot use {place}: {reason}") from error
        readers = {lane: _create_reader(address, connections) for lane, connections in CONNECTIONS.items()}
        return PostgresDatabase(place, keeper, _create_engine(address, WRITERS), readers)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[Transaction]:
        """Begin a transaction. If the connection is lost before its end, it was rolled back, and can begin anew."""
        async with self._writers.connect() as connection:
            committing = False
            try:
                transaction = await connection.begin()
                try:
                    yield connection
                except BaseException:
                    await transaction.rollback()
                    raise
                committing = True
                await transaction.commit()
            except DBAPIError as error:
                if error.connection_invalidated and not committing:
                    raise ConflictError("the connection was lost") from error
                raise

    def _reading(self, lane: Lane) -> AbstractAsyncContextManager[Transaction]:
        return self._readers[lane].begin()

    async def _change_something(self, transaction: Transaction) -> None:
        """Write a message to the log, which no one reads."""
        await transaction.execute(text("SELECT pg_logical_emit_message(true, 'deadwood', '')"))

    async def erase_traces(self) -> None:
        """Let the server reuse the place of deleted rows, and forget what it sampled of them.

        Its log of changes, replicas and backups are the host's.
        """
        with self._in_use():
            try:
                for table in metadata.sorted_tables:
                    await self._keeper.execute(text(f'VACUUM (ANALYZE) "{table.name}"'))
            except DBAPIError as error:
                raise fault("the database", error) or DatabaseError(f"cannot tidy up: {error}") from error

    async def remove_copies(self, until: datetime) -> None:
        """Do nothing: copies of the database are the host's."""

    async def _tidy_up(self) -> None:
        async with AsyncExitStack() as at_end:
            at_end.push_async_callback(self._keeper.engine.dispose)
            at_end.push_async_callback(self._keeper.close)
            for engine in (self._writers, *self._readers.values()):
                at_end.push_async_callback(engine.dispose)


def _create_engine(address: URL, connections: int, isolation_level: str = "REPEATABLE READ") -> AsyncEngine:
    """Return an engine whose transactions see one state each.

    Whoever changes a match also changes its row, and whoever changes a server its row; so of two that
    overlap, one fails, and begins anew.
    """
    return create_async_engine(
        address.set(drivername="postgresql+asyncpg", query={}),
        isolation_level=isolation_level,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=COMMAND_TIMEOUT,
        # The parameters of a failing query may be a whole deck, and the error reaches the log.
        hide_parameters=True,
        # Connections are only used in whole transactions, which leave nothing open that a reset could end.
        pool_reset_on_return=None,
        connect_args={
            "timeout": CONNECT_TIMEOUT,
            "command_timeout": COMMAND_TIMEOUT,
            "server_settings": SESSION,
            "prepared_statement_cache_size": STATEMENTS,
            **address.query,
        },
    )


def _create_reader(address: URL, connections: int) -> AsyncEngine:
    return _create_engine(address, connections).execution_options(postgresql_readonly=True)


async def _connect(address: URL) -> AsyncConnection:
    """Return a connection of its own, on which each statement is a transaction."""
    return await _create_engine(address, 1, "AUTOCOMMIT").connect()


async def _require_version(connection: AsyncConnection, place: str) -> None:
    version: int = (await connection.execute(text("SHOW server_version_num"))).scalar_one()
    if int(version) // 10_000 < OLDEST_POSTGRESQL:
        raise DatabaseError(f"{place} is too old: PostgreSQL {OLDEST_POSTGRESQL} or newer is needed")
    if (encoding := (await connection.execute(text("SHOW server_encoding"))).scalar_one()) != "UTF8":
        raise DatabaseError(f"{place} cannot hold all names: its encoding is {encoding}; create one with UTF8")


async def _require_alone(keeper: AsyncConnection, place: str) -> None:
    """Keep all other processes from the database. Raise `DatabaseError` if one uses it."""
    for _ in range(10):
        if await _try_lock(keeper, AdvisoryLock.IN_USE):
            return
        await asyncio.sleep(LEAVING_TAKES / 10)
    raise DatabaseError(f"a bot is running on {place}; stop it first")


async def _update(keeper: AsyncConnection, address: URL, place: str, scripts_at: str, *, existing: bool) -> None:
    """Bring the tables up to date, while no other process uses them."""
    migrations = Migrations(scripts_at)

    def revision(connection: Connection) -> str | None:
        return migrations.revision_of(connection, place)

    await _lock(keeper, AdvisoryLock.MIGRATION)
    try:
        current = await keeper.run_sync(revision)
        if current == migrations.head:
            return
        if current is None and existing:
            raise DatabaseError(f"there is no database of the bot at {place}: it has no tables")
        if not await _try_lock(keeper, AdvisoryLock.IN_USE):
            raise DatabaseUnavailableError(f"an older version is running on {place}: stop it, and the update begins")
        try:
            engine = _create_engine(address, 1, "READ COMMITTED")
            try:
                async with engine.connect() as connection:
                    if current is None:
                        await connection.run_sync(_create, migrations, place)
                    else:
                        await connection.run_sync(migrations.run)
                    await connection.commit()
            finally:
                await engine.dispose()
        finally:
            await _unlock(keeper, AdvisoryLock.IN_USE)
    finally:
        await _unlock(keeper, AdvisoryLock.MIGRATION)


def _create(connection: Connection, migrations: Migrations, place: str) -> None:
    """Create all tables as they are now, as if all migrations had run."""
    if tables := inspect(connection).get_table_names():
        raise DatabaseError(f"{place} has other tables, such as {tables[0]}: name an empty database")
    metadata.create_all(connection)
    migrations.stamp(connection)


async def _lock(connection: AsyncConnection, lock: AdvisoryLock, *, shared: bool = False) -> None:
    function = "pg_advisory_lock_shared" if shared else "pg_advisory_lock"
    await connection.execute(text(f"SELECT {function}(:lock)"), {"lock": int(lock)})


async def _try_lock(connection: AsyncConnection, lock: AdvisoryLock) -> bool:
    return (await connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": int(lock)})).scalar_one()


async def _unlock(connection: AsyncConnection, lock: AdvisoryLock) -> None:
    await connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": int(lock)})
