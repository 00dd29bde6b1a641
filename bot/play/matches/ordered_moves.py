"""Moves that players have ordered in advance: they are made in the transaction in which the player's turn begins.

An order never hides a choice: it passes or draws only if the card on offer neither makes nor extends a meld, and makes
no knock possible. It never knocks or discards.
"""

from __future__ import annotations

from bot.engine.deals.moves import DRAW, PASS, TAKE, Move, Seat
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import helps
from bot.engine.matches.match import Match, legal
from bot.engine.matches.views import seat_view
from bot.model.orders import NO_ORDERS
from bot.play.loading.standing_orders import orders_of
from bot.store.rows import SeatRow


def ordered_move(match: Match, row: SeatRow) -> Move | None:
    """Return the move that a player ordered for the turn that has just begun; None if the choice is theirs."""
    seat, person = Seat(row.seat), row.person
    orders = orders_of(match, row)
    if person is None or (orders == NO_ORDERS and not person.preferences.draws_for_me):
        return None
    deal, moves = match.deal_of(seat), legal(match, seat)
    top = deal.discards[-1] if deal.discards else None
    if TAKE in moves and top in orders.takes:
        return TAKE
    if TAKE in moves and top is not None and helps(seat_view(match, seat), top):
        return None
    if deal.phase is Phase.OFFER:
        return PASS if orders.passes and PASS in moves else None
    is_wanted = orders.draws or person.preferences.draws_for_me
    return DRAW if is_wanted and deal.phase is Phase.DRAW and DRAW in moves else None
