"""Luck: the points by which a player's cards were better than the average alternative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from bot.engine.cards.cards import Card, Hand
from bot.opponent.play.estimate import Maps
from bot.opponent.play.facts import Facts
from bot.opponent.play.hand_arrays import CARDS_BY_INDEX, index_of, to_list
from bot.opponent.play.judge import Judge
from bot.opponent.play.observation import position_in
from bot.opponent.play.position import Position
from bot.opponent.review.determinizations import DeterminizationSampler

COMPARED_HANDS: Final = 100
"""Number of random hands that a dealt hand is compared with."""


def card_luck(judge: Judge, position: Position, seed: int) -> float:
    """Return the luck of a position: the points by which its worth exceeds the average worth with other cards.

    In a position after a draw from the stock, other cards replace the drawn card; otherwise, they replace the whole
    hand. Raise `ValueError` while a knock is being answered.
    """
    unseen = _unseen(position)
    if position.new_card is None:
        random = np.random.default_rng((seed, position.number))
        cards = [*position.hand, *unseen]
        orders = (to_list(random.permutation(len(cards))[: len(position.hand)]) for _ in range(COMPARED_HANDS))
        others = [replace(position, hand=Hand.of(cards[index] for index in order)) for order in orders]
        own_worth, *other_worths = _worths(judge, [position, *others])
        return own_worth - float(np.mean(other_worths))
    hand_before = position.hand - position.new_card
    drawn = [position.new_card, *unseen]
    worths = _worths(judge, _with_other_cards(judge, position, hand_before, drawn))
    facts = [Facts.of(replace(position, hand=hand_before))]
    held = judge.estimate.holding_probabilities(facts, Maps.of(facts))[0]
    probabilities = [1 - float(held[index_of(card)]) for card in drawn]
    return worths[0] - float(np.average(worths, weights=probabilities))


def _with_other_cards(judge: Judge, position: Position, before: Hand, drawn: Sequence[Card]) -> list[Position]:
    """Return a position for each of the `drawn` cards, as if that card had just been drawn.

    `before` is the hand before the draw.
    """
    (deal,) = DeterminizationSampler(judge, position).sample(1, 0)
    positions = list[Position]()
    for card in drawn:
        hands = (*deal.hands[: deal.turn], before + card, *deal.hands[deal.turn + 1 :])
        other = replace(deal, hands=hands, new_card=card, barred=None if deal.barred is None else card)
        positions.append(position_in(other, len(position.hand_sizes), position.score, position.past))
    return positions


def _unseen(position: Position) -> list[Card]:
    (maps,) = Maps.of([Facts.of(position)]).unseen
    return [CARDS_BY_INDEX[place] for place in to_list(np.flatnonzero(maps))]


def _worths(judge: Judge, positions: Sequence[Position]) -> list[float]:
    return [options[0].worth for options in judge.options(positions)]
