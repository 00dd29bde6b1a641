"""Moves that players have ordered in advance: they are made in the transaction in which the player's turn begins.

An order never hides a choice: it passes or draws only if the card on offer neither makes nor extends a meld, and makes
no knock possible. It never knocks or discards. At the wall, where a player who takes the discard has to go out, it does
nothing.
"""

from __future__ import annotations

from bot.engine.deals.moves import DRAW, PASS, TAKE, Move, Seat
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import adds_to_melds, helps
from bot.engine.matches.match import Match, legal
from bot.engine.matches.views import seat_view
from bot.model.orders import NO_ORDERS
from bot.play.loading.standing_orders import orders_of
from bot.store.rows import SeatRow


def ordered_move(match: Match, row: SeatRow) -> Move | None:
    """Return the move that a player ordered for the turn that has just begun; None if the choice is theirs."""
    if row.person is None:
        return None
    seat, orders = Seat(row.seat), orders_of(match, row)
    draws = orders.draws_for(row.person.preferences)
    if orders.wanted == NO_ORDERS and not draws:
        return None
    deal, moves = match.deal_of(seat), legal(match, seat)
    if deal.phase is Phase.WALL:
        return None
    if TAKE in moves:
        top, view = deal.discards[-1], seat_view(match, seat)
        if top in orders.takes or (orders.fits and adds_to_melds(view, top)):
            return TAKE
        if helps(view, top):
            return None
    if deal.phase is Phase.OFFER:
        return PASS if orders.passes and PASS in moves else None
    return DRAW if draws and deal.phase is Phase.DRAW and DRAW in moves else None
