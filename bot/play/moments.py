"""Moments that were saved while the system's clock was ahead: what waits for them would come too late."""

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
"""How far the clocks of several hosts may be apart before that is told."""


class Moments(Service):
    """Puts moments right that cannot be."""

    async def repair(self) -> None:
        """Put right what seems to be still to come, at the first call, and whenever the clock was set back since then.

        When it truly happened is not known: it counts as now. Where several hosts share a database, a clock that is far
        from the database's is told to whoever runs the bot.
        """
        now = self._units.clock()
        if now >= self._units.latest:
            return
        # Whatever is saved from here on counts again: the clock may jump meanwhile.
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

    # Each of these looks before it writes: what it reads may be whole tables, and others wait for a write.

    @shielded
    async def _bring_back(self, table: moments.Table) -> bool:
        """Put some rows of a table right. Return False if there was nothing to do."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            keys = await moments.ahead(unit.transaction, table, unit.now, unit.now + EXPIRES_AFTER)
        if not keys:
            return False
        async with self._units.write() as unit:
            await moments.bring_back(unit.transaction, table, keys, unit.now, unit.now + EXPIRES_AFTER)
        return True

    @shielded
    async def _bring_recent_back(self) -> bool:
        """Let some matches leave the boards of the last 30 days in time. Return False if all do."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            if not await ended_matches.stays_beyond(unit.transaction, unit.now + RECENT_FOR):
                return False
        async with self._units.write() as unit:
            return await ended_matches.bring_back(unit.transaction, unit.now + RECENT_FOR, MAX_ROWS) > 0

    @shielded
    async def _bring_season_back(self) -> bool:
        """Begin the season again that runs now in a server where a later one does. Return False if there is none."""
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
