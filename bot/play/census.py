"""Counts of what is going on in the servers that a process works for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.loading.unit_of_work import Service
from bot.store import census, outbox
from bot.store.database import Lane


@dataclass(frozen=True, slots=True)
class Backlog:
    """Messages that wait to be delivered."""

    due: int
    """How many are to be delivered now."""
    overdue: float
    """For how many seconds one of them has waited for an attempt, at most."""
    failing: int
    """How many of all failed many times in a row: they are tried every ten minutes."""


class Census(Service):
    """Counts for whoever watches the bot."""

    async def open_matches(self) -> int:
        """Return how many matches go on. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await census.open_matches(unit.transaction, self._units.share.shards)

    async def backlog(self) -> Backlog:
        """Return how many messages wait to be delivered, and for how long. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due, first, failing = await outbox.backlog(unit.transaction, self._units.share.shards, unit.now)
        # A moment in the future was saved by a clock that has been set back, or is an attempt that is put off.
        overdue = 0.0 if first is None else max(0.0, (unit.now - first).total_seconds())
        return Backlog(due, overdue, failing)
