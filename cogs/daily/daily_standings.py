"""The standings of a server in the deals of the day: the command and its buttons."""

from __future__ import annotations

from discord import app_commands

from bot.model.daily_standings import DailyPeriod
from cogs.actions import Action
from cogs.daily import daily_standings_panel as panels
from cogs.daily.daily_calendar import own_calendar
from cogs.daily.daily_standings_text import PERIODS
from cogs.delivery.feature import IN_GIN_STATS_GROUP, Feature, handles
from cogs.delivery.interactions import person_id_of, require_guild
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.kit.messages import Message


class DailyStandings(Feature):
    """The command for the standings in the deals of the day, and its buttons."""

    @app_commands.command(description="See who leads in the daily deals, and your streak", extras=IN_GIN_STATS_GROUP)
    @app_commands.describe(period="Today, this week, this month or all time")
    @app_commands.choices(
        period=[app_commands.Choice(name=label.lower(), value=period) for period, label in PERIODS.items()]
    )
    async def daily(self, interaction: Interaction, period: str = DailyPeriod.TODAY) -> None:
        """Show the server's standings in the deals of the day, or in direct messages the person's own calendar."""
        if interaction.guild_id is None:
            await show(interaction, await own_calendar(interaction, self._app, self._pictures))
            return
        # Discord's clients send only the offered periods, but other clients can send anything.
        shown = DailyPeriod(period) if period in {*DailyPeriod} else DailyPeriod.TODAY
        await show(interaction, await self._standings(interaction, shown))

    @handles(Action.DAILY_STANDINGS)
    async def _turn_page(self, interaction: Interaction, event: ComponentEvent) -> None:
        period = event.argument or DailyPeriod.TODAY
        if period not in {*DailyPeriod}:
            raise UnknownComponent
        message = await self._standings(interaction, DailyPeriod(period), event.version)
        await show(interaction, message, as_new_message=event.opens_new_message)

    async def _standings(self, interaction: Interaction, period: DailyPeriod, page: int = 0) -> Message:
        guild_id, person_id = require_guild(interaction), person_id_of(interaction)
        board = await self._app.daily_standings.board(guild_id, person_id, period, page)
        preferences = await self._app.people.preferences(person_id)
        return await panels.standings(board, person_id, preferences, self._pictures)
