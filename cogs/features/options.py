"""The options of a challenge: single rules changed before it is sent."""

from __future__ import annotations

from bot.values.challenges import Challenge
from cogs.features.challenges import show_sent
from cogs.kit.actions import Action
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.panels import rules as panels
from cogs.panels.layout import note
from cogs.support.feature import Feature, handles
from cogs.support.interactions import parent_id_of, person_id_of
from cogs.support.replies import show


class Options(Feature):
    """Drafts of challenges."""

    @handles(Action.DRAFT_RULES)
    async def _use_rules(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.use_rules(person_id_of(interaction), event.challenge_id, event.values[0])
        await self._show(interaction, draft)

    @handles(Action.DRAFT_OPTION)
    async def _open_option(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.get(person_id_of(interaction), event.challenge_id)
        await self._show(interaction, draft, event.values[0])

    @handles(Action.DRAFT_VALUE)
    async def _change_option(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, option = person_id_of(interaction), event.argument or ""
        draft = await self._app.drafts.change_option(person_id, event.challenge_id, option, event.values[0])
        await self._show(interaction, draft, option)

    @handles(Action.DRAFT_SEND)
    async def _send(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, parent_id = person_id_of(interaction), parent_id_of(interaction)
        await show_sent(interaction, await self._app.drafts.send(person_id, event.challenge_id, parent_id))

    @handles(Action.DRAFT_DROP)
    async def _drop(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.drafts.drop(person_id_of(interaction), event.challenge_id)
        await show(interaction, note("Your challenge was not sent."))

    async def _show(self, interaction: Interaction, draft: Challenge, open_option: str | None = None) -> None:
        offered = await self._app.rulebook.offered(draft.guild_id)
        await show(interaction, panels.draft(draft, offered, open_option))
