"""`/gin-deal fair`: statistical tests of the dealt decks."""

from __future__ import annotations

from discord import app_commands

from cogs.actions import Action
from cogs.delivery.feature import IN_GIN_DEAL_GROUP, Feature, handles
from cogs.delivery.interactions import guild_id_of
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent
from cogs.standings import dealt_decks_panel as panels


class DealtDecks(Feature):
    """The command that tests the dealt decks. Everybody can use it: the results reveal no matches or players."""

    @app_commands.command(
        description="Run three tests to see whether the decks dealt here look fair", extras=IN_GIN_DEAL_GROUP
    )
    @app_commands.describe(everywhere="Test the decks of all servers and of practice matches, not just this server's")
    async def fair(self, interaction: Interaction, everywhere: bool = False) -> None:
        """Test the newest decks of this server, or of all servers. In direct messages, always test all servers."""
        await self._show(interaction, everywhere=everywhere)

    @handles(Action.DECKS)
    async def _turn(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.argument not in (None, panels.EVERYWHERE):
            raise UnknownComponent
        await self._show(interaction, everywhere=event.argument is not None)

    async def _show(self, interaction: Interaction, *, everywhere: bool) -> None:
        guild_id = None if everywhere else guild_id_of(interaction)
        async with self._long_work.slot(interaction):
            report = await self._app.dealt_decks.test(guild_id)
        in_server = interaction.guild_id is not None
        await show(interaction, panels.decks(report, everywhere=guild_id is None, in_server=in_server))

    @handles(Action.DECKS_EXPLAINED)
    async def _explain(self, interaction: Interaction, event: ComponentEvent) -> None:
        await show(interaction, panels.explained(), as_new_message=True)
