"""The other processes that share a database: locks between them, and announcements to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from enum import StrEnum
from random import uniform
from typing import Final, NamedTuple

from bot.store.transaction import Transaction

LOCK_RETRY_INTERVAL: Final = 0.5
"""Maximum interval between attempts to take a lock that another process holds, in seconds."""


class Announcement(NamedTuple):
    """A message that tells the other processes about a change. Without it, they would notice the change later."""

    topic: AnnouncementTopic
    number: int = 0
    """The number of a shard or, for the topic `SILENCED`, the digest of a person's id."""
    until: float = 0
    """For the topic `SILENCED`, the expiry time in seconds since 1970."""


class AnnouncementTopic(StrEnum):
    """The topic of an announcement."""

    MESSAGES = "messages"
    """Notification: a shard has messages to deliver."""
    TIMES = "times"
    """Notification: a match of a shard has a deadline soon."""
    SILENCED = "silenced"
    """Notification: the offers of a person who was forgotten must not ping anyone until the expiry time."""
    LEASES = "leases"
    """Notification: a shard's lease is free, or another process wants it."""


class OtherProcesses:
    """The other processes that share a database. This base class is for a database used by one process only."""

    exist = False
    """True if other processes may share the database."""
    is_evicted = False
    """True if another process has updated or moved the database, so this process must exit."""
    has_reliable_locks = True
    """True if a lock lasts exactly as long as this process is connected to the database.

    False behind a connection pooler, which keeps locks of processes that have exited.
    """

    def __init__(self) -> None:
        self.on_loss: Callable[[], None] = lambda: None
        """Called when the connection to the database is lost, and with it all locks of this process."""
        self._local_locks: dict[str, asyncio.Lock] = {}

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Send an announcement to the other processes when the transaction commits."""

    async def listen(self, callback: Callable[[Announcement | None], None]) -> None:
        """Register a callback for announcements. The callback gets None if announcements may have been missed."""

    async def try_lock(self, lock: str) -> bool:
        """Take a lock and keep it until `release`. Return False if another process holds it."""
        return True

    async def release(self, lock: str) -> None:
        """Release a lock. Do nothing if this process does not hold it."""

    def holds(self, lock: str) -> bool:
        """Return True if this process still holds a lock. Losing the connection loses all locks."""
        return True

    async def free_locks(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return the locks that no process currently holds. If a transaction is given, use it for the query."""
        return set()

    @asynccontextmanager
    async def exclusive(self, lock: str) -> AsyncGenerator[None]:
        """Wait for a lock and hold it during the block. Other processes and tasks that want the lock wait."""
        async with self._local_locks.setdefault(lock, asyncio.Lock()):
            while not await self.try_lock(lock):  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(uniform(0.5, 1) * LOCK_RETRY_INTERVAL)
            try:
                yield
            finally:
                await self.release(lock)
