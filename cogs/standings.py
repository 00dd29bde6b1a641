"""The leaderboard of a server."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.play.values import StandingRow
from cogs.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, message
from cogs.presses import Press, button
from cogs.replies import Kind, show
from cogs.services import Services
from cogs.words import refusals as words
from cogs.words.people import safe

PAGE = 10
ALL = "all"
RECENT = "recent"


class Standings(commands.Cog):
    """Who won how much."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        services.presses.on(standing=self._pressed)

    @app_commands.command(description="Who leads on this server, and where you stand")
    @app_commands.describe(period="Of all time, or of the last 30 days")
    @app_commands.choices(
        period=[app_commands.Choice(name="all time", value=ALL), app_commands.Choice(name="last 30 days", value=RECENT)]
    )
    async def leaderboard(self, interaction: Interaction, period: str = ALL) -> None:
        """Show the server's standing, and one's own place in it."""
        await Answer.to(interaction).say(await self._page(interaction, period, 0))

    async def _pressed(self, interaction: Interaction, press: Press) -> None:
        await show(interaction, await self._page(interaction, press.argument or ALL, press.version))

    async def _page(self, interaction: Interaction, period: str, page: int) -> Message:
        if interaction.guild_id is None:
            raise Kind(words.ONLY_IN_SERVERS)
        rows = await self._house.guilds.standing(interaction.guild_id, recent=period == RECENT)
        last = max(0, (len(rows) - 1) // PAGE)
        page = min(page, last)
        title = "Leaderboard, " + ("last 30 days" if period == RECENT else "all time")
        other = ALL if period == RECENT else RECENT
        label = "All time" if other == ALL else "Last 30 days"
        buttons = [button("standing", 0, "standing", label, discord.ButtonStyle.primary, argument=other)]
        if page > 0:
            buttons.append(button("standing", page - 1, "standing", "Back", argument=period))
        if page < last:
            buttons.append(button("standing", page + 1, "standing", "More", argument=period))
        return message(
            Accent.OVER, _lines(rows, page), _own(rows, interaction.user.id, page), title=title, rows=[buttons]
        )


def _lines(rows: Sequence[StandingRow], page: int) -> str:
    if not rows:
        return "No match is finished yet. `/gin challenge` begins one."
    first = page * PAGE
    return "\n".join(_line(rank, row) for rank, row in enumerate(rows[first : first + PAGE], first + 1))


def _line(rank: int, row: StandingRow) -> str:
    more = [f"{row.gins} gin" if row.gins else "", f"{row.undercuts} undercut" if row.undercuts else ""]
    told = " · ".join(filter(None, (f"{row.points} points", f"deals {row.deals_won}–{row.deals_lost}", *more)))
    return f"**{rank}.** {safe(row.name)}: **{row.won}** won, {row.lost} lost\n-# {told}"


def _own(rows: Sequence[StandingRow], person_id: int, page: int) -> str:
    """One's own place: in full where the page does not show it."""
    for rank, row in enumerate(rows, 1):
        if row.person_id == person_id:
            return f"You: **{rank}.** of {len(rows)}" if (rank - 1) // PAGE == page else f"You: {_line(rank, row)}"
    return "You: no finished match yet."
