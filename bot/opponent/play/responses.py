"""The best response to a knock when lay-offs are manual. It is computed exactly, without a neural network."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.deals.moves import DONE, Move, Verb
from bot.engine.deals.showdown import Response, best_response, extended
from bot.opponent.play.position import Position


def respond(position: Position) -> Move:
    """Return the next step of the response with the least deadwood: a lay-off, or `done`."""
    knock = position.knock
    if knock is None:
        raise ValueError("there is no knock to answer")
    melds = knock.arrangement.melds
    grown = [extended(meld, knock.lay_offs) for meld in melds]
    rules = position.rules
    best = best_response(position.hand, melds, position.seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
    return next_step(best, position.moves)


def next_step(response: Response, moves: Sequence[Move]) -> Move:
    """Return the next step of a response, given the legal moves: a lay-off, or `done`."""
    steps = (Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)) for lay_off in response.lay_offs)
    return next((step for step in steps if step in moves), DONE)
