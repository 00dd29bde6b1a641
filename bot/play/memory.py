"""What the program itself remembers from one run to the next."""

from __future__ import annotations

from bot.store import settings
from bot.store.database import Database


class Memory:
    """Named values, and whether the database answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, name: str) -> str | None:
        """A remembered value; None where there is none."""
        return await self._database.read(lambda transaction: settings.load(transaction, name))

    async def forget(self) -> None:
        """Forget every remembered value."""
        await self._database.write(settings.forget)

    async def keep(self, name: str, value: str) -> None:
        """Remember a value."""
        await self._database.write(lambda transaction: settings.keep(transaction, name, value))

    async def ping(self) -> None:
        """Answer a query, or raise whatever keeps the database from answering."""
        await self._database.ping()
