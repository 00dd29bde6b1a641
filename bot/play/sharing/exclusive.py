"""What only one process may do at a time, such as registering the commands."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.play.loading.unit_of_work import refusing
from bot.store.database import Database


class Exclusive:
    """Takes turns with the other processes that use the database."""

    def __init__(self, database: Database) -> None:
        self._others = database.others

    @asynccontextmanager
    async def alone(self, lock: str) -> AsyncGenerator[None]:
        """Hold a lock during the block, once nobody else, here or in another process, holds it. Raise `Unavailable`."""
        with refusing():
            async with self._others.alone(lock):
                yield

    @asynccontextmanager
    async def unless_elsewhere(self, lock: str) -> AsyncGenerator[bool]:
        """Hold a lock during the block; yield False if another process holds it. Raise `Unavailable`.

        In this process nobody else may hold it meanwhile: the caller sees to that.
        """
        with refusing():
            held = await self._others.hold(lock)
            try:
                yield held
            finally:
                if held:
                    await self._others.let_go(lock)
