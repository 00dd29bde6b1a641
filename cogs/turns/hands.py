"""A player's own hand as the answer to an interaction, in only one message at a time.

The answer shows the hand, and the previous private message with the hand is deleted if Discord still allows that. If
the hand is also sent by direct message, the courier updates the direct message.

After another player's move, a private message with a hand is updated while its token lives.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog

from bot.model.ids import MatchId, MessageId, PersonId
from bot.model.matches import MatchInfo, MatchStatus, OwnHand
from bot.model.orders import Orders
from bot.play.application import Application
from bot.play.refusals import Refusal
from cogs.delivery.interactions import person_id_of
from cogs.delivery.pictures import Pictures
from cogs.delivery.replies import show
from cogs.kit.answers import TOKEN_LIFETIME, Answer, Interaction
from cogs.kit.failures import REQUEST_FAILURES
from cogs.kit.layout import WithButton
from cogs.kit.messages import Message
from cogs.kit.screens import Screens
from cogs.turns import hand_panel as panels
from cogs.turns.arranging_panel import arranging, may_arrange, moved
from cogs.turns.questions import Question

log = structlog.get_logger(__name__)

REFRESH_TIMEOUT: Final = 3.0
"""Timeout for the update of a private message, in seconds. The messages in the channel wait for it."""

_MAX_REMEMBERED: Final = 256
"""Maximum number of private messages with hands that are remembered, at 5 KB each."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A private message with a hand: the answer that it belongs to, and the time and revision of its latest state.

    `offers_moves` is True if that state has buttons for moves. `orders` are the orders that it shows. The message is
    `in_server` if it is not a direct message.
    """

    answer: Answer
    revision: int
    at: datetime
    offers_moves: bool
    orders: Orders
    in_server: bool


class Hands:
    """Answers interactions with hands. The private messages that show hands are remembered in memory only."""

    def __init__(self, app: Application, pictures: Pictures, screens: Screens) -> None:
        self._app = app
        self._pictures = pictures
        self._screens = screens
        self._private_messages: OrderedDict[tuple[PersonId, MatchId], _Shown] = OrderedDict()

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
        is_first: bool = False,
    ) -> None:
        """Answer with a player's own hand, in the clicked message if possible, or in a new one if `as_new_message`.

        If this answer `is_first` in a match, it has a button to stop direct messages with hands.

        If Discord confirms that a direct message now shows the hand, the courier does not need to update that message.
        """
        in_server = interaction.guild_id is not None
        if question is None:
            self._app.arranging.note_end(hand, in_server=in_server)
        if message is None:
            message = await panels.hand(
                hand,
                self._pictures,
                notice=notice,
                refused=refused,
                question=question,
                hint=hint,
                is_first=is_first,
                in_server=in_server,
            )
        if as_new_message:
            await Answer.to(interaction).reply(message)
        updated = not as_new_message and await show(interaction, message)
        clicked, answer = interaction.message, Answer.to(interaction)
        if answer.message_id is not None:
            await self._remember(interaction, hand, answer)
        elif updated and clicked is not None and not (notice or question or hint):
            self._app.outbox.note_hand_answered(hand, MessageId(clicked.id))

    async def compose(self, hand: OwnHand, *, in_server: bool = False) -> Message:
        """Return the message that shows a hand. While its player arranges the cards, it keeps the buttons for that."""
        question = self.arranging(hand, in_server=in_server)
        return await panels.hand(hand, self._pictures, question=question, in_server=in_server)

    def arranging(self, hand: OwnHand, *, in_server: bool) -> Question | None:
        """Return the question that a player answers by arranging their cards; None if they are not arranging them."""
        picked = self._app.arranging.picked(hand, in_server=in_server)
        if picked is None or not may_arrange(hand):
            return None
        return arranging(hand, self._pictures.emojis, picked if moved(hand, picked, None) is not None else ())

    def viewers(self, match: MatchInfo) -> list[PersonId]:
        """Return the people whose private messages show an older state of a match."""
        return [
            person_id
            for (person_id, match_id), shown in self._private_messages.items()
            if match_id == match.id and shown.revision < match.revision
        ]

    async def refresh(self, match_id: MatchId, hands: Mapping[PersonId, OwnHand] | None) -> None:
        """Update the private messages with hands of a match whose players have something to do or to see.

        A hand is updated if its player's turn began or ended, if their orders have changed, and for the end of a deal,
        an offer and the end of the match. Other messages stay as they are, to save requests. `hands` are the current
        hands of `viewers`; None if they are not loaded.
        """
        for (person_id, shown_match_id), shown in list(self._private_messages.items()):
            if shown_match_id == match_id and self._is_alive(shown) and (hands is None or person_id in hands):
                with suppress(Refusal, *REQUEST_FAILURES):
                    async with asyncio.timeout(REFRESH_TIMEOUT):
                        hand = await self._app.lookup.hand(person_id, match_id) if hands is None else hands[person_id]
                        await self._refresh(person_id, hand, shown)

    async def _refresh(self, person_id: PersonId, hand: OwnHand, shown: _Shown) -> None:
        if hand.match.revision <= shown.revision:
            return
        if not (_has_news(hand) or shown.offers_moves or shown.orders != hand.orders):
            return
        message = await self.compose(hand, in_server=shown.in_server)
        key = person_id, hand.match.id
        try:
            await shown.answer.refresh(message, self._screens)
        except discord.HTTPException as error:
            if error.status not in (401, 404):
                raise
            # The person dismissed the message, or its token has expired.
            if self._private_messages.get(key) is shown:
                del self._private_messages[key]
            return
        if self._private_messages.get(key) is shown:
            revision, offers_moves = hand.match.revision, hand.view.is_to_act
            shown = replace(shown, revision=revision, offers_moves=offers_moves, orders=hand.orders)
            self._private_messages[key] = shown

    async def _remember(self, interaction: Interaction, hand: OwnHand, answer: Answer) -> None:
        """Remember the private message that shows a hand, and delete the previous message with this hand."""
        person_id, in_server = person_id_of(interaction), interaction.guild_id is not None
        now = self._app.clock()
        shown = _Shown(answer, hand.match.revision, now, hand.view.is_to_act, hand.orders, in_server)
        key = person_id, hand.match.id
        self._forget_old()
        former = self._private_messages.pop(key, shown).answer
        # *Next match* replaces the hand in a message. Forget the replaced hand, or the message would be deleted later.
        shown_there = [
            other_key
            for other_key, other in self._private_messages.items()
            if other_key[0] == person_id and other.answer.message_id == answer.message_id
        ]
        for key_there in shown_there:
            del self._private_messages[key_there]
        self._private_messages[key] = shown
        if former.message_id != answer.message_id:
            try:
                await former.delete()
            except REQUEST_FAILURES as error:
                log.warning("a replaced private hand could not be deleted", error=type(error).__name__)

    def _forget_old(self) -> None:
        """Forget private messages that can no longer be changed, and the oldest ones if there are too many."""
        while self._private_messages:
            key, shown = next(iter(self._private_messages.items()))
            if self._is_alive(shown) and len(self._private_messages) < _MAX_REMEMBERED:
                return
            del self._private_messages[key]

    def _is_alive(self, shown: _Shown) -> bool:
        """Return True if Discord still allows changes of a private message."""
        return self._app.clock() < shown.at + timedelta(seconds=TOKEN_LIFETIME)


def _has_news(hand: OwnHand) -> bool:
    """Return True if a hand's owner can act, or has not seen the showdown or the end that the message would show."""
    is_over, is_asked = hand.match.status is not MatchStatus.RUNNING, hand.match.open_proposal is not None
    return hand.view.is_to_act or hand.unseen_deal is not None or is_over or is_asked
