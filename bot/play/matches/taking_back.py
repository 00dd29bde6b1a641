"""Takes discards back, if the other players agree."""

from __future__ import annotations

from bot.engine.deals.phases import reason_against_taking_back
from bot.engine.matches.actions import TakeBack
from bot.model.ids import InteractionId, MatchId, PersonId
from bot.model.matches import OwnHand, Proposal
from bot.play import refusals
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.matches.proposals import propose
from bot.store import matches


class TakingBack(MatchService):
    """Proposals to take a discard back."""

    @shielded
    async def take_back(
        self,
        person_id: PersonId,
        match_id: MatchId,
        interaction_id: InteractionId,
        *,
        is_answer: bool = False,
        in_own_message: bool = False,
    ) -> OwnHand:
        """Ask to take one's last discard back or, with `is_answer`, agree to another player's request.

        With `in_own_message`, the person clicked in their own hand message, which the answer updates.
        Once all agree, the card returns to the hand. A proposal says nothing about the next player: they can have drawn
        a card that only they know of, and then only their answer is refused. Return the person's hand.

        Raises:
            NoMatch, NotSeated, MatchOver, Frozen, Vacant, Paused: as for a move.
            CannotTakeBack: the person cannot ask now, or has already drawn a card.
            NoOffer: the request no longer exists.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            if loaded.info.is_paused:
                raise refusals.Paused(loaded.info)
            asking = loaded.info.seats_proposing(Proposal.TAKE_BACK)
            if not is_answer and not loaded.may_take_back(seat):
                raise refusals.CannotTakeBack(loaded.info)
            if is_answer and not asking:
                raise refusals.NoOffer(loaded.info)
            asker = asking[0] if is_answer else seat
            deal = loaded.state.deal_of(asker)
            is_late = reason_against_taking_back(deal, asker) is not None
            # Only the next player may learn that they have drawn. Everything that others can see must be the same in
            # both cases, including pings in the channel and the pings in the person's export.
            if is_answer and is_late and seat == deal.to_act:
                raise refusals.CannotTakeBack(loaded.info, has_drawn=True)
            if not is_answer:
                asked = -deal.number if is_late else deal.number
                matches.change_some_seats(unit.transaction, match_id, [seat], asked_back=asked)
            loaded = await propose(unit, self._writer, loaded, seat, Proposal.TAKE_BACK)
            if not loaded.seats_to_answer:
                clicked_by = seat if in_own_message else None
                loaded = await self._writer.advance(
                    unit, loaded, [TakeBack(asker)], interaction_id, clicked_by=clicked_by
                )
            return loaded.hand(seat, unit.now)
