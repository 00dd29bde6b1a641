"""The options of a challenge: single rules changed before it goes out."""

from __future__ import annotations

from discord.ext import commands

from cogs.answers import Interaction
from cogs.challenges import show_issued
from cogs.panels import options as panels
from cogs.panels.layout import note
from cogs.presses import Press
from cogs.replies import show
from cogs.services import Services


class Options(commands.Cog):
    """Drafts of challenges."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        services.presses.on(
            draft_preset=self._preset_chosen,
            draft_option=self._option_chosen,
            draft_value=self._value_chosen,
            draft_send=self._send,
            draft_drop=self._drop,
        )

    async def _preset_chosen(self, interaction: Interaction, press: Press) -> None:
        draft = await self._house.drafts.use(interaction.user.id, press.number, press.values[0])
        await show(interaction, panels.options(draft, await self._house.rulebook.offers(draft.guild_id)))

    async def _option_chosen(self, interaction: Interaction, press: Press) -> None:
        draft = await self._house.drafts.own(interaction.user.id, press.number)
        offers = await self._house.rulebook.offers(draft.guild_id)
        await show(interaction, panels.options(draft, offers, press.values[0]))

    async def _value_chosen(self, interaction: Interaction, press: Press) -> None:
        option = press.argument or ""
        draft = await self._house.drafts.change(interaction.user.id, press.number, option, press.values[0])
        await show(interaction, panels.options(draft, await self._house.rulebook.offers(draft.guild_id), option))

    async def _send(self, interaction: Interaction, press: Press) -> None:
        await show_issued(interaction, await self._house.drafts.send(interaction.user.id, press.number))

    async def _drop(self, interaction: Interaction, press: Press) -> None:
        await self._house.drafts.drop(interaction.user.id, press.number)
        await show(interaction, note("Your challenge did not go out."))
