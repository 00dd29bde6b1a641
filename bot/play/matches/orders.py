"""Saves the standing orders of waiting players."""

from __future__ import annotations

from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.model.orders import Orders
from bot.play import refusals
from bot.play.loading.standing_orders import stored_orders
from bot.play.loading.unit_of_work import shielded
from bot.play.matches.match_writer import MatchService
from bot.play.outbox.changes import Change, enqueue_hand
from bot.store import matches


class StandingOrders(MatchService):
    """Saves the orders of players who wait for their turn."""

    @shielded
    async def give(
        self, person_id: PersonId, match_id: MatchId, orders: Orders, turn: str | None, *, in_own_message: bool = False
    ) -> OwnHand:
        """Save a player's orders for their next turn, instead of any earlier ones, and return their hand.

        Args:
            person_id: the player.
            match_id: the match.
            orders: the orders; `NO_ORDERS` takes earlier ones back.
            turn: the turn for which the orders are: `next_turn` of the hand that the player saw.
            in_own_message: True if the player clicked in their own hand message. The answer updates that message.

        Raises:
            NoMatch, NotSeated, MatchOver, Frozen, Vacant, Paused: as for a move.
            Stale: the player does not wait for this turn any more.
        """
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            seat = loaded.seat_of(person_id)
            if loaded.info.is_paused:
                raise refusals.Paused(loaded.info)
            if turn is None or loaded.next_turn(seat) != turn:
                raise refusals.Stale(loaded.hand(seat, unit.now))
            matches.change_some_seats(
                unit.transaction, match_id, [seat], orders=stored_orders(loaded.state, seat, orders.wanted)
            )
            loaded = await self._writer.revise(unit, loaded, Change(boards=()))
            enqueue_hand(unit, loaded, seat, clicked=in_own_message)
            return loaded.hand(seat, unit.now)
