"""Baselines: two elementary players to compare others with.

Source of `simple`: T. W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", EAAI 2021.
"""

from __future__ import annotations

from random import Random
from typing import Final

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, least_deadwood, melds_in
from bot.engine.deals.moves import BIG_GIN, DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.deals.phase import Phase
from bot.opponent.play.position import Position
from bot.opponent.play.responses import respond

IMPATIENT_STOCK: Final = 6
"""Stock size at or below which the patient player knocks as soon as possible."""


def simple(position: Position, random: Random) -> Move:
    """Take a face-up card only if it melds, discard for the least deadwood, and knock as soon as possible."""
    return _play(position, random, patient=False)


def patient(position: Position, random: Random) -> Move:
    """Play like the simple player, but hold out for gin until the stock is nearly used up."""
    return _play(position, random, patient=position.stock > IMPATIENT_STOCK)


BASELINES: Final = {"simple": simple, "patient": patient}
"""The baselines by name."""


def _play(position: Position, random: Random, *, patient: bool) -> Move:
    moves = position.moves
    if position.phase is Phase.LAY_OFF:
        return respond(position)
    if BIG_GIN in moves:
        return BIG_GIN
    if position.phase is not Phase.DISCARD:
        wait = next(move for move in (PASS, DRAW) if move in moves)
        aces = position.rules.aces
        return TAKE if TAKE in moves and joins_meld(position.hand, position.discards[-1], aces) else wait
    deadwood_by_card = {
        card: least_deadwood(position.hand - card, position.rules.aces)
        for card in {move.card: None for move in moves if move.card is not None}
    }
    least = min(deadwood_by_card.values())
    card = random.choice([card for card, deadwood in deadwood_by_card.items() if deadwood == least])
    must_go_out = not any(move.verb is Verb.DISCARD for move in moves)
    can_knock = any(move.verb is Verb.KNOCK and move.card is card for move in moves)
    return knock(card) if can_knock and (must_go_out or not patient or least == 0) else discard(card)


def joins_meld(hand: Hand, card: Card, aces: Aces) -> bool:
    """Return True if a card would form a meld with cards of a hand."""
    return any(card in meld.cards for meld in melds_in(hand + card, aces))
