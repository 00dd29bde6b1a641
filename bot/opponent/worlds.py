"""Determinizations: complete deals that are consistent with a position, with plausible hidden cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.engine.cards import Card, Hand
from bot.engine.deal import STOCK_LEFT, Deal, Phase, Seating
from bot.engine.moves import Move, Seat, Verb
from bot.opponent.estimate import Maps
from bot.opponent.facts import Facts
from bot.opponent.judge import Judge
from bot.opponent.many_hands import CARD_AT, CARDS, SINGLE, Floats, Places, cards_of, listed, mask_of, melding, rows
from bot.opponent.position import Position

TRIED: Final = 16
"""Number of candidate hands for each determinization."""
ORDERLY: Final = 0.01
MOST_ORDERLY: Final = 0.12
"""Increase in the log-weight of a hand for each point less deadwood: `ORDERLY` per turn of the player, at most
`MOST_ORDERLY`. Cards that form melds are held together more often than their separate probabilities suggest; this
weight gives sampled hands a realistic deadwood."""
_NAMED: Final = (Verb.DISCARD, Verb.KNOCK)
"""Moves that reveal their card before a hand is laid down."""


class Worlds:
    """Samples determinizations of a position."""

    def __init__(self, judge: Judge, position: Position) -> None:
        """Prepare a position. Raise `ValueError` while a knock is being answered, because hands are laid down then."""
        if position.knock is not None:
            raise ValueError("a knock is being answered")
        seat, seats = position.seat, position.seats
        facts, place = Facts.of(position), seats.index(seat)
        maps = Maps.of([facts])
        self._position = position
        self._others = (*seats[place + 1 :], *seats[:place])
        self._known = [cards_of(facts.known_by[other]) for other in self._others]
        self._unseen = np.flatnonzero(maps.unseen[0])
        held = np.clip(judge.estimate.held([facts], maps)[0, self._unseen], 1e-4, 1 - 1e-4)
        self._odds: Floats = np.log(held / (1 - held))
        reshuffled, self._redrawn = _reshuffled(position, self._others[0])
        self._reshuffled = np.array([CARD_AT[place] in reshuffled for place in listed(self._unseen)])
        self._orderly = min(ORDERLY * facts.their_turns, MOST_ORDERLY)

    def draw(self, count: int, seed: int) -> list[Deal]:
        """Return `count` deals, sampled by the estimate of the next player's hand.

        The cards of the players after the next one are uniformly random.
        """
        random = np.random.default_rng((seed, self._position.number, len(self._position.history)))
        return [self._deal(order) for order in self._orders(count, random)]

    def _orders(self, count: int, random: np.random.Generator) -> Places:
        """Return `count` orders of the unseen cards. The next player's cards come first."""
        size = self._position.hand_sizes[self._others[0]] - len(self._known[0])
        noise = random.gumbel(size=(count * TRIED, len(self._unseen)))
        ranked = self._possible(np.argsort(-(noise + self._odds), axis=1))
        hands = np.repeat(rows([mask_of(Hand.of(self._known[0]))]), len(ranked), axis=0)
        for column in range(size):
            hands |= SINGLE[self._unseen[ranked[:, column]]]
        left = melding(self._position.rules.aces).least_deadwood(hands)
        best = np.argsort(-(random.gumbel(size=len(left)) - self._orderly * left))[:count]
        chosen = ranked[best]
        random.permuted(chosen[:, size:], axis=1, out=chosen[:, size:])
        return self._unseen[chosen]

    def _possible(self, ranked: Places) -> Places:
        """Return orders in which the next player has no more reshuffled cards than they can have drawn."""
        if not self._reshuffled.any():
            return ranked
        again = self._reshuffled[ranked]
        too_many = again & (np.cumsum(again, axis=1) > self._redrawn)
        return np.take_along_axis(ranked, np.argsort(too_many, axis=1, kind="stable"), axis=1)

    def _deal(self, order: Places) -> Deal:
        """Return the deal with the unseen cards in this order."""
        position, rules = self._position, self._position.rules
        cards = [CARD_AT[place] for place in listed(order)]
        hands = {position.seat: position.hand}
        for other, known in zip(self._others, self._known, strict=True):
            size = position.hand_sizes[other] - len(known)
            hands[other] = Hand.of((*known, *cards[:size]))
            cards = cards[size:]
        first = rules.cards_dealt * len(position.seats) + 1
        return Deal(
            Seating(position.number, position.seats, position.seats[-1], 1),
            rules,
            position.knock_limit,
            (*[position.upcard] * first, *cards),
            first,
            tuple(hands[seat] for seat in position.seats),
            position.discards,
            position.phase,
            position.seats.index(position.seat),
            position.new_card,
            _barred(position),
            position.phase is Phase.DISCARD and all(move.verb is not Verb.DISCARD for move in position.moves),
            history=tuple(Move(one.verb, one.card if one.verb in _NAMED else None) for one in position.history),
        )


def _reshuffled(position: Position, player: Seat) -> tuple[set[Card], int]:
    """Return the last reshuffled cards, and the maximum number of them that a player can have drawn."""
    rules, reshuffled, drawn, redrawn = position.rules, set[Card](), 0, 0
    if rules.stock_out != "reshuffle":
        return reshuffled, redrawn
    pile, stock = [position.upcard], CARDS - rules.cards_dealt * len(position.seats) - 1
    for move in position.history:
        if move.verb is Verb.DRAW:
            stock, drawn = stock - 1, drawn + 1
            redrawn += move.seat == player and drawn > STOCK_LEFT and bool(reshuffled)
        elif move.verb is Verb.TAKE:
            pile.pop()
        elif move.verb is Verb.DISCARD and move.card is not None:
            pile.append(move.card)
            if stock <= STOCK_LEFT:
                reshuffled, pile, drawn, redrawn = {*pile[:-1]}, pile[-1:], 0, 0
                stock += len(reshuffled)
    return reshuffled, redrawn


def _barred(position: Position) -> Card | None:
    """Return the card that may not be discarded this turn."""
    if position.phase is not Phase.DISCARD:
        return None
    drawn = position.rules.discard_drawn
    free = drawn == "free" or (drawn != "never" and position.history[-1].verb is Verb.DRAW)
    return None if free else position.new_card
