"""The help and the rules."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.engine.rules import Rules
from cardart.text.card_names import names_of
from cogs.answers import Answer, Interaction, Message
from cogs.choosing import complete_rules
from cogs.panels.layout import Accent, message
from cogs.presses import Press
from cogs.services import Services
from cogs.words import pages
from cogs.words import rules as words


class Help(commands.Cog):
    """Explanations."""

    def __init__(self, services: Services) -> None:
        self._house = services.house
        self._pictures = services.pictures
        services.presses.on(rules=self._rules_pressed, challenge_rules=self._challenge_rules_pressed)

    @app_commands.command(description="Gin rummy in five lines and a picture")
    async def help(self, interaction: Interaction) -> None:
        """Explain the game and the commands."""
        chosen = await self._house.people.preferences(interaction.user.id)
        picture = await self._pictures.primer(chosen.look) if chosen.pictures else None
        told = pages.game(names_of(chosen.look.language))
        shown = message(Accent.WAITING, told, pages.COMMANDS, title="Gin rummy", picture=picture)
        await Answer.to(interaction).say(shown)

    @app_commands.command(description="The rules of this channel's match, or any others")
    @app_commands.describe(rules="Which rules to explain; without it those of the match here")
    async def rules(self, interaction: Interaction, rules: str | None = None) -> None:
        """Explain rules in full."""
        if rules is not None:
            offer = await self._house.rulebook.read(interaction.guild_id or 0, rules)
            await Answer.to(interaction).say(explained(offer.rules, offer.name))
            return
        card = await self._house.lookup.in_channel(interaction.channel_id or 0)
        await Answer.to(interaction).say(explained(Rules()) if card is None else explained(card.rules, card.system))

    @rules.autocomplete("rules")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The rules that the server offers."""
        return await complete_rules(interaction, self._house, typed)

    async def _rules_pressed(self, interaction: Interaction, press: Press) -> None:
        card = (await self._house.lookup.table(press.number)).card
        await Answer.to(interaction).say(explained(card.rules, card.system))

    async def _challenge_rules_pressed(self, interaction: Interaction, press: Press) -> None:
        invitation = await self._house.challenges.by_id(press.number)
        await Answer.to(interaction).say(explained(invitation.rules, invitation.system))


def explained(rules: Rules, system: str | None = None, said: str | None = None) -> Message:
    """Rules in plain words, by the name they were agreed by."""
    return message(Accent.WAITING, words.line(rules, system), words.explained(rules), title="The rules", said=said)
