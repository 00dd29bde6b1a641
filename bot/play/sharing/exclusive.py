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
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait until nobody else, here or in another process, does what goes by a name, and do it in the block.

        Raise `Unavailable`.
        """
        with refusing():
            async with self._others.alone(name):
                yield

    @asynccontextmanager
    async def unless_elsewhere(self, name: str) -> AsyncGenerator[bool]:
        """Do what goes by a name in the block, unless this yields False: another process does it now.

        The caller sees that it is done only once at a time in this process. Raise `Unavailable`.
        """
        with refusing():
            held = await self._others.hold(name)
            try:
                yield held
            finally:
                if held:
                    await self._others.let_go(name)
