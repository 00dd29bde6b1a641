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

from bot.store.address import place_of
from bot.store.errors import DatabaseUnavailableError
from bot.store.others import Announcement, News, OtherProcesses
from bot.store.postgres.engines import create_engine
from bot.store.postgres.faults import fault
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

_Done = TypeVar("_Done")

CHANNEL: Final = "deadwood"
"""The PostgreSQL notification channel for announcements."""

_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")
_TRY_LOCK: Final = text("SELECT pg_try_advisory_lock(:lock)")
_TRY_LOCK_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:lock)")
_UNLOCK: Final = text("SELECT pg_advisory_unlock(:lock)")
_UNLOCK_SHARED: Final = text("SELECT pg_advisory_unlock_shared(:lock)")
_ANYTHING: Final = text("SELECT 1")
_SESSION: Final = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_END_SESSION: Final = text(
    "SELECT pg_terminate_backend(pid, :milliseconds) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :since"
)
_HELD: Final = text(
    # The view splits the lock's number in two: https://www.postgresql.org/docs/current/view-pg-locks.html.
    "SELECT array_agg(classid::bigint << 32 | objid::bigint) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = database AND datname = current_database()"
    " WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
)

LOOKED_AFTER: Final = 10.0
"""Interval between health checks of the connection, which may be lost without notice, in seconds."""
ANSWERS_WITHIN: Final = 8.0
"""Timeout after which an unresponsive connection counts as lost, in seconds.

`LOOKED_AFTER` plus this is less than the half minute after which the server drops a dead connection and its locks. So
the process notices the loss first.
"""
ENDS_WITHIN: Final = 5.0
"""Timeout for the server to end the session of a lost connection, in seconds."""

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 10.0
"""Initial and maximum delay between attempts to reconnect, in seconds. A waiting caller shortens the delay."""

REQUIRED_WITHIN: Final = 2.0
"""Timeout for callers that wait until the connection is back, in seconds."""


IN_USE: Final = "in use"
"""The lock that every process using the database holds as shared. Exclusive, it allows changing the tables."""

_REVISION: Final = text("SELECT version_num FROM alembic_version")


class _Session(NamedTuple):
    """A session of the server, identified by process id and start time, because process ids are reused."""

    pid: int
    since: datetime


