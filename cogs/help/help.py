"""The help and the rules."""

from __future__ import annotations

from discord import app_commands

from bot.engine.rules import Rules
from bot.model.ids import GuildId
from cardart import draw_primer
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.challenges.play_panel import play_button
from cogs.delivery.access import Need
from cogs.delivery.feature import Feature, handles
from cogs.delivery.interactions import channel_id_of, person_id_of
from cogs.delivery.replies import show
from cogs.help import pages
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import Accent, message
from cogs.practice.lesson_panel import lesson_button
from cogs.rules.rules_panel import rules_page
from cogs.turns.games_panel import games_button


class Help(Feature):
    """Commands that explain the game, the other commands and the rules."""

    @app_commands.command(description="Learn how to play, and see the commands")
    async def help(self, interaction: Interaction) -> None:
        preferences = await self._app.people.preferences(person_id_of(interaction))
        picture = None
        if preferences.pictures:
            picture = await self._pictures.draw("primer", draw_primer, preferences.appearance)
        game = pages.game(card_names(preferences.appearance.language))
        buttons = [play_button(), lesson_button("Learn to play in three minutes"), games_button()]
        page = message(
            Accent.WAITING,
            game,
            pages.COMMANDS,
            title="Gin rummy",
            picture=picture,
            rows=[buttons],
        )
        await show(interaction, page)

    @app_commands.command(description="Read this match's rules, or any preset or house rules")
    @app_commands.describe(rules="Which rules to explain; leave empty for this match's rules")
    @app_commands.autocomplete(rules=Feature.complete_rules)
    async def rules(self, interaction: Interaction, rules: str | None = None) -> None:
        if rules is not None:
            found = await self._app.rulebook.read(GuildId(interaction.guild_id or 0), rules)
            page = rules_page(found.rules, found.name)
        else:
            match = await self._app.lookup.in_channel_or_thread(channel_id_of(interaction))
            no_match = rules_page(Rules(), notice="No match is running here. These are the usual rules.")
            page = no_match if match is None else rules_page(match.rules, match.ruleset)
        await show(interaction, page)

    @handles(Action.SHOW_RULES, need=Need.SEE_MATCH)
    async def _show_rules_of_match(self, interaction: Interaction, event: ComponentEvent) -> None:
        match = await self._app.lookup.info(event.match_id)
        await Answer.to(interaction).reply(rules_page(match.rules, match.ruleset))

    @handles(Action.CHALLENGE_RULES, need=Need.SEE_CHALLENGE)
    async def _show_rules_of_challenge(self, interaction: Interaction, event: ComponentEvent) -> None:
        challenge = await self._app.challenges.get(event.challenge_id)
        await Answer.to(interaction).reply(rules_page(challenge.rules, challenge.ruleset))
