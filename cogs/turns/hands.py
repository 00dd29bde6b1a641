"""A player's own hand as the answer to an interaction, in only one message at a time.

If the hand is sent by direct message, the courier updates the direct message, and a command gets a one-line answer.
Otherwise the answer shows the hand, and the previous private message with the hand is deleted if Discord still allows
that.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.model.ids import MatchId, MessageId, PersonId
from bot.model.matches import MatchInfo, OwnHand
from bot.play.application import Application
from bot.play.refusals import Unavailable
from cogs.delivery.interactions import person_id_of
from cogs.delivery.pictures import Pictures
from cogs.delivery.replies import show
from cogs.kit.answers import TOKEN_LIFETIME, Answer, Interaction
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import Accent, WithButton, note
from cogs.kit.messages import Message
from cogs.turns import hand_panel as panels
from cogs.turns import hand_text as texts
from cogs.turns.questions import Question
from cogs.words.holidays import WELCOME_BACK

log = structlog.get_logger(__name__)

_MAX_REMEMBERED: Final = 256
"""Maximum number of private messages with hands that are remembered for deletion, at 5 KB each."""


class Hands:
    """Answers interactions with hands. The private messages that show hands are remembered in memory only."""

    def __init__(self, app: Application, pictures: Pictures) -> None:
        self._app = app
        self._pictures = pictures
        self._private_messages: OrderedDict[tuple[PersonId, MatchId], tuple[Answer, datetime]] = OrderedDict()

    async def show(
        self,
        interaction: Interaction,
        hand: OwnHand,
        notice: str | None = None,
        *,
        refused: bool = False,
        question: Question | None = None,
        message: Message | None = None,
        as_new_message: bool = False,
        hint: WithButton | None = None,
    ) -> None:
        """Answer with a player's own hand, in the clicked message if possible, or in a new one if `as_new_message`.

        If Discord confirms that a direct message now shows the hand, the courier does not need to update that message.
        """
        if message is None:
            message = await panels.hand(
                hand, self._pictures, notice=notice, refused=refused, question=question, hint=hint
            )
        if as_new_message:
            await Answer.to(interaction).reply(message)
        updated = not as_new_message and await show(interaction, message)
        clicked, answer = interaction.message, Answer.to(interaction)
        if answer.message_id is not None:
            await self._delete_former(person_id_of(interaction), hand.match, answer)
        elif updated and clicked is not None and not (notice or question or hint):
            # If this note cannot be saved, the only consequence is that the courier updates the direct message again.
            with suppress(Unavailable):
                await self._app.outbox.note_hand_answered(hand, MessageId(clicked.id))

    @staticmethod
    def answers_with_hand(interaction: Interaction, hand: OwnHand) -> bool:
        """Return True if the answer to a move shows the hand, and False if it is one line."""
        return interaction.message is not None or hand.dm_channel_id is None

    async def answer_move(
        self, interaction: Interaction, hand: OwnHand, refusal: str | None = None, message: Message | None = None
    ) -> None:
        """Answer a move with the hand, or with one line if a command made it and the hand is in direct messages.

        `refusal` is the reason if the move was refused.
        """
        if self.answers_with_hand(interaction, hand):
            await self.show(interaction, hand, refusal, refused=refusal is not None, message=message)
        elif refusal is not None:
            await Answer.to(interaction).reply(note(texts.in_direct_message(hand, refusal), Accent.TROUBLE))
        else:
            welcome = f"{WELCOME_BACK} " if hand.returned_from_holiday else ""
            text = texts.in_direct_message(hand, f"{welcome}{texts.own_last_move(hand)}")
            await Answer.to(interaction).reply(note(text, Accent.YOURS))

    async def _delete_former(self, person_id: PersonId, match: MatchInfo, answer: Answer) -> None:
        """Delete the private message that showed this hand before, unless `answer` is the same message."""
        key, now = (person_id, match.id), self._app.clock()
        self._forget(shown_before=now - timedelta(seconds=TOKEN_LIFETIME))
        former, _ = self._private_messages.pop(key, (answer, now))
        # *Next match* replaces the hand in a message. Forget the replaced hand, or the message would be deleted later.
        shown_there = [
            other_key
            for other_key, (other, _) in self._private_messages.items()
            if other_key[0] == person_id and other.message_id == answer.message_id
        ]
        for key_there in shown_there:
            del self._private_messages[key_there]
        self._private_messages[key] = answer, now
        if former.message_id != answer.message_id:
            try:
                await former.delete()
            except REQUEST_FAILURES as error:
                log.warning("a replaced private hand could not be deleted", error=type(error).__name__)

    def _forget(self, shown_before: datetime) -> None:
        """Forget private messages that can no longer be deleted, and the oldest ones if there are too many."""
        while self._private_messages:
            key, (_, shown_at) = next(iter(self._private_messages.items()))
            if shown_at > shown_before and len(self._private_messages) < _MAX_REMEMBERED:
                return
            del self._private_messages[key]
