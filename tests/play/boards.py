"""Helpers that join all pages of a leaderboard."""

from __future__ import annotations

from typing import Any

from bot.model.ids import GuildId
from bot.model.standings import ALL_TIME, RECENT, Order, Ranked, Standing
from bot.play.application import Application
from tests.helpers.table import GUILD, NORTH


async def full_leaderboard(
    app: Application, guild_id: GuildId = GUILD, *, recent: bool = False, order: Order = Order.WINS, **filters: Any
) -> list[Ranked]:
    """Return all rows of a server's leaderboard, with ranks."""
    rows: list[Ranked] = []
    period = RECENT if recent else ALL_TIME
    while True:
        page_number = len(rows) // 10
        page = await app.leaderboards.page(guild_id, NORTH.id, period=period, order=order, page=page_number, **filters)
        rows += page.rows
        if page_number + 1 >= page.pages:
            assert len(rows) == page.people
            return rows


async def full_standings(
    app: Application, guild_id: GuildId = GUILD, *, recent: bool = False, order: Order = Order.WINS, **filters: Any
) -> tuple[Standing, ...]:
    """Return the standings of everyone on a server's leaderboard, best first."""
    return tuple(row.standing for row in await full_leaderboard(app, guild_id, recent=recent, order=order, **filters))
