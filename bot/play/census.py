"""Counts of what is going on in the servers that a process works for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.loading.unit_of_work import Service
from bot.store import census
from bot.store.database import Lane


@dataclass(frozen=True, slots=True)
class Counts:
    """How many matches go on, how many messages are due, and for how many seconds the oldest has been."""

    open_matches: int
    messages_due: int
    oldest_message: float


class Census(Service):
    """Counts for whoever watches the bot."""

    async def take(self) -> Counts:
        """Count. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            shards = self._units.share.shards
            running = await census.open_matches(unit.transaction, shards)
            due, since = await census.messages_due(unit.transaction, shards, unit.now)
        return Counts(running, due, 0.0 if since is None else (unit.now - since).total_seconds())
