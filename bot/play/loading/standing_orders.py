"""Standing orders in the database: a text with the turn for which they are, so that they end with it."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.errors import NotationError
from bot.engine.matches.facts import can_take, helps
from bot.engine.matches.match import Match, Play
from bot.engine.matches.views import SeatView, public_moves
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.store.rows import SeatRow


def orders_of(match: Match, row: SeatRow) -> Orders:
    """Return a player's orders for their next turn, or for the turn in which they have not moved yet.

    In a turn that has begun, only `ran` has a meaning.
    """
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


def orders_after(before: Match, after: Match, row: SeatRow, ordered: Play) -> str | None:
    """Return a player's orders as they are stored after the bot has made a move by order.

    After a pass, the rest of the orders is for the turn that follows.
    """
    rest = replace(orders_of(before, row), passes=False) if ordered.move.verb is Verb.PASS else NO_ORDERS
    return stored_orders(after, ordered.seat, replace(rest, ran=True))


def next_turn(deal: Deal, seat: Seat) -> str:
    """Identify a player's next turn, or one that has just begun, by the deal and the number of their moves in it."""
    return f"{deal.number}.{sum(move.seat == seat for move in public_moves(deal))}"


def planned(match: Match, row: SeatRow, view: SeatView) -> Planned | None:
    """Return what became of a player's orders; None if they had none that matter now.

    It matters until the player's next move, but not while the match is halted.
    """
    if row.person is None or view.public.phase is Phase.DONE:
        return None
    orders, phase = orders_of(match, row), view.public.phase
    if view.is_to_act and phase in (Phase.OFFER, Phase.DRAW):
        waits = orders.passes if phase is Phase.OFFER else orders.draws_for(row.person.preferences)
        if waits and can_take(view) and helps(view, view.public.discards[-1]):
            return Planned.LEFT
        if phase is Phase.DRAW and (orders.takes or orders.fits) and can_take(view):
            return Planned.MISSED
    return Planned.DONE if orders.ran else None
