"""Leaving a match: resigning after a confirmation, cancelling it together, claiming an abandoned one."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.values.ids import MatchId
from bot.values.matches import MatchStatus, OwnHand
from cogs.kit.actions import Action
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.panels import match as panels
from cogs.panels.layout import Accent, note
from cogs.support.choosing import find_match
from cogs.support.interactions import interaction_id_of, person_id_of
from cogs.support.replies import show, show_hand
from cogs.support.services import Services
from cogs.text import hand as texts


class Endings(commands.Cog):
    """Ways out of a match."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.register(
            {
                Action.LEAVE_MATCH: self._leave_pressed,
                Action.RESIGN: self._resign_pressed,
                Action.CLAIM: self._claim_pressed,
                Action.CALL_OFF: self._call_off_pressed,
                Action.KEEP_PLAYING: self._keep_playing_pressed,
                Action.STAY: self._stay_pressed,
                Action.WITHDRAW_REMATCH: self._withdraw_rematch_pressed,
            }
        )

    @app_commands.command(description="Resign a match, offer to call it off, or claim one that your opponent abandoned")
    async def resign(self, interaction: Interaction) -> None:
        """Ask for a confirmation, and offer gentler ways out."""
        match = await find_match(interaction, self._app, Action.LEAVE_MATCH)
        if match is not None:
            await self._confirm(interaction, match.id)

    async def _leave_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._confirm(interaction, event.match_id)

    async def _confirm(self, interaction: Interaction, match_id: MatchId) -> None:
        hand = await self._app.lookup.hand(person_id_of(interaction), match_id)
        await show(interaction, panels.leaving(hand))

    async def _resign_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.endings.resign(person_id_of(interaction), event.match_id, interaction_id_of(interaction))
        await show(interaction, note("You resigned. The channel shows how the match ended.", Accent.OVER))

    async def _claim_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.claim(person_id_of(interaction), event.match_id, interaction_id_of(interaction))
        await show(interaction, note(texts.over(hand), Accent.OVER))

    async def _call_off_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.call_off(person_id_of(interaction), event.match_id)
        if hand.match.status is MatchStatus.CANCELLED:
            await show(interaction, note("The match was called off. It counts for nobody.", Accent.OVER))
        else:
            await self._show_hand(interaction, hand)

    async def _keep_playing_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.keep_playing(person_id_of(interaction), event.match_id)
        await self._show_hand(interaction, hand, "The match goes on.")

    async def _stay_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Change nothing, not even an opponent's offer to call the match off."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._show_hand(interaction, hand, "The match goes on.")

    async def _withdraw_rematch_pressed(self, interaction: Interaction, event: ComponentEvent) -> None:
        await self._app.endings.withdraw_rematch(person_id_of(interaction), event.match_id)
        await show(interaction, note("You withdrew your offer of a rematch."))

    async def _show_hand(self, interaction: Interaction, hand: OwnHand, notice: str | None = None) -> None:
        await show_hand(interaction, self._app, self._pictures, hand, notice)
