"""Answers to a knock where lay-offs are made by hand: the best ones, which need no judgement."""

from __future__ import annotations

from bot.engine.moves import DONE, Move, Verb
from bot.engine.showdown import best_response, extended
from bot.opponent.position import Position


def respond(position: Position) -> Move:
    """Return the next step of the answer that leaves the least deadwood: a card to lay off, or that it is done."""
    knock = position.knock
    if knock is None:
        raise ValueError("nobody has knocked")
    named = knock.laid.melds
    grown = [extended(meld, knock.lay_offs) for meld in named]
    rules = position.rules
    best = best_response(position.hand, named, position.seat, grown, aces=rules.aces, chain=rules.lay_off_chain)
    for lay_off in best.lay_offs:
        move = Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,))
        if move in position.moves:
            return move
    return DONE
