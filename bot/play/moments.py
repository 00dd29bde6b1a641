"""Moments that were saved while the system's clock was ahead: what waits for them would come too late."""

from __future__ import annotations

from bot.play.loading.unit_of_work import Service, shielded
from bot.play.standing import seasons
from bot.play.standing.counting import RECENT_FOR
from bot.store import ended_matches, moments
from bot.values.challenges import EXPIRES_AFTER


class Moments(Service):
    """Puts moments right that cannot be."""

    @shielded
    async def repair(self) -> None:
        """Put right what seems to be still to come, at the first call, and whenever the clock was set back since then.

        When it truly happened is not known: it counts as now.
        """
        now = self._units.clock()
        if now >= self._units.latest:
            return
        async with self._units.write() as unit:
            await moments.bring_back(unit.transaction, unit.now, unit.now + EXPIRES_AFTER)
            await ended_matches.bring_back(unit.transaction, unit.now + RECENT_FOR)
            await seasons.bring_back(unit.transaction, unit.now)
        self._units.latest = now
