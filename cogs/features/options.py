"""The options of a challenge: single rules changed before it is sent."""

from __future__ import annotations

from discord.ext import commands

from bot.values.challenges import Challenge
from cogs.features.challenges import show_sent
from cogs.kit.actions import Action
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.panels import options as panels
from cogs.panels.layout import note
from cogs.support.interactions import parent_id_of, person_id_of
from cogs.support.replies import show
from cogs.support.services import Services


class Options(commands.Cog):
    """Drafts of challenges."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        services.components.register(
            {
                Action.DRAFT_RULES: self._rules_chosen,
                Action.DRAFT_OPTION: self._option_chosen,
                Action.DRAFT_VALUE: self._value_chosen,
                Action.DRAFT_SEND: self._send_pressed,
                Action.DRAFT_DROP: self._drop_pressed,
            }
        )

    async def _rules_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.use_rules(person_id_of(interaction), event.challenge_id, event.values[0])
        await self._show(interaction, draft)

    async def _option_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.get(person_id_of(interaction), event.challenge_id)
        await self._show(interaction, draft, event.values[0])

    async def _value_chosen(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, option = person_id_of(interaction), event.argument or ""
        draft = await self._app.drafts.change_option(person_id, event.challenge_id, option, event.values[0])
        await self._show(interaction, draft, option)

    async def _send_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, parent_id = person_id_of(interaction), parent_id_of(interaction)
        await show_sent(interaction, await self._app.drafts.send(person_id, event.challenge_id, parent_id))

    async def _drop_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.drafts.drop(person_id_of(interaction), event.challenge_id)
        await show(interaction, note("Your challenge was not sent."))

    async def _show(self, interaction: Interaction, draft: Challenge, open_option: str | None = None) -> None:
        offered = await self._app.rulebook.offered(draft.guild_id)
        await show(interaction, panels.options(draft, offered, open_option))
