"""Buttons for giving time, nudging, pausing and resuming a match, and moving to the next match."""

from __future__ import annotations

from collections.abc import Awaitable

from bot.model.ids import ChannelId
from bot.model.matches import OwnHand, Proposal
from bot.model.outbox import MessageKind
from bot.play.refusals import ChannelBusy
from cogs.actions import Action
from cogs.delivery.access import Need
from cogs.delivery.errors import UserError
from cogs.delivery.feature import deliberate, handles
from cogs.delivery.interactions import person_id_of
from cogs.delivery.places import begin_in_channel_or_thread
from cogs.delivery.refusals import no_room_to_continue
from cogs.delivery.replies import is_private
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import Accent, note
from cogs.turns import hand_text as texts
from cogs.turns.match_feature import MatchFeature
from cogs.turns.match_options import ANSWER, answer_buttons
from cogs.words.names import name, place


class Times(MatchFeature):
    """Buttons for time and pauses in a match, and for moving to the next match."""

    @handles(Action.GIVE_TIME)
    @deliberate
    async def _give_time(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.times.give(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand, f"You gave {_awaited(hand)} {texts.gift(hand.match)} of extra time.")

    @handles(Action.NUDGE)
    @deliberate
    async def _nudge(self, interaction: Interaction, event: ComponentEvent) -> None:
        hand = await self._app.times.nudge(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand, f"I'm nudging {_awaited(hand)} now, or after their quiet hours.")

    @handles(Action.PAUSE)
    async def _pause(self, interaction: Interaction, event: ComponentEvent) -> None:
        match = await self._app.lookup.info(event.match_id)
        # Do not ping on behalf of a person who is not allowed to write in the channel.
        allowed = await self.access.channel_rights(interaction, match.guild_id, match.channel_id)
        hand = await self._app.pauses.pause(
            person_id_of(interaction), match.id, quiet=not allowed.write, is_answer=event.argument == ANSWER
        )
        await self._hands.show(interaction, hand)

    @handles(Action.CONTINUE, need=Need.POST_FOR_MATCH)
    async def _continue(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Agree to resume. Once all agree, the match resumes in its channel, or in a thread if the channel is busy."""
        person_id, is_answer = person_id_of(interaction), event.argument == ANSWER
        hand = await self._app.lookup.hand(person_id, event.match_id)
        if not _others_agree(hand):
            hand = await self._app.pauses.resume(person_id, hand.match.id, is_answer=is_answer, agrees_only=True)
        if _others_agree(hand):
            hand = await self._resume(interaction, hand, is_answer=is_answer)
        if hand.match.is_paused and not is_private(interaction):
            match, seat = hand.match, hand.view.seat
            text, buttons = texts.proposals(match, seat) or texts.paused(match), answer_buttons(match, seat)
            await Answer.to(interaction).reply(note(text, Accent.YOURS, *buttons))
        elif hand.match.is_paused:
            await self._hands.show(interaction, hand)
        else:
            await self._hands.show(interaction, hand, f"The match has resumed in {place(hand.match)}.")

    async def _resume(self, interaction: Interaction, hand: OwnHand, *, is_answer: bool) -> OwnHand:
        """Resume a match once all others have agreed. Raise `UserError` if no channel or thread is free for it."""
        app, match, person_id = self._app, hand.match, person_id_of(interaction)
        parent_id = await self.access.parent_of(interaction, match)

        def resume(thread_id: ChannelId | None) -> Awaitable[OwnHand]:
            parent = parent_id if thread_id is None else match.channel_id
            return app.pauses.resume(person_id, match.id, thread_id, parent, is_answer=is_answer)

        try:
            return await begin_in_channel_or_thread(interaction, app, self.access, MessageKind.TABLE, match.id, resume)
        except ChannelBusy as busy:
            raise UserError(no_room_to_continue(busy)) from None

    @handles(Action.OPEN_MATCH)
    async def _open(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show a hand in a new message."""
        hand = await self._app.lookup.hand(person_id_of(interaction), event.match_id)
        await self._hands.show(interaction, hand, as_new_message=True)

    @handles(Action.NEXT_MATCH)
    async def _next(self, interaction: Interaction, event: ComponentEvent) -> None:
        """Show the person's most urgent other match: in the clicked message if that is ephemeral, else in a new one."""
        hand = await self._app.lookup.next_hand(person_id_of(interaction), event.match_id)
        clicked = interaction.message
        if hand is None:
            await Answer.to(interaction).reply(note(texts.NO_OTHER_MATCH))
        else:
            in_place = clicked is not None and clicked.flags.ephemeral
            await self._hands.show(
                interaction, hand, f"Your next match, in {place(hand.match)}", as_new_message=not in_place
            )


def _awaited(hand: OwnHand) -> str:
    """Return the name of the player that the hand's owner waits for."""
    return "them" if hand.awaited_seat is None else name(hand.match.players[hand.awaited_seat])


def _others_agree(hand: OwnHand) -> bool:
    """Return True if all other people agree to resume a paused match."""
    match, seat = hand.match, hand.view.seat
    others = [other for other, player in enumerate(match.players) if other != seat and player.computer is None]
    return match.is_paused and all(match.proposals[other] is Proposal.CONTINUE for other in others)
