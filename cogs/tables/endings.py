"""Leaving a match: resigning, calling it off by agreement, claiming it, and filling vacant seats."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.model.matches import MatchStatus
from bot.play.refusals import NotInDaily, Vacant
from cogs.actions import Action
from cogs.delivery.choosing import match_event
from cogs.delivery.errors import after_saving
from cogs.delivery.feature import handles
from cogs.delivery.interactions import clicked_direct_message, interaction_id_of, person_id_of
from cogs.delivery.replies import show
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import Accent, note
from cogs.turns import hand_text as texts
from cogs.turns.leaving_panel import DAMAGED, leaving_question
from cogs.turns.match_feature import MatchFeature
from cogs.turns.match_options import ANSWER

CALLED_OFF: Final = "The match was called off. It doesn't count."


class Endings(MatchFeature):
    """Commands and buttons that end a match early or decide about a vacant seat."""

    @app_commands.command(description="Resign, pause, call off or claim a match")
    async def resign(self, interaction: Interaction) -> None:
        """Ask for confirmation, and offer to pause or call off the match instead."""
        await self._leave(interaction, await match_event(interaction, self._app, self.access, Action.LEAVE_MATCH))

    @handles(Action.LEAVE_MATCH)
    async def _leave(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        if hand.match.vacant_seat is not None:
            raise Vacant(hand.match)
        if hand.match.day is not None:
            raise NotInDaily(hand.match)
        await show(interaction, leaving_question(hand))

    @handles(Action.RESIGN)
    async def _resign(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.resign(person_id_of(interaction), event.match_id, interaction_id_of(interaction))
        with after_saving():
            # This replaces a private message with the hand, which would repeat the end of the match.
            await self._hands.show(interaction, hand)

    @handles(Action.CLAIM)
    async def _claim(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.claim(
            person_id_of(interaction), event.match_id, interaction_id_of(interaction), self.access
        )
        with after_saving():
            if hand.match.status is MatchStatus.RUNNING:
                await self._hands.show(interaction, hand)
            else:
                await show(interaction, note(texts.match_result(hand), Accent.OVER))

    @handles(Action.PLAY_ON)
    async def _play_on(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id = person_id_of(interaction)
        hand = await self._app.vacancies.play_on(
            person_id, event.match_id, interaction_id_of(interaction), version=event.version
        )
        with after_saving():
            await self._hands.show(interaction, await self._app.computers.answer(person_id, hand))

    @handles(Action.END_INSTEAD)
    async def _end_instead(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.vacancies.end(
            person_id_of(interaction), event.match_id, interaction_id_of(interaction), version=event.version
        )
        with after_saving():
            await show(interaction, note(texts.match_result(hand), Accent.OVER))

    @handles(Action.CALL_OFF)
    async def _call_off(self, interaction: Interaction, event: ComponentEvent) -> None:
        if event.argument == DAMAGED:
            await self._app.endings.call_off_damaged(person_id_of(interaction), event.match_id)
            await show(interaction, note(CALLED_OFF, Accent.OVER))
            return
        match = await self._app.lookup.info(event.match_id)
        # Do not ping on behalf of a person who is not allowed to write in the channel.
        allowed = await self.access.channel_rights(interaction, match.guild_id, match.channel_id)
        hand = await self._app.endings.call_off(
            person_id_of(interaction),
            match.id,
            self.access,
            quiet=not allowed.write,
            is_answer=event.argument == ANSWER,
        )
        with after_saving():
            if hand.match.status is MatchStatus.CANCELLED:
                await show(interaction, note(CALLED_OFF, Accent.OVER))
            else:
                await self._hands.show(interaction, hand)

    @handles(Action.KEEP_PLAYING)
    async def _keep_playing(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.endings.decline(
            person_id_of(interaction), event.match_id, in_own_message=clicked_direct_message(interaction)
        )
        with after_saving():
            goes_on = f"The match {'stays paused' if hand.match.is_paused else 'continues'}."
            await self._hands.show(interaction, hand, goes_on)

    @handles(Action.STAY)
    async def _stay(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the hand again if the person decides to stay. An opponent's offer to call the match off stays open."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand)
