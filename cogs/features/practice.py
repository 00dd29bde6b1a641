"""Practice with computers."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.opponent.levels import Level
from bot.values.ids import GuildId
from cogs.kit.actions import Action
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent, button
from cogs.panels.hand import hint_button
from cogs.panels.layout import Accent, Beside, note
from cogs.support.choosing import match_event
from cogs.support.errors import after_saving
from cogs.support.feature import Feature, handles
from cogs.support.interactions import interaction_id_of, person_id_of, person_of
from cogs.support.levels import LEVEL_CHOICES, read_level
from cogs.text import hand as texts
from cogs.text import hints
from cogs.text.people import opponents

MORE: Final = "more"
"""The argument of a button for a hint after the first."""


class Practice(Feature):
    """Matches of one person with computers."""

    practice = app_commands.Group(name="practice", description="Play with computers")

    @practice.command(description="Play with computers, at once and in private")
    @app_commands.describe(
        level="How well the computers play",
        rules="The rules to play with, and any changes: oklahoma spade_doubles=on",
        target="The score that ends the match: 100 is usual, 10 makes it short",
    )
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(rules=Feature.complete_rules)
    async def start(
        self,
        interaction: Interaction,
        level: str = Level.CASUAL,
        rules: str | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
    ) -> None:
        """Begin a practice match, in direct messages or, with those closed, where the command was used."""
        person, guild_id = person_of(interaction), interaction.guild_id
        await self._direct_messages.open(interaction.user)
        hand = await self._app.practice.start(
            person,
            None if guild_id is None else GuildId(guild_id),
            interaction_id_of(interaction),
            level=read_level(level),
            rules=rules,
            target=target,
        )
        with after_saving():
            match = hand.match
            begun = f"You practise against {opponents(match, hand.view.seat)}."
            if guild_id is not None and hand.dm_channel_id is not None:
                # Only then is it known whether direct messages reach them.
                await self._courier.wait_for_first_post(match.id)
                hand = await self._app.lookup.hand(person.id, match.id)
            if guild_id is None or hand.dm_channel_id is None:
                await self._show_first_hand(interaction, match, begun)
                return
            here = button(match.id, match.version, Action.SHOW_HAND, "Play here")
            text = texts.in_direct_message(hand, begun)
            await Answer.to(interaction).reply(note(text, Accent.YOURS, here))

    @practice.command(description="A hint while you practise: the best move, and why")
    async def hint(self, interaction: Interaction) -> None:
        """Tell the best move."""
        await self._hint(interaction, await match_event(interaction, self._app, self.access, Action.HINT))

    @handles(Action.HINT)
    async def _hint(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Tell the best move, and at a second press what the next best would cost."""
        advice = await self._app.computers.advise(person_id_of(interaction), event.match_id)
        if event.argument == MORE:
            text = f"{hints.hint(advice)}\n{hints.next_best(advice)}"
            told = Beside(text, hint_button(advice.hand))
        else:
            told = Beside(hints.hint(advice), hint_button(advice.hand, "Next best", MORE))
        await self._hands.show(interaction, advice.hand, hint=told)
