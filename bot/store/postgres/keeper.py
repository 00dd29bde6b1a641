"""The connection on which a process holds its PostgreSQL advisory locks and listens for announcements.

Advisory locks end with their connection, so a process that dies leaves none behind.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Coroutine, Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

import structlog
from sqlalchemy import URL, Executable, Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.address import database_name
from bot.store.errors import DatabaseUnavailableError
from bot.store.others import Announcement, AnnouncementTopic, OtherProcesses
from bot.store.postgres.engines import create_engine
from bot.store.postgres.faults import database_error
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

_Result = TypeVar("_Result")

CHANNEL: Final = "deadwood"
"""The PostgreSQL notification channel for announcements."""

_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")
_TRY_LOCK: Final = text("SELECT pg_try_advisory_lock(:lock)")
_TRY_LOCK_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:lock)")
_UNLOCK: Final = text("SELECT pg_advisory_unlock(:lock)")
_UNLOCK_SHARED: Final = text("SELECT pg_advisory_unlock_shared(:lock)")
_PING: Final = text("SELECT 1")
_SESSION: Final = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_END_SESSION: Final = text(
    "SELECT pg_terminate_backend(pid, :milliseconds) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :since"
)
_HELD_LOCKS: Final = text(
    # `pg_locks` splits the lock's number in two: https://www.postgresql.org/docs/current/view-pg-locks.html.
    "SELECT array_agg(classid::bigint << 32 | objid::bigint) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = database AND datname = current_database()"
    " WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
)

HEALTH_CHECK_INTERVAL: Final = 10.0
"""Interval between health checks of the connection, which may be lost without notice, in seconds."""
RESPONSE_TIMEOUT: Final = 8.0
"""Timeout after which an unresponsive connection counts as lost, in seconds.

`HEALTH_CHECK_INTERVAL` plus this timeout is less than the half minute after which the server drops a dead connection
and its locks. So the process notices the loss before the server does.
"""
SESSION_END_TIMEOUT: Final = 5.0
"""Timeout for the server to end the session of a lost connection, in seconds."""

MIN_RECONNECT_DELAY: Final = 0.2
"""Initial delay between attempts to reconnect, in seconds."""
MAX_RECONNECT_DELAY: Final = 10.0
"""Maximum delay between attempts to reconnect, in seconds. A waiting caller ends the delay early."""

RECONNECT_WAIT_TIMEOUT: Final = 2.0
"""Timeout for callers that wait until the connection is back, in seconds."""


USERS_LOCK: Final = "in use"
"""The lock that every process using the database holds in shared mode.

