"""A player's own hand as the answer to an interaction, in one message at a time.

Where the hand goes by direct message, the courier brings that up to date, and a command is answered by one line. Else
the answer is the hand itself, and the private message that it was in before is deleted while Discord allows that.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.play.application import Application
from bot.play.refusals import Unavailable
from bot.values.ids import MatchId, MessageId, PersonId
from bot.values.matches import MatchInfo, OwnHand
from cogs.kit.answers import TOKEN_LIFETIME, Answer, Interaction
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.messages import Message
from cogs.panels import hand as panels
from cogs.panels.layout import Accent, Beside, note
from cogs.panels.pictures import Pictures
from cogs.panels.questions import Question
from cogs.support.interactions import person_id_of
from cogs.support.replies import show
from cogs.text import hand as texts
from cogs.text.holidays import WELCOME_BACK

log = structlog.get_logger(__name__)

_REMEMBERED: Final = 256
"""The most private messages with hands that can be deleted, at 5 KB each."""


class Hands:
    """Answers with hands. It knows the private messages that show them, but nothing of that is stored."""

    def __init__(self, app: Application, pictures: Pictures) -> None:
        """Answer with the hands of an application's matches."""
        self._app = app
        self._pictures = pictures
        self._private: OrderedDict[tuple[PersonId, MatchId], tuple[Answer, datetime]] = OrderedDict()

    async def show(
        self,
        interaction: Interaction,
        hand: OwnHand,
        notice: str | None = None,
        *,
        refused: bool = False,
        question: Question | None = None,
        message: Message | None = None,
        anew: bool = False,
        hint: Beside | None = None,
    ) -> None:
        """Answer with a player's own hand, whose message may be there already unless it is to be shown `anew`.

        If that is known to have updated their direct message, the courier need not.
        """
        if message is None:
            message = await panels.hand(
                hand, self._pictures, notice=notice, refused=refused, question=question, hint=hint
            )
        if anew:
            await Answer.to(interaction).reply(message)
        updated = not anew and await show(interaction, message)
        clicked, answer = interaction.message, Answer.to(interaction)
        if answer.message_id is not None:
            await self._keep_one(person_id_of(interaction), hand.match, answer)
        elif updated and clicked is not None and not (notice or question or hint):
            # If it cannot be noted, the courier shows the same hand once more.
            with suppress(Unavailable):
                await self._app.outbox.hand_answered(hand, MessageId(clicked.id))

    @staticmethod
    def shows_moved(interaction: Interaction, hand: OwnHand) -> bool:
        """Return whether the answer to a move shows the hand, rather than one line."""
        return interaction.message is not None or hand.dm_channel_id is None

    async def show_moved(
        self, interaction: Interaction, hand: OwnHand, refusal: str | None = None, message: Message | None = None
    ) -> None:
        """Answer what was to make a move: a click with the hand, and a command with one line if the hand is elsewhere.

        `refusal` says why the move was not made.
        """
        if self.shows_moved(interaction, hand):
            await self.show(interaction, hand, refusal, refused=refusal is not None, message=message)
        elif refusal is not None:
            await Answer.to(interaction).reply(note(texts.in_direct_message(hand, refusal), Accent.TROUBLE))
        else:
            welcome = f"{WELCOME_BACK} " if hand.came_back else ""
            text = texts.in_direct_message(hand, f"{welcome}{texts.moved(hand)}")
            await Answer.to(interaction).reply(note(text, Accent.YOURS))

    async def _keep_one(self, person_id: PersonId, match: MatchInfo, answer: Answer) -> None:
        """Delete the private message in which a person saw their hand before, if this one is another."""
        key, now = (person_id, match.id), self._app.clock()
        self._forget(shown_before=now - timedelta(seconds=TOKEN_LIFETIME))
        former, _ = self._private.pop(key, (answer, now))
        # *Next match* leads to another hand in the same message.
        shown_there = [
            one
            for one, (other, _) in self._private.items()
            if one[0] == person_id and other.message_id == answer.message_id
        ]
        for one in shown_there:
            del self._private[one]
        self._private[key] = answer, now
        if former.message_id != answer.message_id:
            try:
                await former.delete()
            except REQUEST_FAILURES as error:
                log.warning("a replaced private hand stays", error=type(error).__name__)

    def _forget(self, shown_before: datetime) -> None:
        """Forget the private messages that can no longer be deleted, and the oldest if there are too many."""
        while self._private:
            key, (_, shown_at) = next(iter(self._private.items()))
            if shown_at > shown_before and len(self._private) < _REMEMBERED:
                return
            del self._private[key]
