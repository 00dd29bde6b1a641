"""Standing orders in the database: a text with the turn for which they are, so that they end with it."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.errors import NotationError
from bot.engine.matches.facts import can_take, helps
from bot.engine.matches.match import Match
from bot.engine.matches.views import SeatView, public_moves
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.store.rows import SeatRow


def orders_of(match: Match, row: SeatRow, moves_ago: int = 0) -> Orders:
    """Return a player's orders for their next turn, or for the turn in which they have not moved yet.

    With `moves_ago`, return their orders as of before that many moves of the player.
    """
    seat = Seat(row.seat)
    given_for, _, words = (row.orders or "").partition(" ")
    if not given_for or given_for != next_turn(match.deal_of(seat), seat, moves_ago):
        return NO_ORDERS
    try:
        return Orders.parse(words.split())
    except NotationError:
        return NO_ORDERS


def stored_orders(match: Match, seat: Seat, orders: Orders) -> str | None:
    """Return orders as they are stored: with the deal and the player's turn for which they are. None for no orders."""
    return " ".join((next_turn(match.deal_of(seat), seat), *orders.words)) if orders != NO_ORDERS else None


def next_turn(deal: Deal, seat: Seat, moves_ago: int = 0) -> str:
    """Identify a player's next turn, or one that has just begun, by the deal and the number of their moves in it.

    `moves_ago` is the number of their last moves that are not counted.
    """
    return f"{deal.number}.{sum(move.seat == seat for move in public_moves(deal)) - moves_ago}"


def planned(match: Match, row: SeatRow, view: SeatView) -> Planned | None:
    """Return what became of a player's orders for their present turn; None if they had none that matter now.

    An order runs if the card on offer does not help. So if it does not, a card that was drawn was drawn by order.
    """
    if row.person is None or not view.is_to_act:
        return None
    prefers, phase = row.person.preferences.draws_for_me, view.public.phase
    if phase in (Phase.OFFER, Phase.DRAW):
        orders = orders_of(match, row)
        waits = orders.passes if phase is Phase.OFFER else orders.draws or prefers
        return Planned.LEFT if waits and can_take(view) and helps(view, view.public.discards[-1]) else None
    if phase is not Phase.DISCARD or view.new_card is None:
        return None
    orders = orders_of(match, row, moves_ago=1)
    if view.public.history[-1].verb is Verb.TAKE:
        return Planned.DONE if view.new_card in orders.takes else None
    if not (orders.draws or prefers):
        return None
    before, pile = replace(view, hand=view.hand - view.new_card), view.public.discards
    return None if pile and helps(before, pile[-1]) else Planned.DONE
