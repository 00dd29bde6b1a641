"""The other processes that share a database: locks between them, and announcements to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from enum import StrEnum
from random import uniform
from typing import Final, NamedTuple

from bot.store.transaction import Transaction

TRIED_AGAIN_AFTER: Final = 0.5
"""Maximum interval between attempts to take a lock that another process holds, in seconds."""


class Announcement(NamedTuple):
    """A notification to the other processes. Without it they would notice the change too, but later."""

    about: News
    number: int = 0
    """A shard, or the digest of a person's id."""
    until: float = 0
    """Expiry time, in seconds since 1970."""


class News(StrEnum):
    """The topic of an announcement."""

    MESSAGES = "messages"
    """A shard has messages to deliver."""
    TIMES = "times"
    """A match of a shard has a deadline soon."""
    SILENCED = "silenced"
    """A person was forgotten. Until the expiry time, their offers notify nobody."""
    LEASES = "leases"
    """The lease of a shard is free, or another process wants it."""


class OtherProcesses:
    """The other processes that share a database. This base class is for a database used by one process only."""

    exist = False
    """True if other processes may share the database."""
    evicted = False
    """True if another process has updated or moved the database, so this process must exit."""
    keeps_locks = True
    """True if a lock lasts exactly as long as this process is connected to the database.

    False behind a connection pooler, which keeps locks of processes that have exited.
    """

    def __init__(self) -> None:
        self.on_loss: Callable[[], None] = lambda: None
        """Called when the connection is lost, and all locks of this process with it."""
        self._turns: dict[str, asyncio.Lock] = {}

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Send an announcement to the other processes when the transaction commits."""

    async def listen(self, hear: Callable[[Announcement | None], None]) -> None:
        """Register a callback for announcements. It is called with None if some may have been missed."""

    async def hold(self, lock: str) -> bool:
        """Take a lock and keep it until `let_go`. Return False if another process holds it."""
        return True

    async def let_go(self, lock: str) -> None:
        """Release a lock. Do nothing if this process does not hold it."""

    def holds(self, lock: str) -> bool:
        """Return True if this process still holds a lock. Losing the connection loses all locks."""
        return True

    async def unheld(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return the locks that no process currently holds. If a transaction is given, use it for the query."""
        return set()

    @asynccontextmanager
    async def alone(self, lock: str) -> AsyncGenerator[None]:
        """Wait for a lock and hold it during the block. It excludes other processes and other tasks of this one."""
        async with self._turns.setdefault(lock, asyncio.Lock()):
            while not await self.hold(lock):  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(uniform(0.5, 1) * TRIED_AGAIN_AFTER)
            try:
                yield
            finally:
                await self.let_go(lock)
