"""Standing orders in the database: a text with the turn for which they are, so that they end with it."""

from __future__ import annotations

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.errors import NotationError
from bot.engine.matches.match import Match
from bot.engine.matches.views import public_moves
from bot.model.orders import NO_ORDERS, Orders
from bot.store.rows import SeatRow


def orders_of(match: Match, row: SeatRow) -> Orders:
    """Return a player's orders for their next turn, or for the turn in which they have not moved yet."""
    seat = Seat(row.seat)
    given_for, _, words = (row.orders or "").partition(" ")
    if not given_for or given_for != next_turn(match.deal_of(seat), seat):
        return NO_ORDERS
    try:
        return Orders.parse(words.split())
    except NotationError:
        return NO_ORDERS


def stored_orders(match: Match, seat: Seat, orders: Orders) -> str | None:
    """Return orders as they are stored: with the deal and the player's turn for which they are. None for no orders."""
    return " ".join((next_turn(match.deal_of(seat), seat), *orders.words)) if orders != NO_ORDERS else None


def next_turn(deal: Deal, seat: Seat) -> str:
    """Identify a player's next turn, or one that has just begun, by the deal and the number of their moves in it."""
    return f"{deal.number}.{sum(move.seat == seat for move in public_moves(deal))}"