A process that holds the lock exclusively can change tables.
"""

_REVISION: Final = text("SELECT version_num FROM alembic_version")


class _Session(NamedTuple):
    """A session of the server, identified by process id and start time, because process ids are reused."""

    pid: int
    started_at: datetime


class LockConnection(OtherProcesses):
    """A connection in autocommit mode that reconnects after a loss and takes its locks again.

    Create one with `connect`, and close it.
    """

    exist = True

    def __init__(self, address: URL, connection: AsyncConnection) -> None:
        super().__init__()
        self._address = address
        self._place = str(database_name(address.render_as_string()))
        self._connection = connection
        self._session: _Session | None = None
        self._connection_lock = asyncio.Lock()
        self._wanted_locks: dict[str, bool] = {}
        """The locks that this process should hold, by name. The value is True if the lock is shared."""
        self._held_locks = set[str]()
        self._callback: Callable[[Announcement | None], None] | None = None
        self._lost = asyncio.Event()
        self._awaited = asyncio.Event()
        """Set when a caller waits for the connection."""
        self._ready = asyncio.Event()
        """Set while the connection is up and its locks are held."""
        self._tasks = set[asyncio.Task[Any]]()
        self._health_task: asyncio.Task[None] | None = None
        self.revision: str | None = None
        """The revision of the tables that this process works with. None before the database is open."""

    @staticmethod
    async def connect(address: URL) -> LockConnection:
        """Connect. Raise the driver's errors unchanged."""
        connection = LockConnection(address, await _connect(address))
        await connection._set_up()
        connection._ready.set()
        connection._health_task = asyncio.create_task(connection._keep_connected())
        return connection

    async def execute(self, query: Executable, **parameters: object) -> Row[Any] | None:
        """Run a statement and return the first row of its result, if any."""
        # Shield the statement: if it is cancelled, SQLAlchemy drops the connection, which releases all locks.
        return await self._shielded(self._execute(query, parameters))

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Send an announcement to the other processes when the transaction commits."""
        payload = " ".join(map(str, announcement))
        await transaction.execute(_NOTIFY, {"channel": CHANNEL, "said": payload})

    async def listen(self, callback: Callable[[Announcement | None], None]) -> None:
        """Register a callback for announcements. The callback gets None if announcements may have been missed."""
        self._callback = callback
        with self._translating_errors():
            # Only one operation can use the connection at a time. It is harmless to add the same listener twice.
            async with self._connection_lock:
                await (await self._driver_connection()).add_listener(CHANNEL, self._on_notification)

    async def try_lock(self, lock: str, *, is_shared: bool = False) -> bool:
        """Take a lock, exclusive or shared, and keep it until `release`.

        Return False if another process holds it.
        """
        if lock in self._held_locks:
            return True
        with self._translating_errors():
            task = self._start_task(self._acquire(lock, is_shared=is_shared))
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                self._start_task(self._release_when_taken(task, lock))
                raise

    async def release(self, lock: str) -> None:
        """Release a lock. Do nothing if this process does not hold it."""
        is_shared = self._wanted_locks.pop(lock, False)
        if lock in self._held_locks:
            self._held_locks.discard(lock)
            try:
                await self.execute((_UNLOCK_SHARED if is_shared else _UNLOCK).bindparams(lock=lock_number(lock)))
            except Exception:
                # Do not raise: `_keep_connected` replaces the connection. That frees this lock; others are retaken.
                self._lost.set()

    def holds(self, lock: str) -> bool:
        """Return True if this process still holds a lock."""
        return lock in self._held_locks

    async def free_locks(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return the locks that no process currently holds. If a transaction is given, use it for the query.

        Raise `DatabaseUnavailableError` if the query on this object's own connection fails, and reconnect.
        """
        if transaction is not None:
            row = (await transaction.execute(_HELD_LOCKS)).one()
        else:
            with self._translating_errors():
                try:
                    row = await self.execute(_HELD_LOCKS)
                except Exception:
                    self._lost.set()
                    raise
        held_numbers = set(row[0] or ()) if row is not None else set[int]()
        return {lock for lock in locks if lock_number(lock) not in held_numbers}

    async def require_use(self) -> None:
        """Wait until this process holds the `USERS_LOCK` lock, so that no other process can have exclusive use.

        Raise `DatabaseUnavailableError` after a timeout, or if this process `is_evicted` because another one had
        exclusive use in the meantime.
        """
        if USERS_LOCK not in self._held_locks and self.revision is not None and not self.is_evicted:
            self._awaited.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(RECONNECT_WAIT_TIMEOUT):
                    await self._ready.wait()
            if USERS_LOCK not in self._held_locks and not self.is_evicted:
                raise DatabaseUnavailableError(f"cannot use {self._place} right now: no connection")
        if self.is_evicted:
            raise DatabaseUnavailableError(f"{self._place} was updated or moved while it could not be reached")

    async def close(self) -> None:
        """Close the connection, which releases all locks."""
        if self._health_task is not None:
            self._health_task.cancel()
        await self._disconnect()

    async def _execute(self, query: Executable, parameters: Mapping[str, object]) -> Row[Any] | None:
        async with self._connection_lock:
            result = await self._connection.execute(query, parameters)
            return result.first() if result.returns_rows else None

    async def _acquire(self, lock: str, *, is_shared: bool) -> bool:
        statement = _TRY_LOCK_SHARED if is_shared else _TRY_LOCK
        row = await self.execute(statement.bindparams(lock=lock_number(lock)))
        if row is None or not row[0]:
            return False
        self._held_locks.add(lock)
        self._wanted_locks[lock] = is_shared
        return True

    async def _release_when_taken(self, task: asyncio.Task[bool], lock: str) -> None:
        """Release a lock as soon as `task` has taken it, because the caller of `try_lock` was cancelled."""
        with suppress(Exception):
            if await task:
                await self.release(lock)

    def _start_task(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Task[_Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _shielded(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return await asyncio.shield(self._start_task(work))

    @contextmanager
    def _translating_errors(self) -> Generator[None]:
        """Turn every driver error into `DatabaseUnavailableError`: all are temporary, because the bot reconnects."""
        try:
            yield
        except Exception as error:
            translated = database_error(self._place, error)
            if isinstance(translated, DatabaseUnavailableError):
                raise translated from error
            raise DatabaseUnavailableError(f"cannot use {self._place} right now: {error}") from error

    async def _keep_connected(self) -> None:
        """Check the connection forever. After a loss, reconnect, retake the locks and listen again."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(HEALTH_CHECK_INTERVAL):
                    await self._lost.wait()
            try:
                if not self._lost.is_set():
                    await self.execute(_PING)
                    continue
                problem = "it was closed"
            except Exception as error:
                problem = str(database_error(self._place, error) or type(error).__name__)
            log.warning("lock connection lost", problem=problem)
            self._mark_lost()
            await self._reconnect()
            if not self._lost.is_set():
                self._ready.set()

    async def _reconnect(self) -> None:
        delay = MIN_RECONNECT_DELAY
        while True:
            self._held_locks.clear()
            try:
                async with self._connection_lock:
                    await self._disconnect()
                    self._connection = await _connect(self._address)
                    await self._end_previous_session()
                    await self._set_up()
                await self._retake_locks()
                break
            except Exception:
                await asyncio.sleep(MIN_RECONNECT_DELAY)
                self._awaited.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(delay):
                        await self._awaited.wait()
                delay = min(2 * delay, MAX_RECONNECT_DELAY)
        log.info("lock connection restored")
        if self._callback is not None:
            self._callback(None)

    async def _set_up(self) -> None:
        """Set up a new connection: watch for its end, remember its `_Session`, and listen for announcements."""
        self._lost.clear()
        driver = await self._driver_connection()
        driver.add_termination_listener(self._on_termination)
        row = (await self._connection.execute(_SESSION)).one()
        self._session = _Session(row.pid, row.backend_start)
        # A pooler keeps the locks of disconnected clients. Behind a pooler, driver and server report different ids.
        self.has_reliable_locks = driver.get_server_pid() == row.pid
        if self._callback is not None:
            await driver.add_listener(CHANNEL, self._on_notification)

    async def _end_previous_session(self) -> None:
        """Make the server end the previous session, which keeps its locks until the server has noticed the loss."""
        if self._session is not None and self.has_reliable_locks:
            pid, started_at = self._session
            parameters = {"pid": pid, "since": started_at, "milliseconds": int(SESSION_END_TIMEOUT * 1000)}
            await self._connection.execute(_END_SESSION, parameters)

    async def _retake_locks(self) -> None:
        """Retake the lost locks, except those that another process has taken since."""
        for lock, shared in [*self._wanted_locks.items()]:
            if not await self._acquire(lock, is_shared=shared):
                log.warning("lock taken by another process", lock=lock_number(lock))
                self._wanted_locks.pop(lock, None)
        if self.revision is not None:
            row = await self.execute(_REVISION)
            self.is_evicted = USERS_LOCK not in self._held_locks or row is None or row[0] != self.revision

    async def _driver_connection(self) -> Any:
        return (await self._connection.get_raw_connection()).driver_connection

    def _on_termination(self, _: object) -> None:
        self._mark_lost()
        self._lost.set()

    def _mark_lost(self) -> None:
        self._held_locks.clear()
        self._ready.clear()
        self.on_loss()

    def _on_notification(self, _: object, __: int, ___: str, payload: str) -> None:
        if self._callback is not None:
            self._callback(_parse_announcement(payload))

    async def _disconnect(self) -> None:
        with suppress(Exception):
            (await self._driver_connection()).remove_termination_listener(self._on_termination)
        with suppress(Exception):
            await self._connection.close()
        with suppress(Exception):
            await self._connection.engine.dispose()


async def _connect(address: URL) -> AsyncConnection:
    """Return a connection with a short timeout. Raise the driver's errors unchanged."""
    return await create_engine(address, 1, "AUTOCOMMIT", statement_timeout=RESPONSE_TIMEOUT).connect()


def lock_number(name: str) -> int:
    """Return the number of the advisory lock for a name: a hash, because the name may identify a person."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _parse_announcement(payload: str) -> Announcement | None:
    """Parse an announcement. Return None if its topic is unknown to this version: it then counts as missed."""
    try:
        topic, number, until = payload.split()
        return Announcement(AnnouncementTopic(topic), int(number), float(until))
    except ValueError:
        return None
