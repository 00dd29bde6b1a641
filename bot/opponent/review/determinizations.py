"""Determinizations: complete deals that are consistent with a position, with plausible hidden cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.engine.cards.cards import Card, Hand
from bot.engine.deals.deal import MIN_STOCK, Deal, Seating
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.opponent.play.estimate import Maps
from bot.opponent.play.facts import Facts
from bot.opponent.play.hand_arrays import (
    CARDS,
    CARDS_BY_INDEX,
    SINGLE_CARD_HANDS,
    Floats,
    Indices,
    cards_of,
    mask_of,
    masks_to_hands,
    meld_tables,
    to_list,
)
from bot.opponent.play.judge import Judge
from bot.opponent.play.position import Position

CANDIDATES_PER_SAMPLE: Final = 16
"""Number of candidate hands for each determinization."""
MELD_WEIGHT_PER_TURN: Final = 0.01
MAX_MELD_WEIGHT: Final = 0.12
"""Maximum meld weight: the amount by which each point of deadwood lowers a hand's log-weight.

The meld weight is `MELD_WEIGHT_PER_TURN` for each turn of the player, up to this maximum. Cards that form melds are
held together more often than their separate probabilities suggest. With this weight, sampled hands have a realistic
deadwood.
"""
_VERBS_WITH_CARD: Final = (Verb.DISCARD, Verb.KNOCK)
"""Verbs of the moves that name their card in notation; a take does not."""


class DeterminizationSampler:
    """Samples determinizations of a position."""

    def __init__(self, judge: Judge, position: Position) -> None:
        """Prepare a position. Raise `ValueError` while a knock is being answered, because hands are laid down then."""
        if position.knock is not None:
            raise ValueError("a knock is being answered")
        seat, seats = position.seat, position.seats
        facts, index = Facts.of(position), seats.index(seat)
        maps = Maps.of([facts])
        self._position = position
        self._opponents = (*seats[index + 1 :], *seats[:index])
        self._known_cards = [cards_of(facts.known_by[other]) for other in self._opponents]
        self._unseen = np.flatnonzero(maps.unseen[0])
        held = np.clip(judge.estimate.holding_probabilities([facts], maps)[0, self._unseen], 1e-4, 1 - 1e-4)
        self._log_odds: Floats = np.log(held / (1 - held))
        reshuffled, self._max_redrawn = _reshuffled(position, self._opponents[0])
        self._is_reshuffled = np.array([CARDS_BY_INDEX[place] in reshuffled for place in to_list(self._unseen)])
        self._meld_weight = min(MELD_WEIGHT_PER_TURN * facts.next_turns, MAX_MELD_WEIGHT)

    def sample(self, count: int, seed: int) -> list[Deal]:
        """Return `count` deals, sampled according to the estimate of the next player's hand.

        The cards of the players after the next one are uniformly random.
        """
        random = np.random.default_rng((seed, self._position.number, len(self._position.history)))
        return [self._deal(order) for order in self._orders(count, random)]

    def _orders(self, count: int, random: np.random.Generator) -> Indices:
        """Return `count` orders of the unseen cards. The next player's cards come first."""
        size = self._position.hand_sizes[self._opponents[0]] - len(self._known_cards[0])
        noise = random.gumbel(size=(count * CANDIDATES_PER_SAMPLE, len(self._unseen)))
        ranked = self._possible(np.argsort(-(noise + self._log_odds), axis=1))
        hands = np.repeat(masks_to_hands([mask_of(Hand.of(self._known_cards[0]))]), len(ranked), axis=0)
        for column in range(size):
            hands |= SINGLE_CARD_HANDS[self._unseen[ranked[:, column]]]
        deadwood = meld_tables(self._position.rules.aces).least_deadwood(hands)
        best_rows = np.argsort(-(random.gumbel(size=len(deadwood)) - self._meld_weight * deadwood))[:count]
        chosen = ranked[best_rows]
        random.permuted(chosen[:, size:], axis=1, out=chosen[:, size:])
        return self._unseen[chosen]

    def _possible(self, ranked: Indices) -> Indices:
        """Return the given orders of cards, made possible by moving some reshuffled cards to the end.

        The first cards of an order are the next player's hand. That player can have drawn at most `_max_redrawn` of the
        reshuffled cards, so all further reshuffled cards are moved.
        """
        if not self._is_reshuffled.any():
            return ranked
        is_reshuffled = self._is_reshuffled[ranked]
        too_many = is_reshuffled & (np.cumsum(is_reshuffled, axis=1) > self._max_redrawn)
        return np.take_along_axis(ranked, np.argsort(too_many, axis=1, kind="stable"), axis=1)

    def _deal(self, order: Indices) -> Deal:
        """Return the deal with the unseen cards in this order."""
        position, rules = self._position, self._position.rules
        cards = [CARDS_BY_INDEX[index] for index in to_list(order)]
        hands = {position.seat: position.hand}
        for other, known in zip(self._opponents, self._known_cards, strict=True):
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
            history=tuple(
                Move(move.verb, move.card if move.verb in _VERBS_WITH_CARD else None) for move in position.history
            ),
        )


def _reshuffled(position: Position, player: Seat) -> tuple[set[Card], int]:
    """Return the cards of the last reshuffle, and the maximum number of them that `player` can have drawn."""
    rules, reshuffled, drawn, redrawn = position.rules, set[Card](), 0, 0
    if rules.stock_out != "reshuffle":
        return reshuffled, redrawn
    pile, stock = [position.upcard], CARDS - rules.cards_dealt * len(position.seats) - 1
    for move in position.history:
        if move.verb is Verb.DRAW:
            stock, drawn = stock - 1, drawn + 1
            redrawn += move.seat == player and drawn > MIN_STOCK and bool(reshuffled)
        elif move.verb is Verb.TAKE:
            pile.pop()
        elif move.verb is Verb.DISCARD and move.card is not None:
            pile.append(move.card)
            if stock <= MIN_STOCK:
                reshuffled, pile, drawn, redrawn = {*pile[:-1]}, pile[-1:], 0, 0
                stock += len(reshuffled)
    return reshuffled, redrawn


def _barred(position: Position) -> Card | None:
    """Return the card that may not be discarded this turn, or None."""
    if position.phase is not Phase.DISCARD:
        return None
    rule = position.rules.discard_drawn
    may_discard = rule == "free" or (rule != "never" and position.history[-1].verb is Verb.DRAW)
    return None if may_discard else position.new_card
