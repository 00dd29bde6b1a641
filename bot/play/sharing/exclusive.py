"""Locks for work that only one process may do at a time, such as registering the commands."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.play.loading.unit_of_work import database_errors_as_refusals
from bot.store.database import Database


class Exclusive:
    """Exclusive locks that hold across all processes on the same database."""

    def __init__(self, database: Database) -> None:
        self._others = database.others

    @asynccontextmanager
    async def locked(self, lock: str) -> AsyncGenerator[None]:
        """Wait until nobody else holds a lock, in any process, and hold it during the block.

        Raise `Unavailable` if the database cannot be used.
        """
        with database_errors_as_refusals():
            async with self._others.exclusive(lock):
                yield

    @asynccontextmanager
    async def try_locked(self, lock: str) -> AsyncGenerator[bool]:
        """Hold a lock during the block and yield True, or yield False if another process holds it.

        The caller must make sure that nothing else in this process holds the lock. Raise `Unavailable` if the database
        cannot be used.
        """
        with database_errors_as_refusals():
            held = await self._others.try_lock(lock)
            try:
                yield held
            finally:
                if held:
                    await self._others.release(lock)
