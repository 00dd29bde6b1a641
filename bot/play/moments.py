"""Stored times that lie in the future because the system clock was wrong: anything that depends on them is late."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from bot.play.loading.batches import in_batches
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.standing import seasons
from bot.play.standing.counting import RECENT_FOR
from bot.store import ended_matches, moments
from bot.store.database import Lane
from bot.store.removal import MAX_ROWS
from bot.values.challenges import EXPIRES_AFTER

log = structlog.get_logger(__name__)

CLOCKS_DIFFER_BY: Final = timedelta(seconds=5)
"""Maximum difference between the clocks of several hosts. A larger one is logged."""


class Moments(Service):
    """Repairs impossible times."""

    async def repair(self) -> None:
        """Repair times that lie in the future, on the first call and after each time the clock was set back.

        The true time is unknown, so it is replaced by the current time. If several hosts share a database, also log a
        warning if this host's clock differs much from the database's.
        """
        now = self._units.clock()
        if now >= self._units.latest:
            return
        # Track times that are saved from now on: the clock may jump during the repair.
        unsure_until, self._units.latest = self._units.latest, now
        done = False
        try:
            await self._compare_clocks()
            tables = (partial(self._bring_back, table) for table in moments.TABLES)
            steps = (*tables, self._bring_recent_back, self._bring_season_back)
            done = all([await in_batches(step) for step in steps])
        finally:
            if not done:
                self._units.latest = max(self._units.latest, unsure_until)

    # Each step reads before it writes: it may read whole tables, and a write transaction would block others.

    @shielded
    async def _bring_back(self, table: moments.Table) -> bool:
        """Repair some rows of a table. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            keys = await moments.ahead(unit.transaction, table, unit.now, unit.now + EXPIRES_AFTER)
        if not keys:
            return False
        async with self._units.write() as unit:
            await moments.bring_back(unit.transaction, table, keys, unit.now, unit.now + EXPIRES_AFTER)
        return True

    @shielded
    async def _bring_recent_back(self) -> bool:
        """Repair some matches that would stay on the 30-day leaderboards too long. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await ended_matches.stays_beyond(unit.transaction, unit.now + RECENT_FOR):
                return False
        async with self._units.write() as unit:
            return await ended_matches.bring_back(unit.transaction, unit.now + RECENT_FOR, MAX_ROWS) > 0

    @shielded
    async def _bring_season_back(self) -> bool:
        """Restart the current season of one server whose season lies in the future. Return False if none needed it."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            wrong = await seasons.begun_too_early(unit.transaction, unit.now)
        if not wrong:
            return False
        async with self._units.write() as unit:
            await seasons.bring_back(unit.transaction, wrong[0], unit.now)
        return True

    async def _compare_clocks(self) -> None:
        if not self._units.others_exist:
            return
        async with self._units.read(Lane.BACKGROUND) as unit:
            ahead = self._units.clock() - await moments.database_clock(unit.transaction)
        if abs(ahead) > CLOCKS_DIFFER_BY:
            log.warning(
                "this host's clock and the database's differ: set both by NTP", seconds_ahead=ahead.total_seconds()
            )
