"""Complete leaderboards, which the application returns page by page."""

from __future__ import annotations

from typing import Any

from bot.play.application import Application
from bot.values.ids import GuildId
from bot.values.standings import ALL_TIME, RECENT, Order, Ranked, Standing
from tests.helpers.table import GUILD, NORTH


async def ranked(
    app: Application, guild_id: GuildId = GUILD, *, recent: bool = False, order: Order = Order.WINS, **filters: Any
) -> list[Ranked]:
    """Return all rows of a server's leaderboard, with ranks."""
    rows: list[Ranked] = []
    period = RECENT if recent else ALL_TIME
    while True:
        number = len(rows) // 10
        found = await app.leaderboards.page(guild_id, NORTH.id, period=period, order=order, page=number, **filters)
        rows += found.rows
        if number + 1 >= found.pages:
            assert len(rows) == found.people
            return rows


async def standings(
    app: Application, guild_id: GuildId = GUILD, *, recent: bool = False, order: Order = Order.WINS, **filters: Any
) -> tuple[Standing, ...]:
    """Return everyone on a server's leaderboard, best first."""
    return tuple(one.standing for one in await ranked(app, guild_id, recent=recent, order=order, **filters))
