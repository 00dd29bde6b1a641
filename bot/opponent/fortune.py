"""Luck: the points by which a player's cards were better than the average alternative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from bot.engine.cards import Card, Hand
from bot.opponent.estimate import Maps
from bot.opponent.facts import Facts
from bot.opponent.judge import Judge
from bot.opponent.many_hands import CARD_AT, listed, place_of
from bot.opponent.position import Position
from bot.opponent.seeing import position_in
from bot.opponent.worlds import Worlds

HANDS: Final = 100
"""Number of random hands that a dealt hand is compared with."""
AT_ONCE: Final = 16
"""Number of positions judged between two calls of `pause`."""


def fortune(judge: Judge, position: Position, seed: int, pause: Callable[[], None] = lambda: None) -> float:
    """Return the luck of a position in points: its worth less the average worth with other cards.

    In a position after a draw from the stock, other cards replace the drawn card; otherwise, they replace the whole
    hand. `pause` is called every few milliseconds. Raise `ValueError` while a knock is being answered.
    """
    unseen = _unseen(position)
    if position.new_card is None:
        random = np.random.default_rng((seed, position.number))
        cards = [*position.hand, *unseen]
        orders = (listed(random.permutation(len(cards))[: len(position.hand)]) for _ in range(HANDS))
        others = [replace(position, hand=Hand.of(cards[place] for place in order)) for order in orders]
        mine, *theirs = _worths(judge, [position, *others], pause)
        return mine - float(np.mean(theirs))
    before = position.hand - position.new_card
    drawn = [position.new_card, *unseen]
    worths = _worths(judge, _with_others(judge, position, before, drawn), pause)
    facts = [Facts.of(replace(position, hand=before))]
    held = judge.estimate.held(facts, Maps.of(facts))[0]
    chances = [1 - float(held[place_of(card)]) for card in drawn]
    return worths[0] - float(np.average(worths, weights=chances))


def _with_others(judge: Judge, position: Position, before: Hand, drawn: Sequence[Card]) -> list[Position]:
    """Return the position with each of these cards in place of the drawn card. `before` is the hand before the draw."""
    (deal,) = Worlds(judge, position).draw(1, 0)
    found = list[Position]()
    for card in drawn:
        hands = (*deal.hands[: deal.turn], before + card, *deal.hands[deal.turn + 1 :])
        other = replace(deal, hands=hands, new_card=card, barred=None if deal.barred is None else card)
        found.append(position_in(other, len(position.hand_sizes), position.score, position.past))
    return found


def _unseen(position: Position) -> list[Card]:
    (maps,) = Maps.of([Facts.of(position)]).unseen
    return [CARD_AT[place] for place in listed(np.flatnonzero(maps))]


def _worths(judge: Judge, positions: Sequence[Position], pause: Callable[[], None]) -> list[float]:
    worths = list[float]()
    for start in range(0, len(positions), AT_ONCE):
        pause()
        worths += [options[0].worth for options in judge.options(positions[start : start + AT_ONCE])]
    return worths
