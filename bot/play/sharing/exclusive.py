"""Locks for work that only one process may do at a time, such as registering the commands."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.play.loading.unit_of_work import refusing
from bot.store.database import Database


class Exclusive:
    """Locks that are shared with the other processes on the database."""

    def __init__(self, database: Database) -> None:
        self._others = database.others

    @asynccontextmanager
    async def alone(self, lock: str) -> AsyncGenerator[None]:
        """Wait for a lock, in this and all other processes, and hold it during the block. Raise `Unavailable`."""
        with refusing():
            async with self._others.alone(lock):
                yield

    @asynccontextmanager
    async def unless_elsewhere(self, lock: str) -> AsyncGenerator[bool]:
        """Hold a lock during the block. Yield False if another process holds it. Raise `Unavailable`.

        The caller must make sure that nothing else in this process holds it.
        """
        with refusing():
            held = await self._others.hold(lock)
            try:
                yield held
            finally:
                if held:
                    await self._others.let_go(lock)