class Keeper(OtherProcesses):
    """A connection in autocommit mode that reconnects after a loss and takes its locks again.

    Create one with `connect`, and close it.
    """

    exist = True

    def __init__(self, address: URL, connection: AsyncConnection) -> None:
        super().__init__()
        self._address = address
        self._place = str(place_of(address.render_as_string()))
        self._connection = connection
        self._session: _Session | None = None
        self._turn = asyncio.Lock()
        self._wanted: dict[str, bool] = {}
        """The locks that this process should hold. The value is True if a lock is shared."""
        self._held = set[str]()
        self._hear: Callable[[Announcement | None], None] | None = None
        self._lost = asyncio.Event()
        self._missed = asyncio.Event()
        """Set if a caller is waiting for the connection."""
        self._back = asyncio.Event()
        """Set while the connection is up and its locks are held."""
        self._running = set[asyncio.Task[Any]]()
        self._looking_after: asyncio.Task[None] | None = None
        self.revision: str | None = None
        """The table revision that this process uses. None before the database is open."""

    @staticmethod
    async def connect(address: URL) -> Keeper:
        """Connect. Errors of the driver are not translated."""
        keeper = Keeper(address, await _connect(address))
        await keeper._attend()
        keeper._back.set()
        keeper._looking_after = asyncio.create_task(keeper._look_after())
        return keeper

    async def execute(self, query: Executable, **parameters: object) -> Row[Any] | None:
        """Run a statement and return the first row of its result, if any."""
        # SQLAlchemy drops a connection whose statement is cancelled, which would release all locks.
        return await self._despite_cancellation(self._execute(query, parameters))

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Send an announcement to the other processes when the transaction commits."""
        said = " ".join(map(str, announcement))
        await transaction.execute(_NOTIFY, {"channel": CHANNEL, "said": said})

    async def listen(self, hear: Callable[[Announcement | None], None]) -> None:
        """Register a callback for announcements. It is called with None if some may have been missed."""
        self._hear = hear
        with self._watch():
            # Only one operation can use the connection at a time. Listening twice is harmless.
            async with self._turn:
                await (await self._driver()).add_listener(CHANNEL, self._heard)

    async def hold(self, lock: str, *, shared: bool = False) -> bool:
        """Take a lock, exclusive or `shared`, and keep it until `let_go`.

        Return False if another process holds it.
        """
        if lock in self._held:
            return True
        with self._watch():
            taking = self._begin(self._take(lock, shared=shared))
            try:
                return await asyncio.shield(taking)
            except asyncio.CancelledError:
                self._begin(self._let_go_after(taking, lock))
                raise

    async def let_go(self, lock: str) -> None:
        """Release a lock. Do nothing if this process does not hold it."""
        shared = self._wanted.pop(lock, False)
        if lock in self._held:
            self._held.discard(lock)
            try:
                await self.execute((_UNLOCK_SHARED if shared else _UNLOCK).bindparams(lock=lock_of(lock)))
            except Exception:
                # The caller no longer needs the lock. Dropping the connection releases it; the others are retaken.
                self._lost.set()

    def holds(self, lock: str) -> bool:
        """Return True if this process still holds a lock."""
        return lock in self._held

    async def unheld(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return the locks that no process currently holds. If a transaction is given, use it for the query.

        Raise `DatabaseUnavailableError` if the query on this object's own connection fails, and reconnect.
        """
        if transaction is not None:
            row = (await transaction.execute(_HELD)).one()
        else:
            with self._watch():
                try:
                    row = await self.execute(_HELD)
                except Exception:
                    self._lost.set()
                    raise
        held = set(row[0] or ()) if row is not None else set[int]()
        return {lock for lock in locks if lock_of(lock) not in held}

    async def require(self) -> None:
        """Wait until this process holds the `IN_USE` lock, so that no other process can have exclusive use.

        Raise `DatabaseUnavailableError` after a timeout, or if another process had exclusive use in between and this
        one is `evicted`.
        """
        if IN_USE not in self._held and self.revision is not None and not self.evicted:
            self._missed.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(REQUIRED_WITHIN):
                    await self._back.wait()
            if IN_USE not in self._held and not self.evicted:
                raise DatabaseUnavailableError(f"cannot use {self._place} at the moment: no connection")
        if self.evicted:
            raise DatabaseUnavailableError(f"{self._place} was updated or moved while it could not be reached")

    async def close(self) -> None:
        """Close the connection, which releases all locks."""
        if self._looking_after is not None:
            self._looking_after.cancel()
        await self._disconnect()

    async def _execute(self, query: Executable, parameters: Mapping[str, object]) -> Row[Any] | None:
        async with self._turn:
            result = await self._connection.execute(query, parameters)
            return result.first() if result.returns_rows else None

    async def _take(self, lock: str, *, shared: bool) -> bool:
        statement = _TRY_LOCK_SHARED if shared else _TRY_LOCK
        row = await self.execute(statement.bindparams(lock=lock_of(lock)))
        if row is None or not row[0]:
            return False
        self._held.add(lock)
        self._wanted[lock] = shared
        return True

    async def _let_go_after(self, taking: asyncio.Task[bool], lock: str) -> None:
        """Release a lock as soon as it is taken, because its caller was cancelled."""
        with suppress(Exception):
            if await taking:
                await self.let_go(lock)

    def _begin(self, work: Coroutine[Any, Any, _Done]) -> asyncio.Task[_Done]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _despite_cancellation(self, work: Coroutine[Any, Any, _Done]) -> _Done:
        return await asyncio.shield(self._begin(work))

    @contextmanager
    def _watch(self) -> Generator[None]:
        """Turn every error of the driver into `DatabaseUnavailableError`, because the connection will be restored."""
        try:
            yield
        except Exception as error:
            found = fault(self._place, error)
            if isinstance(found, DatabaseUnavailableError):
                raise found from error
            raise DatabaseUnavailableError(f"cannot use {self._place} at the moment: {error}") from error

    async def _look_after(self) -> None:
        """Check the connection forever. After a loss, reconnect, retake the locks and listen again."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOKED_AFTER):
                    await self._lost.wait()
            try:
                if not self._lost.is_set():
                    await self.execute(_ANYTHING)
                    continue
                problem = "it was closed"
            except Exception as error:
                problem = str(fault(self._place, error) or type(error).__name__)
            log.warning("the connection that hears other processes is lost", problem=problem)
            self._note_loss()
            await self._connect_again()
            if not self._lost.is_set():
                self._back.set()

    async def _connect_again(self) -> None:
        pause = FIRST_PAUSE
        while True:
            self._held.clear()
            try:
                async with self._turn:
                    await self._disconnect()
                    self._connection = await _connect(self._address)
                    await self._end_session()
                    await self._attend()
                await self._take_again()
                break
            except Exception:
                await asyncio.sleep(FIRST_PAUSE)
                self._missed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._missed.wait()
                pause = min(2 * pause, LONGEST_PAUSE)
        log.info("lock connection restored")
        if self._hear is not None:
            self._hear(None)

    async def _attend(self) -> None:
        """Set up a new connection: watch for its end, save its session, and listen for announcements."""
        self._lost.clear()
        driver = await self._driver()
        driver.add_termination_listener(self._ended)
        row = (await self._connection.execute(_SESSION)).one()
        self._session = _Session(row.pid, row.backend_start)
        # A pooler reports a different process id, and keeps the locks of clients that have disconnected.
        self.keeps_locks = driver.get_server_pid() == row.pid
        if self._hear is not None:
            await driver.add_listener(CHANNEL, self._heard)

    async def _end_session(self) -> None:
        """Make the server end the previous session. It may not have noticed the loss, and would keep the locks."""
        if self._session is not None and self.keeps_locks:
            pid, since = self._session
            found = {"pid": pid, "since": since, "milliseconds": int(ENDS_WITHIN * 1000)}
            await self._connection.execute(_END_SESSION, found)

    async def _take_again(self) -> None:
        """Retake the lost locks, except those that another process has taken since."""
        for lock, shared in [*self._wanted.items()]:
            if not await self._take(lock, shared=shared):
                log.warning("lock taken by another process", lock=lock_of(lock))
                self._wanted.pop(lock, None)
        if self.revision is not None:
            row = await self.execute(_REVISION)
            self.evicted = IN_USE not in self._held or row is None or row[0] != self.revision

    async def _driver(self) -> Any:
        return (await self._connection.get_raw_connection()).driver_connection

    def _ended(self, _: object) -> None:
        self._note_loss()
        self._lost.set()

    def _note_loss(self) -> None:
        self._held.clear()
        self._back.clear()
        self.on_loss()

    def _heard(self, _: object, __: int, ___: str, said: str) -> None:
        if self._hear is not None:
            self._hear(_announcement(said))

    async def _disconnect(self) -> None:
        with suppress(Exception):
            (await self._driver()).remove_termination_listener(self._ended)
        with suppress(Exception):
            await self._connection.close()
        with suppress(Exception):
            await self._connection.engine.dispose()


async def _connect(address: URL) -> AsyncConnection:
    """Return a connection with a short timeout. Errors of the driver are not translated."""
    return await create_engine(address, 1, "AUTOCOMMIT", answers_within=ANSWERS_WITHIN).connect()


def lock_of(name: str) -> int:
    """Return the number of the advisory lock with a name. It is a hash, because the name may identify a person."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _announcement(said: str) -> Announcement | None:
    """Parse an announcement. Return None if this version does not know it: it then counts as missed."""
    try:
        topic, number, until = said.split()
        return Announcement(News(topic), int(number), float(until))
    except ValueError:
        return None
