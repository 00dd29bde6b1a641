"""The base class of cogs that open the wizard of `/gin play`."""

from __future__ import annotations

from typing import Final

from bot.model.challenges import Challenge
from cogs.actions import Subject
from cogs.challenges.play_panel import levels, wizard
from cogs.delivery.errors import after_saving
from cogs.delivery.interactions import interaction_id_of, person_of, require_place
from cogs.delivery.places import require_table_permissions
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.turns.match_feature import MatchFeature

IN_DIRECT_MESSAGES: Final = (
    "Here you can play the computer. The match starts as soon as you choose a level. To challenge people, use "
    "`/gin play` on a server."
)


class WizardFeature(MatchFeature):
    """A cog that can open the wizard."""

    async def open_wizard(self, interaction: Interaction, player_count: int | None = None) -> None:
        """Answer with the wizard in a new private message, or in direct messages with a choice of computers."""
        if interaction.guild_id is None:
            await show(interaction, levels(Subject.MENU, IN_DIRECT_MESSAGES), as_new_message=True)
            return
        challenger, here = person_of(interaction), require_place(interaction)
        await self.access.require_may_write(interaction, here.guild_id, here.channel_id)
        require_table_permissions(interaction)
        draft = await self._app.challenges.issue(challenger, (), here, interaction_id_of(interaction), draft=True)
        if player_count is not None:
            draft = await self._app.drafts.use_player_count(challenger.id, draft.id, player_count)
        with after_saving():
            await self._show_wizard(interaction, draft, as_new_message=True)

    async def _show_wizard(
        self, interaction: Interaction, draft: Challenge, *, notice: str | None = None, as_new_message: bool = False
    ) -> None:
        offered = await self._app.rulebook.offered(draft.guild_id)
        await show(interaction, wizard(draft, offered, notice), as_new_message=as_new_message)
