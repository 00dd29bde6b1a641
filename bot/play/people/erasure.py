"""Erasing forgotten people from the database's files, where deleted rows leave traces."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Final

import structlog

from bot.play.loading.unit_of_work import Service, Units, shielded
from bot.store import erasures
from bot.store.database import Database, Lane

log = structlog.get_logger(__name__)

ATTEMPT_INTERVAL: Final = timedelta(minutes=10)
"""Minimum time between attempts to erase traces: each rewrites the whole database."""

QUIET_TIME: Final = timedelta(seconds=30)
"""Minimum time since the last move before an erasure that blocks all writers may begin."""
MAX_WAIT: Final = timedelta(hours=1)
"""Maximum time for which an erasure that blocks all writers is postponed because people are playing."""

COPY_RETENTION: Final = timedelta(days=30)
"""Time for which a copy of the database from before an update is kept. It is deleted earlier if somebody is
forgotten."""


class Erasure(Service):
    """Removes traces of deleted data from the database's files."""

    def __init__(self, units: Units, database: Database) -> None:
        super().__init__(units)
        self._database = database
        self._paused_until = 0.0
        """The `time.monotonic` before which `run` does nothing. Changes of the system clock do not affect it."""
        self._postponed_since: float | None = None
        """Time at which the pending erasure was first postponed, by `time.monotonic`; None if it was not."""

    @shielded
    async def run(self) -> None:
        """Delete old copies of the database, and erase traces of forgotten people.

        Do nothing if the last erasure or failure was less than `ATTEMPT_INTERVAL` ago. An erasure that blocks all
        writers is postponed while people play, for at most `MAX_WAIT`. Failures are logged, and a later call tries
        again.
        """
        if time.monotonic() < self._paused_until:
            return
        try:
            await self._database.remove_copies(self._units.clock() - COPY_RETENTION)
            async with self._units.read(Lane.BACKGROUND) as unit:
                request = await erasures.pending_request(unit.transaction)
            if request is None or not self._may_begin():
                return
            self._postponed_since = None
            self._paused_until = time.monotonic() + ATTEMPT_INTERVAL.total_seconds()
            await self._database.erase_traces()
            async with self._units.write() as unit:
                await erasures.clear_request(unit.transaction, request)
        except Exception as error:
            # Only log the failure. A person who asked to be forgotten gets no error message: their rows are already
            # deleted, and the remaining traces are erased later.
            self._paused_until = time.monotonic() + ATTEMPT_INTERVAL.total_seconds()
            log.warning("traces of forgotten people remain for now", problem=str(error))

    def _may_begin(self) -> bool:
        """Return True if an erasure would block no writers, nobody is playing, or it was postponed for long enough."""
        now = time.monotonic()
        self._postponed_since = now if self._postponed_since is None else self._postponed_since
        is_quiet = now - self._units.last_move_at >= QUIET_TIME.total_seconds()
        is_late = now - self._postponed_since >= MAX_WAIT.total_seconds()
        return not self._database.erasing_blocks_writers or is_quiet or is_late
