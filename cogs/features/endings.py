"""Leaving a match: resigning (asked once more), calling it off together, claiming one that was abandoned."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.values.matches import MatchStatus, OwnHand
from cogs.kit.answers import Interaction
from cogs.support.choosing import match_meant
from cogs.panels import match as panels
from cogs.panels.layout import Accent, note
from cogs.kit.components import ComponentEvent
from cogs.support.replies import show, show_hand
from cogs.support.services import Services
from cogs.text import hand as texts


class Endings(commands.Cog):
    """Ways out of a match."""

    def __init__(self, services: Services) -> None:
        self._app = services.app
        self._pictures = services.pictures
        services.components.on(
            leave=self._leave_pressed,
            resign=self._resign_pressed,
            claim=self._claim_pressed,
            call_off=self._call_off_pressed,
            keep=self._keep_pressed,
            stay=self._stay_pressed,
            take_back=self._take_back_pressed,
        )

    @app_commands.command(description="Resign a match, offer to call it off, or claim one your opponent left")
    async def resign(self, interaction: Interaction) -> None:
        """Shortcut once more, and offer the kinder ways out."""
        match = await match_meant(interaction, self._app, "leave")
        if match is not None:
            await self._ask(interaction, match.id)

    async def _leave_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._ask(interaction, press.number)

    async def _ask(self, interaction: Interaction, match_id: int) -> None:
        await show(interaction, panels.leaving(await self._app.lookup.hand(interaction.user.id, match_id)))

    async def _resign_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._app.endings.resign(interaction.user.id, press.number, interaction.id)
        await show(interaction, note("You resigned. How the match ended stands in the channel.", Accent.OVER))

    async def _claim_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        hand = await self._app.endings.claim(interaction.user.id, press.number, interaction.id)
        await show(interaction, note(texts.over(hand), Accent.OVER))

    async def _call_off_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        hand = await self._app.endings.call_off(interaction.user.id, press.number)
        if hand.card.status is MatchStatus.CANCELLED:
            await show(interaction, note("The match is called off. It counts for nobody.", Accent.OVER))
        else:
            await self._show(interaction, hand)

    async def _keep_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        hand = await self._app.endings.keep_playing(interaction.user.id, press.number)
        await self._show(interaction, hand, "The match goes on.")

    async def _stay_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        """Nothing changes, an offer of the other's to call the match off neither."""
        hand = await self._app.lookup.hand(interaction.user.id, press.number)
        await self._show(interaction, hand, "The match goes on.")

    async def _take_back_pressed(self, interaction: Interaction, press: ComponentEvent) -> None:
        await self._app.endings.take_back(interaction.user.id, press.number)
        await show(interaction, note("You took your offer of a rematch back."))

    async def _show(self, interaction: Interaction, hand: OwnHand, said: str | None = None) -> None:
        await show_hand(interaction, self._app, self._pictures, hand, said)
