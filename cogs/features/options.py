"""The options of a challenge: single rules changed before it goes out."""

from __future__ import annotations

from discord.ext import commands

from cogs.kit.answers import Interaction
from cogs.features.challenges import show_issued
from cogs.panels import options as panels
from cogs.panels.layout import note
from cogs.kit.components import ComponentEvent
from cogs.support.replies import show
from cogs.support.services import Services


class Options(commands.Cog):
    """Drafts of challenges."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        services.components.on(
            draft_preset=self._preset_chosen,
            draft_knob=self._knob_chosen,
            draft_value=self._value_chosen,
            draft_send=self._send,
            draft_drop=self._drop,
        )

    async def _preset_chosen(self, interaction: Interaction, press: ComponentEvent) -> None:
        draft = await self._app.drafts.use(interaction.user.id, press.number, press.values[0])
        await show(interaction, panels.options(draft, await self._app.rulebook.offers(draft.guild_id)))

    async def _knob_chosen(self, interaction: Interaction, press: ComponentEvent) -> None:
        draft = await self._app.drafts.own(interaction.user.id, press.number)
        offers = await self._app.rulebook.offers(draft.guild_id)
        await show(interaction, panels.options(draft, offers, press.values[0]))

    async def _value_chosen(self, interaction: Interaction, press: ComponentEvent) -> None:
        knob = press.argument or ""
        draft = await self._app.drafts.change(interaction.user.id, press.number, knob, press.values[0])
        await show(interaction, panels.options(draft, await self._app.rulebook.offers(draft.guild_id), knob))

    async def _send(self, interaction: Interaction, press: ComponentEvent) -> None:
        await show_issued(interaction, await self._app.drafts.send(interaction.user.id, press.number))

    async def _drop(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._app.drafts.drop(interaction.user.id, press.number)
        await show(interaction, note("Your challenge did not go out."))
