"""`/gin play`: a wizard that leads to a challenge, or to practice against the computer."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.model.ids import PersonId
from cogs.actions import Action
from cogs.challenges.play_panel import MORE, PLAYER_COUNTS, TARGETS, levels
from cogs.challenges.wizard_feature import WizardFeature
from cogs.delivery.errors import UserError
from cogs.delivery.feature import handles
from cogs.delivery.interactions import chosen_bots, person_id_of
from cogs.delivery.refusals import NO_BOTS
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, UnknownComponent, parse_id
from cogs.rules.rules_panel import draft as draft_panel

BY_THESE_RULES: Final = (
    "You'll play in private, with the rules you chose. The match starts as soon as you choose a level."
)
NOT_YOURSELF: Final = "You can't play against yourself, so I left you out."


class Play(WizardFeature):
    """The command `/gin play`, and the menus and buttons of its wizard."""

    @app_commands.command(description="Start a match: choose opponents, length and rules")
    async def play(self, interaction: Interaction) -> None:
        await self.open_wizard(interaction)

    @handles(Action.PLAY)
    async def _play(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self.open_wizard(interaction)

    @handles(Action.PLAY_WITH)
    async def _use_guests(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Name the people to challenge. The bot itself stands for the computer."""
        guests = [PersonId(parse_id(value)) for value in event.values]
        if interaction.application_id in guests:
            await show(interaction, levels(event.challenge_id, BY_THESE_RULES))
            return
        if chosen_bots(interaction):
            raise UserError(NO_BOTS)
        person_id = person_id_of(interaction)
        others = [guest for guest in guests if guest != person_id]
        draft = await self._app.drafts.use_guests(person_id, event.challenge_id, others)
        # The wizard is shown again even if the choice was wrong: Discord keeps the choices of a menu until then.
        await self._show_wizard(interaction, draft, notice=None if others == guests else NOT_YOURSELF)

    @handles(Action.PLAY_COUNT)
    async def _use_player_count(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.value not in map(str, PLAYER_COUNTS):
            raise UnknownComponent
        count = int(event.value)
        draft = await self._app.drafts.use_player_count(person_id_of(interaction), event.challenge_id, count)
        await self._show_wizard(interaction, draft)

    @handles(Action.PLAY_TARGET)
    async def _use_target(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.value not in map(str, TARGETS):
            raise UnknownComponent
        drafts, person_id = self._app.drafts, person_id_of(interaction)
        draft = await drafts.change_option(person_id, event.challenge_id, "target", event.value)
        await self._show_wizard(interaction, draft)

    @handles(Action.PLAY_RULES)
    async def _use_rules(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, drafts = person_id_of(interaction), self._app.drafts
        if event.value == MORE:
            draft = await drafts.get(person_id, event.challenge_id)
            await show(interaction, draft_panel(draft, await self._app.rulebook.offered(draft.guild_id)))
            return
        await self._show_wizard(interaction, await drafts.use_rules(person_id, event.challenge_id, event.value))

    @handles(Action.PLAY_CLOCK)
    async def _use_clock(self, interaction: Interaction, event: ComponentEvent) -> None:
        draft = await self._app.drafts.use_clock(person_id_of(interaction), event.challenge_id, event.value)
        await self._show_wizard(interaction, draft)

    @handles(Action.PLAY_BACK)
    async def _go_back(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._show_wizard(interaction, await self._app.drafts.get(person_id_of(interaction), event.challenge_id))

    @handles(Action.PLAY_COMPUTER)
    async def _choose_level(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.drafts.get(person_id_of(interaction), event.challenge_id)
        await show(interaction, levels(event.challenge_id, BY_THESE_RULES))
