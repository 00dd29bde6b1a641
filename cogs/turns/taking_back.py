"""The button with which a player asks to take a discard back, or allows that."""

from __future__ import annotations

from bot.model.matches import Proposal
from cogs.actions import Action
from cogs.delivery.feature import handles
from cogs.delivery.interactions import clicked_direct_message, interaction_id_of, person_id_of
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent
from cogs.turns.hand_text import taken_back
from cogs.turns.match_feature import MatchFeature
from cogs.turns.match_options import ANSWER


class TakingBack(MatchFeature):
    """Takes discards back by consent."""

    @handles(Action.TAKE_BACK)
    async def _take_back(self, interaction: Interaction, event: ComponentEvent) -> None:
        person_id, cause = person_id_of(interaction), interaction_id_of(interaction)
        is_answer = event.argument == ANSWER
        in_own_message = clicked_direct_message(interaction)
        hand = await self._app.taking_back.take_back(
            person_id, event.match_id, cause, is_answer=is_answer, in_own_message=in_own_message
        )
        is_returned = is_answer and hand.match.open_proposal is not Proposal.TAKE_BACK
        await self._hands.show(interaction, hand, taken_back(hand) if is_returned else None)
