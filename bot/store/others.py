"""The other processes that use a database: what they do alone, and what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from enum import StrEnum
from random import uniform
from typing import Final, NamedTuple

from bot.store.transaction import Transaction

TRIED_AGAIN_AFTER: Final = 0.5
"""The most seconds until a process asks again for a lock that another one holds."""


class Announcement(NamedTuple):
    """Something that other processes should hear of at once. They would find out by themselves, but later."""

    about: News
    number: int = 0
    """A shard, or what stands for a person."""
    until: float = 0
    """Until when it holds, in seconds since 1970."""


class News(StrEnum):
    """What an announcement is about."""

    MESSAGES = "messages"
    """Messages of a shard are due."""
    TIMES = "times"
    """Something is due soon in a match of a shard."""
    SILENCED = "silenced"
    """A person was forgotten, and notifies nobody by offers for a while."""
    LEASES = "leases"
    """A shard has nobody to work for it, or somebody who should not."""


class OtherProcesses:
    """The other processes that use a database. This class is for one that nobody shares: there are none."""

    exist = False
    """True if there may be any."""
    evicted = False
    """True if they have taken the database, so that this process must end."""
    keeps_locks = True
    """True if a lock of this process is held as long as the process lives and reaches the database, and no longer."""

    def __init__(self) -> None:
        self.on_loss: Callable[[], None] = lambda: None
        """Called when this process loses all its locks with its connection."""
        self._turns: dict[str, asyncio.Lock] = {}

    async def announce(self, transaction: Transaction, announcement: Announcement) -> None:
        """Let them hear something once a transaction has committed."""

    async def listen(self, hear: Callable[[Announcement | None], None]) -> None:
        """Call a function with whatever they announce, or with None if some of it may have been missed."""

    async def hold(self, lock: str) -> bool:
        """Hold a lock until `let_go`. Return False if another process holds it."""
        return True

    async def let_go(self, lock: str) -> None:
        """Let another process hold a lock. Do nothing if this one does not hold it."""

    def holds(self, lock: str) -> bool:
        """Return whether this process still holds a lock: it loses all of them with its connection."""
        return True

    async def unheld(self, locks: Collection[str], transaction: Transaction | None = None) -> set[str]:
        """Return which of these locks no process holds at the moment, asked in a transaction if there is one."""
        return set()

    @asynccontextmanager
    async def alone(self, lock: str) -> AsyncGenerator[None]:
        """Hold a lock during the block, once nobody else, here or in another process, holds it."""
        async with self._turns.setdefault(lock, asyncio.Lock()):
            while not await self.hold(lock):  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(uniform(0.5, 1) * TRIED_AGAIN_AFTER)
            try:
                yield
            finally:
                await self.let_go(lock)
