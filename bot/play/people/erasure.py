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

PAUSE: Final = timedelta(minutes=10)
"""Minimum time between attempts: each rewrites the whole database."""

QUIET_FOR: Final = timedelta(seconds=30)
"""Time without a move before an attempt that blocks all writers."""
MAX_WAIT: Final = timedelta(hours=1)
"""Maximum time that an attempt is postponed."""

COPIES_KEPT_FOR: Final = timedelta(days=30)
"""Retention of a copy from before an update. It is deleted earlier if somebody is forgotten."""


class Erasure(Service):
    """Removes traces of deleted data from the database's files."""

    def __init__(self, units: Units, database: Database) -> None:
        super().__init__(units)
        self._database = database
        self._paused_until = 0.0
        """By `time.monotonic`, like all times here, so that changes of the system clock do not matter."""
        self._waiting_since: float | None = None
        """Time at which the erasure was first postponed; None if it was not."""

    @shielded
    async def run(self) -> None:
        """Delete old copies. If there are traces of forgotten people and the pause is over, erase the traces.

        An erasure that blocks all writers is postponed while people play, for at most `MAX_WAIT`. Failures are logged
        and retried after the pause.
        """
        if time.monotonic() < self._paused_until:
            return
        try:
            await self._database.remove_copies(self._units.clock() - COPIES_KEPT_FOR)
            async with self._units.read(Lane.BACKGROUND) as unit:
                request = await erasures.asked(unit.transaction)
            if request is None or not self._may_begin():
                return
            self._waiting_since = None
            self._paused_until = time.monotonic() + PAUSE.total_seconds()
            await self._database.erase_traces()
            async with self._units.write() as unit:
                await erasures.done(unit.transaction, request)
        except Exception as error:
            # The people themselves are already forgotten, so they get no error.
            self._paused_until = time.monotonic() + PAUSE.total_seconds()
            log.warning("traces of forgotten people remain for now", problem=str(error))

    def _may_begin(self) -> bool:
        """Return True if an attempt blocks nobody, or was postponed long enough."""
        now = time.monotonic()
        self._waiting_since = now if self._waiting_since is None else self._waiting_since
        is_quiet = now - self._units.moved_at >= QUIET_FOR.total_seconds()
        is_late = now - self._waiting_since >= MAX_WAIT.total_seconds()
        return not self._database.erasing_stops_writers or is_quiet or is_late
