"""People's results in the deals of the day, on a server."""

from __future__ import annotations

from typing import Final

from bot.model.daily import RankedDaily, day_at, rank
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.ids import GuildId, PersonId
from bot.play.loading.daily_streaks import streaks_of
from bot.play.loading.unit_of_work import Service
from bot.store import daily

PAGE_SIZE: Final = 10


class DailyStandings(Service):
    """Compares people's results in the deals of the day."""

    async def board(
        self, guild_id: GuildId, person_id: PersonId, period: DailyPeriod = DailyPeriod.TODAY, page: int = 0
    ) -> DailyBoard:
        """Return a page of a server's standings, with a person's own place and streaks.

        If the standings have fewer pages, return the last one.
        """
        async with self._units.read() as unit:
            transaction, today = unit.transaction, day_at(unit.now)
            totals = await daily.totals(transaction, guild_id, period.first_day(today), today)
            ranked = rank(totals)
            pages = max(1, -(-len(ranked) // PAGE_SIZE))
            page = min(page, pages - 1)
            shown = ranked[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
            own = next((row for row in ranked if row.total.player.id == person_id), None)
            shown_ids = {row.total.player.id for row in shown if row.total.player.id is not None}
            streaks = await streaks_of(transaction, {person_id, *shown_ids}, today)

            def standing(row: RankedDaily) -> DailyStanding:
                assert row.total.player.id is not None
                return DailyStanding(row.place, row.total, streaks[row.total.player.id].current)

            return DailyBoard(
                period=period,
                today=today,
                people=len(ranked),
                playing=await daily.playing(transaction, guild_id, today),
                page=page,
                pages=pages,
                rows=tuple(map(standing, shown)),
                own=None if own is None else standing(own),
                own_try=await daily.find_try(transaction, today, person_id),
                is_open=not await daily.is_over(transaction, today),
                streaks=streaks[person_id],
            )
