"""Counts of what is going on in the servers that a process works for."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Service
from bot.store import census
from bot.store.database import Lane


class Census(Service):
    """Counts for whoever watches the bot."""

    async def open_matches(self) -> int:
        """Return how many matches go on. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await census.open_matches(unit.transaction, self._units.share.shards)

    async def messages_due(self) -> tuple[int, float]:
        """Return how many messages are due, and for how many seconds the oldest has been. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due, since = await census.messages_due(unit.transaction, self._units.share.shards, unit.now)
        return due, 0.0 if since is None else (unit.now - since).total_seconds()
