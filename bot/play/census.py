"""Counts of open matches and queued messages, for the metrics."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.loading.unit_of_work import Service
from bot.store import census, outbox
from bot.store.database import Lane


@dataclass(frozen=True, slots=True)
class Backlog:
    """Measurements of the queue of undelivered messages."""

    due: int
    """Number of messages due for delivery now."""
    overdue: float
    """Time for which the oldest due message has been due, in seconds."""
    failing: int
    """Number of messages that failed many times in a row. They are retried every ten minutes."""


class Census(Service):
    """Counts open matches and queued messages of the servers that this process works for."""

    async def open_matches(self) -> int:
        """Return the number of running matches. Raise `Unavailable` if the database cannot be used."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await census.running_match_count(unit.transaction, self._units.share.shards)

    async def backlog(self) -> Backlog:
        """Return the state of the message queue. Raise `Unavailable` if the database cannot be used."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due, first_due_at, failing = await outbox.backlog(unit.transaction, self._units.share.shards, unit.now)
        # The earliest due time may be in the future: the next attempt was postponed, or the system clock was set back.
        overdue = 0.0 if first_due_at is None else max(0.0, (unit.now - first_due_at).total_seconds())
        return Backlog(due, overdue, failing)
