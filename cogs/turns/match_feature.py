"""The base class of cogs that answer with a player's hand."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.matches import MatchInfo, OwnHand
from cogs.actions import Action
from cogs.delivery.feature import Feature, Services
from cogs.delivery.interactions import person_id_of
from cogs.delivery.replies import is_private, show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import button
from cogs.kit.layout import Accent, note
from cogs.turns import hand_text as texts
from cogs.turns.hands import Hands
from cogs.words.names import place


@dataclass(frozen=True, slots=True)
class MatchServices(Services):
    """The objects that all features share, and those that only features about running matches need."""

    hands: Hands


class MatchFeature(Feature):
    """A cog that can answer with a player's own hand."""

    def __init__(self, services: MatchServices) -> None:
        super().__init__(services)
        self._hands = services.hands

    async def _show_first_hand(self, interaction: Interaction, match: MatchInfo, notice: str | None = None) -> None:
        """Answer with the hand of a new match, after its table is posted: Discord sorts messages by time.

        The default notice says that the match has started, and names its channel if the answer is shown elsewhere.
        """
        is_here = interaction.channel_id == match.channel_id
        if notice is None:
            notice = "The match has started!" if is_here else f"The match has started in {place(match)}."
        answer, announcement = Answer.to(interaction), note(notice, Accent.YOURS)
        person_id = person_id_of(interaction)
        hand = await self._app.computers.answer(person_id, await self._app.lookup.hand(person_id, match.id))
        is_sent_by_dm = interaction.guild_id is None and hand.dm_channel_id is not None
        if is_private(interaction):
            await answer.update(announcement)
        elif is_sent_by_dm:
            await answer.reply(announcement)
        if is_sent_by_dm:
            return
        if is_here:
            await self._courier.wait_for_first_post(match.id)
        await self._hands.show(interaction, hand, notice, as_new_message=True, is_first=True)

    async def _show_private_match(
        self, interaction: Interaction, hand: OwnHand, announcement: str, *, is_new: bool
    ) -> None:
        """Answer with a match against computers: with its hand, or with the place of its hand in direct messages.

        `is_new` is False if the match had already begun.
        """
        match, in_guild = hand.match, interaction.guild_id is not None
        if not in_guild and not is_new:
            # The hand is already further up in the direct messages.
            await self._hands.show(interaction, hand, announcement)
            return
        if in_guild and hand.dm_channel_id is not None:
            # Only the first direct message shows whether direct messages reach the person, so wait for it.
            posted = await self._courier.wait_for_first_post(match.id)
            if posted is not None and is_new:
                hand = posted
            else:
                hand = await self._app.lookup.hand(person_id_of(interaction), match.id)
        if not in_guild or hand.dm_channel_id is None:
            await self._show_first_hand(interaction, match, announcement)
            return
        here_button = button(match.id, match.version, Action.SHOW_HAND, "Play here")
        text = texts.in_direct_message(hand, announcement)
        await show(interaction, note(text, Accent.YOURS, here_button))
