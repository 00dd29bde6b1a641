"""What a process keeps at PostgreSQL for longer than a transaction: locks of its own, and an ear for announcements.

Advisory locks belong to a connection and end with it, so a process that dies leaves none behind.
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
"""The name under which processes announce something."""

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
    # The two halves of the number: https://www.postgresql.org/docs/current/view-pg-locks.html.
    "SELECT array_agg(classid::bigint << 32 | objid::bigint) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = database AND datname = current_database()"
    " WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
)

LOOKED_AFTER: Final = 10.0
"""Seconds after which the connection is looked after: it may be lost without a sign."""
ANSWERS_WITHIN: Final = 8.0
"""Seconds after which a connection without an answer counts as lost.

Together with `LOOKED_AFTER` that is less than the half minute after which the server gives up its end of a connection,
and with it the locks. So the process knows first.
"""
ENDS_WITHIN: Final = 5.0
"""Seconds that the server is given to end the session of a connection that was lost without its noticing."""

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 10.0
"""Seconds between two attempts to connect again: fewer while somebody waits for it."""

REQUIRED_WITHIN: Final = 2.0
"""Seconds for which somebody waits for the connection before they are refused."""


IN_USE: Final = "in use"
"""The lock that every process shares which uses the database; who has it alone may change the tables."""

_REVISION: Final = text("SELECT version_num FROM alembic_version")


class _Session(NamedTuple):
    """A session of the server: its process, and when it began, since the numbers of processes are used again."""

    pid: int
    since: datetime


class Keeper(OtherProcesses):
    """One connection, on which each statement is a transaction. Make one with `connect`, and close it.

    A connection that is lost is made again, with the locks that it had.
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
        """The locks that are to be held, and whether each is shared with others."""
        self._held = set[str]()
        self._hear: Callable[[Announcement | None], None] | None = None
        self._lost = asyncio.Event()
        self._missed = asyncio.Event()
        """Set when somebody waits for the connection to be back."""
        self._back = asyncio.Event()
        """Set while the connection is there, with its locks."""
        self._running = set[asyncio.Task[Any]]()
        self._looking_after: asyncio.Task[None] | None = None
        self.revision: str | None = None
        """The revision of the tables while this process has used them."""

    @staticmethod
    async def connect(address: URL) -> Keeper:
        """Connect. Raise whatever the driver raises."""
        keeper = Keeper(address, await _connect(address))
        await keeper._attend()
        keeper._back.set()
        keeper._looking_after = asyncio.create_task(keeper._look_after())
        return keeper

    async def execute(self, query: Executable, **parameters: object) -> Row[Any] | None:
        """Run a statement, and return the first row of its result, if it has one."""
        # SQLAlchemy gives up a connection whose statement is cancelled, and all locks would be lost with it.
        return await self._despite_cancellation(self._execute(query, parameters))

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Let the other processes hear something once a transaction has committed."""
        said = " ".join(map(str, announcement))
        await transaction.execute(_NOTIFY, {"channel": CHANNEL, "said": said})

    async def listen(self, hear: Callable[[Announcement | None], None]) -> None:
        """Call a function with whatever they announce, or with None if some of it may have been missed."""
        self._hear = hear
        with self._watch():
            # Nothing else may use the connection meanwhile. To listen again does no harm.
            async with self._turn:
                await (await self._driver()).add_listener(CHANNEL, self._heard)

    async def hold(self, lock: str, *, shared: bool = False) -> bool:
        """Hold a lock until `let_go`, alone or `shared` with other processes.

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
        """Let another process hold a lock. Do nothing if this one does not hold it."""
        shared = self._wanted.pop(lock, False)
        if lock in self._held:
            self._held.discard(lock)
            try:
                await self.execute((_UNLOCK_SHARED if shared else _UNLOCK).bindparams(lock=lock_of(lock)))
            except Exception:
                # Whoever held it is done. The lock ends with the connection, and the others are taken again.
                self._lost.set()

    def holds(self, lock: str) -> bool:
        """Return whether this process still holds a lock."""
        return lock in self._held

    async def unheld(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return which of these locks no process holds at the moment, asked in a transaction if there is one.

        Raise `DatabaseUnavailableError`; without a transaction, the connection counts as lost then.
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
        """Wait until this process certainly uses the database, so that nobody else can have it alone.

        Raise `DatabaseUnavailableError` if that takes long, or if somebody had it meanwhile: this process is `evicted`.
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
        """Close the connection, and so let others have all locks."""
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
        """Let go of a lock that nobody waits for any more, once it is taken."""
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
        """Raise `DatabaseUnavailableError` for errors of the driver: the connection is looked after."""
        try:
            yield
        except Exception as error:
            found = fault(self._place, error)
            if isinstance(found, DatabaseUnavailableError):
                raise found from error
            raise DatabaseUnavailableError(f"cannot use {self._place} at the moment: {error}") from error

    async def _look_after(self) -> None:
        """Connect again whenever the connection is lost, take the locks again, and listen."""
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
        log.info("the connection that hears other processes is back")
        if self._hear is not None:
            self._hear(None)

    async def _attend(self) -> None:
        """Notice the end of the connection, and hear what is said on it."""
        self._lost.clear()
        driver = await self._driver()
        driver.add_termination_listener(self._ended)
        row = (await self._connection.execute(_SESSION)).one()
        self._session = _Session(row.pid, row.backend_start)
        # A pooler names another process, or none that exists, and keeps the locks of whoever has gone.
        self.keeps_locks = driver.get_server_pid() == row.pid
        if self._hear is not None:
            await driver.add_listener(CHANNEL, self._heard)

    async def _end_session(self) -> None:
        """Let the server end the session before, which it may not know to be lost: it would keep the locks."""
        if self._session is not None and self.keeps_locks:
            pid, since = self._session
            found = {"pid": pid, "since": since, "milliseconds": int(ENDS_WITHIN * 1000)}
            await self._connection.execute(_END_SESSION, found)

    async def _take_again(self) -> None:
        """Take the locks again that were lost. Whoever has one of them by now keeps it."""
        for lock, shared in [*self._wanted.items()]:
            if not await self._take(lock, shared=shared):
                log.warning("another process has taken a lock of this one", lock=lock_of(lock))
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
    """Return a connection that knows soon when it is lost. Raise whatever the driver raises."""
    return await create_engine(address, 1, "AUTOCOMMIT", answers_within=ANSWERS_WITHIN).connect()


def lock_of(name: str) -> int:
    """Return the number of the advisory lock with a name, which may be about a person."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _announcement(said: str) -> Announcement | None:
    """Return an announcement; None for one that this version does not know: all is looked for then."""
    try:
        topic, number, until = said.split()
        return Announcement(News(topic), int(number), float(until))
    except ValueError:
        return None
