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
"""How long after an attempt the next one may begin: each writes the whole database again."""

QUIET_FOR: Final = timedelta(seconds=30)
"""Time without a move before an attempt that blocks all writers."""
MAX_WAIT: Final = timedelta(hours=1)
"""Maximum time that an attempt is put off."""

COPIES_KEPT_FOR: Final = timedelta(days=30)
"""How long a copy from before an update is kept, unless somebody is forgotten sooner."""


class Erasure(Service):
    """Removes from the files what the database no longer holds."""

    def __init__(self, units: Units, database: Database) -> None:
        super().__init__(units)
        self._database = database
        self._paused_until = 0.0
        """By `time.monotonic`, as all times here: no change of the system's clock moves it."""
        self._waiting_since: float | None = None
        """When the erasure was first put off; None if it was not."""

    @shielded
    async def run(self) -> None:
        """Remove old copies, and all traces of forgotten people if there are any and the last attempt is long past.

        An erasure that blocks all writers is put off while people play, for `MAX_WAIT` at most. Failures are logged
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
            # Whoever is being forgotten is forgotten already: they need not hear of this.
            self._paused_until = time.monotonic() + PAUSE.total_seconds()
            log.warning("traces of forgotten people remain for now", problem=str(error))

    def _may_begin(self) -> bool:
        """Return whether an attempt blocks nobody, or was put off for long enough."""
        now = time.monotonic()
        self._waiting_since = now if self._waiting_since is None else self._waiting_since
        is_quiet = now - self._units.moved_at >= QUIET_FOR.total_seconds()
        is_late = now - self._waiting_since >= MAX_WAIT.total_seconds()
        return not self._database.erasing_stops_writers or is_quiet or is_late
