"""Repairs stored times that lie in the future because the system clock was wrong.

Otherwise, whatever waits for these times would be late.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from bot.model.challenges import CHALLENGE_LIFETIME
from bot.play.loading.batches import in_batches
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.standing import seasons
from bot.play.standing.counting import RECENT_PERIOD
from bot.store import ended_matches, moments
from bot.store.database import Lane
from bot.store.removal import MAX_ROWS

log = structlog.get_logger(__name__)

MAX_CLOCK_DIFFERENCE: Final = timedelta(seconds=5)
"""Maximum difference between this host's clock and the database's clock. If it is exceeded, a warning is logged."""


class TimeRepair(Service):
    """Repairs stored times that lie in the future."""

    async def repair(self) -> None:
        """Repair times that lie in the future, on the first call and after each time the clock was set back.

        The true time is unknown, so it is replaced by the current time. If several hosts share a database, also log a
        warning if this host's clock differs much from the database's.
        """
        now = self._units.clock()
        if now >= self._units.latest_saved_time:
            return
        # Reset `latest_saved_time` before the repair: the clock can jump, and times saved during the repair must count.
        previous_latest, self._units.latest_saved_time = self._units.latest_saved_time, now
        done = False
        try:
            await self._compare_clocks()
            tables = (partial(self._repair_rows, table) for table in moments.REPAIRED_TABLES)
            steps = (*tables, self._repair_recent_matches, self._repair_season)
            done = all([await in_batches(step) for step in steps])
        finally:
            if not done:
                self._units.latest_saved_time = max(self._units.latest_saved_time, previous_latest)

    # Each step searches in a read transaction first: the search can read whole tables, and a write transaction would
    # block other writers.

    @shielded
    async def _repair_rows(self, table: moments.Table) -> bool:
        """Repair some rows of a table. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            keys = await moments.keys_in_future(unit.transaction, table, unit.now, unit.now + CHALLENGE_LIFETIME)
        if not keys:
            return False
        async with self._units.write() as unit:
            await moments.repair(unit.transaction, table, keys, unit.now, unit.now + CHALLENGE_LIFETIME)
        return True

    @shielded
    async def _repair_recent_matches(self) -> bool:
        """Repair some matches that would stay on the 30-day leaderboards too long. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await ended_matches.any_recent_beyond(unit.transaction, unit.now + RECENT_PERIOD):
                return False
        async with self._units.write() as unit:
            return await ended_matches.shorten_recent(unit.transaction, unit.now + RECENT_PERIOD, MAX_ROWS) > 0

    @shielded
    async def _repair_season(self) -> bool:
        """Restart one server's season if it began while the clock was ahead. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            wrong = await seasons.guilds_with_future_season(unit.transaction, unit.now)
        if not wrong:
            return False
        async with self._units.write() as unit:
            await seasons.repair_season(unit.transaction, wrong[0], unit.now)
        return True

    async def _compare_clocks(self) -> None:
        if not self._units.has_other_processes:
            return
        async with self._units.read(Lane.BACKGROUND) as unit:
            ahead = self._units.clock() - await moments.database_clock(unit.transaction)
        if abs(ahead) > MAX_CLOCK_DIFFERENCE:
            log.warning(
                "this host's clock and the database's differ: set both by NTP", seconds_ahead=ahead.total_seconds()
            )
