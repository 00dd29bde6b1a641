"""What a process keeps at PostgreSQL for longer than a transaction: locks of its own, and an ear for announcements.

Advisory locks belong to a connection and end with it, so a process that dies leaves none behind.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, Final

import structlog
from sqlalchemy import URL, Executable, Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.address import place_of
from bot.store.errors import DatabaseUnavailableError
from bot.store.others import Announcement, OtherProcesses, Topic
from bot.store.postgres.engines import create_engine
from bot.store.postgres.faults import fault
from bot.store.transaction import Transaction

log = structlog.get_logger(__name__)

CHANNEL: Final = "deadwood"
"""The name under which processes announce something."""

_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")

LOOKED_AFTER: Final = 10.0
"""Seconds after which the connection is looked after: it may be lost without a word."""

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 10.0
"""Seconds between two attempts to connect again."""


class AdvisoryLock(IntEnum):
    """What processes lock for themselves; the numbers are this program's own, and must stay as they are."""

    IN_USE = 0x6465_6164_0001
    """Shared by each process that uses the database."""
    MIGRATION = 0x6465_6164_0002
    """The process that brings the tables up to date."""


def lock_of(name: str) -> int:
    """Return the number of the advisory lock for what goes by a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


class Keeper(OtherProcesses):
    """One connection, on which each statement is a transaction. Make one with `connect`, and close it."""

    exist = True

    def __init__(self, address: URL, connection: AsyncConnection) -> None:
        super().__init__()
        self._address = address
        self._place = place_of(address.render_as_string())
        self._connection = connection
        self._turn = asyncio.Lock()
        self._held: dict[int, bool] = {}
        """The locks that are to be held, and whether each is shared with others."""
        self._hear: Callable[[Announcement | None], None] = lambda _: None
        self._looking_after: asyncio.Task[None] | None = None

    @staticmethod
    async def connect(address: URL) -> Keeper:
        """Connect. Raise whatever the driver raises."""
        return Keeper(address, await create_engine(address, 1, "AUTOCOMMIT").connect())

    async def ask(self, query: str | Executable, **parameters: object) -> Row[Any] | None:
        """Run a statement, and return the first row of its result, if it has one."""
        statement = text(query) if isinstance(query, str) else query
        async with self._turn:
            result = await self._connection.execute(statement, parameters)
            return result.first() if result.returns_rows else None

    async def lock(self, lock: int) -> None:
        """Wait for a lock, and nothing else meanwhile."""
        await self.ask("SELECT pg_advisory_lock(:lock)", lock=lock)
        self._held[lock] = False

    async def try_lock(self, lock: int, *, shared: bool = False) -> bool:
        """Take a lock, if no other process has it, and return whether this one has."""
        if lock in self._held:
            return True
        function = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        row = await self.ask(f"SELECT {function}(:lock)", lock=lock)
        if row is not None and row[0]:
            self._held[lock] = shared
        return lock in self._held

    async def unlock(self, lock: int) -> None:
        """Let others have a lock."""
        shared = self._held.pop(lock)
        await self.ask(f"SELECT pg_advisory_unlock{'_shared' if shared else ''}(:lock)", lock=lock)

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Let the other processes hear something once a transaction has committed."""
        said = " ".join(map(str, announcement))
        await transaction.execute(_NOTIFY, {"channel": CHANNEL, "said": said})

    async def listen(self, hear: Callable[[Announcement | None], None]) -> None:
        """Call a function with whatever they announce, or with None if some of it may have been missed."""
        self._hear = hear
        with self._watch():
            await self._listen()
        self._looking_after = asyncio.create_task(self._look_after())

    async def hold(self, name: str) -> bool:
        """Keep the other processes from what goes by a name. Return False if one of them does it now."""
        with self._watch():
            return await self.try_lock(lock_of(name))

    async def let_go(self, name: str) -> None:
        """Let the other processes do what goes by a name."""
        with self._watch():
            await self.unlock(lock_of(name))

    def holds(self, name: str) -> bool:
        """Return whether this process still keeps the others from what goes by a name."""
        return lock_of(name) in self._held

    async def _listen(self) -> None:
        def hear(_: object, __: int, ___: str, said: str) -> None:
            self._hear(_announcement(said))

        driver: Any = (await self._connection.get_raw_connection()).driver_connection
        await driver.add_listener(CHANNEL, hear)

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
            await asyncio.sleep(LOOKED_AFTER)
            try:
                await self.ask("SELECT 1")
            except Exception as error:
                log.warning("the connection that hears other processes is lost", problem=str(fault(self._place, error)))
                await self._connect_again()

    async def _connect_again(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                async with self._turn:
                    await self._disconnect()
                    self._connection = await create_engine(self._address, 1, "AUTOCOMMIT").connect()
                wanted, self._held = self._held, {}
                for lock, shared in wanted.items():
                    if not await self.try_lock(lock, shared=shared):
                        log.error("another process has taken what this one kept")
                await self._listen()
                break
            except Exception:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        log.info("the connection that hears other processes is back")
        self._hear(None)

    async def _disconnect(self) -> None:
        with suppress(Exception):
            await self._connection.close()
        with suppress(Exception):
            await self._connection.engine.dispose()

    async def close(self) -> None:
        """Close the connection, and so let others have all locks."""
        if self._looking_after is not None:
            self._looking_after.cancel()
        await self._disconnect()


def _announcement(said: str) -> Announcement | None:
    """Return an announcement; None for one that this version does not know: all is looked for then."""
    try:
        topic, number, until = said.split()
        return Announcement(Topic(topic), int(number), float(until))
    except ValueError:
        return None
