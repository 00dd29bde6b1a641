"""Counts of open matches and queued messages, for the metrics."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.loading.unit_of_work import Service
from bot.store import census, outbox
from bot.store.database import Lane


@dataclass(frozen=True, slots=True)
class Backlog:
    """The queue of undelivered messages."""

    due: int
    """Number of messages due for delivery now."""
    overdue: float
    """Time by which the oldest due message is overdue, in seconds."""
    failing: int
    """Number of messages that failed many times in a row. They are retried every ten minutes."""


class Census(Service):
    """Counts for the servers that this process works for."""

    async def open_matches(self) -> int:
        """Return the number of running matches. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await census.open_matches(unit.transaction, self._units.share.shards)

    async def backlog(self) -> Backlog:
        """Return the state of the message queue. Raise `Unavailable`."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due, first, failing = await outbox.backlog(unit.transaction, self._units.share.shards, unit.now)
        # A time in the future is a postponed attempt, or was saved by a clock that has been set back since.
        overdue = 0.0 if first is None else max(0.0, (unit.now - first).total_seconds())
        return Backlog(due, overdue, failing)
