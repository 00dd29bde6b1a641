"""People's results in the deals of the day, on a server."""

from __future__ import annotations

from datetime import date

from bot.model.daily import DailyResult
from bot.model.ids import GuildId
from bot.play.loading.unit_of_work import Service
from bot.store import daily


class DailyStandings(Service):
    """Compares people's results in the deals of the day."""

    async def results(self, guild_id: GuildId, first: date, last: date) -> tuple[DailyResult, ...]:
        """Return all results on a server from the day `first` to the day `last`, by day and person."""
        async with self._units.read() as unit:
            return await daily.results(unit.transaction, guild_id, first, last)
