"""`/gin me words`: the words that players add to the shuffles of their matches."""

from __future__ import annotations

from discord import app_commands

from bot.model.challenges import Challenge
from bot.play.refusals import NoMatch, NotSeated
from cogs.actions import Action
from cogs.delivery.choosing import challenge_event, event_of, match_event
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import IN_ME_GROUP, Feature, handles
from cogs.delivery.interactions import channel_id_of, interaction_id_of, person_id_of
from cogs.delivery.replies import show, show_dialog
from cogs.fairness import verification_panel as panels
from cogs.fairness.own_words import OwnWords
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent


class Words(Feature):
    """The command for a player's own words, which are mixed into the shuffles of a match, and its buttons."""

    @app_commands.command(description="See or change the words you add to a match's shuffles", extras=IN_ME_GROUP)
    @app_commands.describe(text="New words to mix into the shuffles; everyone in the channel can read them")
    async def words(self, interaction: Interaction, text: OwnWords | None = None) -> None:
        """Show or change the person's words for a match or challenge, preferably one in this channel."""
        event = await self._event(interaction)
        if text is not None:
            await self._use(interaction, event.with_text(text))
        elif event.action is Action.MATCH_WORDS:
            match = await self._app.lookup.info(event.match_id)
            current_words = await self._app.words.of_match(person_id_of(interaction), match.id)
            await show(interaction, panels.words(match, current_words))
        else:
            challenge = await self._app.challenges.get(event.challenge_id)
            current_words = await self._app.words.of_challenge(person_id_of(interaction), challenge.id)
            await show(interaction, panels.words(challenge, current_words))

    @handles(Action.MATCH_WORDS, Action.CHALLENGE_WORDS)
    async def _use(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Open the dialog for shuffle words, or save the words typed there. The clicked message stays unchanged."""
        person_id, words = person_id_of(interaction), self._app.words
        if event.action is Action.MATCH_WORDS:
            if event.text is None:
                current_words = await words.of_match(person_id, event.match_id)
                await show_dialog(interaction, panels.words_dialog(event.action, event.match_id, current_words))
                return
            current_words = await words.give(person_id, event.match_id, event.text, interaction_id_of(interaction))
            with after_saving():
                match = await self._app.lookup.info(event.match_id)
                await show(interaction, panels.words(match, current_words, saved=True), as_new_message=True)
        else:
            if event.text is None:
                current_words = await words.of_challenge(person_id, event.challenge_id)
                await show_dialog(interaction, panels.words_dialog(event.action, event.challenge_id, current_words))
                return
            current_words = await words.give_for_challenge(person_id, event.challenge_id, event.text)
            with after_saving():
                challenge = await self._app.challenges.get(event.challenge_id)
                await show(interaction, panels.words(challenge, current_words, saved=True), as_new_message=True)

    async def _event(self, interaction: Interaction) -> ComponentEvent:
        """Return the event of the words button for the person's match or challenge, preferably one in this channel."""
        person_id = person_id_of(interaction)
        here = await self._app.lookup.running_in(channel_id_of(interaction))
        if here is not None and here.seat_of(person_id) is not None:
            return event_of(here, Action.MATCH_WORDS)
        open_challenges: list[Challenge] = [
            *await self._app.challenges.own(person_id),
            *await self._app.challenges.joined(person_id),
        ]
        if not any(open_challenge.channel_id == interaction.channel_id for open_challenge in open_challenges):
            try:
                return await match_event(interaction, self._app, self.access, Action.MATCH_WORDS)
            except (NoMatch, NotSeated):
                if not open_challenges:
                    raise
        return await challenge_event(interaction, self.access, open_challenges, Action.CHALLENGE_WORDS)
