"""Moments that were saved while the system's clock was ahead: what waits for them would come too late."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog

from bot.play.loading.unit_of_work import Service, shielded
from bot.play.standing import seasons
from bot.play.standing.counting import RECENT_FOR
from bot.store import ended_matches, moments
from bot.store.database import Lane
from bot.values.challenges import EXPIRES_AFTER

log = structlog.get_logger(__name__)

CLOCKS_DIFFER_BY: Final = timedelta(seconds=5)
"""How far the clocks of several hosts may be apart before that is told."""


class Moments(Service):
    """Puts moments right that cannot be."""

    @shielded
    async def repair(self) -> None:
        """Put right what seems to be still to come, at the first call, and whenever the clock was set back since then.

        When it truly happened is not known: it counts as now. Where several hosts share a database, a clock that is far
        from the database's is told to whoever runs the bot.
        """
        now = self._units.clock()
        if now >= self._units.latest:
            return
        await self._compare_clocks()
        async with self._units.write() as unit:
            await moments.bring_back(unit.transaction, unit.now, unit.now + EXPIRES_AFTER)
            await ended_matches.bring_back(unit.transaction, unit.now + RECENT_FOR)
            await seasons.bring_back(unit.transaction, unit.now)
        self._units.latest = now

    async def _compare_clocks(self) -> None:
        if not self._units.others_exist:
            return
        async with self._units.read(Lane.BACKGROUND) as unit:
            ahead = self._units.clock() - await moments.database_clock(unit.transaction)
        if abs(ahead) > CLOCKS_DIFFER_BY:
            log.warning(
                "this host's clock and the database's differ: set both by NTP", seconds_ahead=ahead.total_seconds()
            )
