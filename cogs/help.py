"""The help and the rules."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.engine.rules import Rules
from cogs.answers import Answer, Interaction, Message
from cogs.panels.layout import Accent, message
from cogs.presses import Press
from cogs.services import Services
from cogs.words import pages
from cogs.words.game import rules_line


class Help(commands.Cog):
    """Explanations."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        services.presses.on(rules=self._rules_pressed)

    @app_commands.command(description="Gin rummy in five lines and a picture")
    async def help(self, interaction: Interaction) -> None:
        """Explain the game and the commands."""
        picture = await self._pictures.primer()
        shown = message(Accent.WAITING, pages.HELP, pages.COMMANDS, title="Gin rummy", picture=picture)
        await Answer.to(interaction).say(shown)

    @app_commands.command(description="The rules of this channel's match, or the usual ones")
    async def rules(self, interaction: Interaction) -> None:
        """Explain the rules in full."""
        card = await self._house.lookup.in_channel(interaction.channel_id or 0)
        await Answer.to(interaction).say(_rules(Rules() if card is None else card.rules))

    async def _rules_pressed(self, interaction: Interaction, press: Press) -> None:
        table = await self._house.lookup.table(press.number)
        await Answer.to(interaction).say(_rules(table.card.rules))


def _rules(agreed: Rules) -> Message:
    return message(Accent.WAITING, rules_line(agreed), pages.rules(agreed), title="The rules")
