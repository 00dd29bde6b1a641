"""The judge: the networks' evaluation of each move, for many positions together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from bot.engine.cards.cards import Hand
from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.moves import DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.deals.phase import Phase
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.estimate import Estimate
from bot.opponent.play.facts import Facts
from bot.opponent.play.features import (
    Choices,
    Kind,
    PositionFeatures,
    discard_choices,
    join,
    knock_choices,
    pass_and_draw_choices,
)
from bot.opponent.play.hand_arrays import (
    CARDS,
    CARDS_BY_INDEX,
    Floats,
    Indices,
    Ints,
    cards_of,
    index_of,
    masks_to_hands,
    masks_to_maps,
    meld_tables,
    to_list,
)
from bot.opponent.play.network import Weights
from bot.opponent.play.outcomes import class_values
from bot.opponent.play.position import Position
from bot.opponent.play.value_network import ValueNetwork

ENDLESS_MOVES: Final = 120
"""Number of moves after which a deal is treated as endless.

Players might take from the discard pile forever or, if the stock is reshuffled, draw forever, because each of them
holds cards that another player needs.
"""
_TOO_MUCH_DEADWOOD: Final = 10_000


@dataclass(frozen=True)
class Layout:
    """The choices of several positions, with the move of each choice.

    `then` is the second move of a choice, if it has two. Taking a card is laid out as several choices: one for each
    discard after it, and one for a knock.
    """

    choices: Choices
    moves: list[Move]
    then: list[Move | None]
    known: PositionFeatures


@dataclass(frozen=True)
class Judge:
    """The networks, and the evaluation of positions with them."""

    estimate: Estimate
    values: ValueNetwork

    @staticmethod
    def of(weights: Weights) -> Judge:
        """Return the judge with these weights, which may be 16-bit."""
        weights = {name: array.astype(np.float32, copy=False) for name, array in weights.items()}
        return Judge(Estimate.of(weights), ValueNetwork.of(weights))

    def options(self, positions: Sequence[Position]) -> list[list[AdvisedMove]]:
        """Return the options of each position, best first. Of the knocks, only the best one is included.

        No position may be a response to a knock. All positions must have the same rule for aces and the same hand size.
        """
        layout = self.lay_out(positions)
        choices = layout.choices
        probabilities = self.values.probabilities(choices)
        options_by_move: list[dict[Move, AdvisedMove]] = [{} for _ in positions]
        worths = [class_values(position) for position in positions]
        left, goes_out, danger = to_list(np.rint(choices.now).astype(np.int32)), choices.goes_out, choices.danger
        for index, owner in enumerate(to_list(choices.owner)):
            move = layout.moves[index]
            option = AdvisedMove(
                move,
                float(probabilities[index] @ worths[owner]),
                left[index],
                float(goes_out[index]),
                float(danger[index]),
                layout.then[index],
            )
            known_option = options_by_move[owner].get(move)
            if known_option is None or option.worth > known_option.worth:
                options_by_move[owner][move] = option
        for options, position in zip(options_by_move, positions, strict=True):
            if position.phase is Phase.WALL and PASS in position.moves:
                # A pass at the wall makes the deal void, which is worth 0.
                options[PASS] = AdvisedMove(PASS, 0.0, best_arrangement(position.hand, position.rules.aces).deadwood)
        return [sorted(options.values(), key=lambda option: -option.worth) for options in options_by_move]

    def lay_out(self, positions: Sequence[Position]) -> Layout:
        facts = [Facts.of(position) for position in positions]
        known = PositionFeatures.of(facts, self.estimate)
        return _LayoutBuilder(positions, known).build()


class _LayoutBuilder:
    """Builds a `Layout`: collects the choices of several positions, and the moves of these choices."""

    def __init__(self, positions: Sequence[Position], known: PositionFeatures) -> None:
        self._positions, self._known = positions, known
        self._rules = meld_tables(positions[0].rules.aces)
        self._parts = list[Choices]()
        self._moves = list[Move]()
        self._then = list[Move | None]()

    def build(self) -> Layout:
        positions = self._positions
        discarding = [index for index, position in enumerate(positions) if position.phase is Phase.DISCARD]
        taking = [
            index for index, position in enumerate(positions) if TAKE in position.moves and not is_endless(position)
        ]
        for indices, takes in ((discarding, False), (taking, True)):
            if indices:
                self._add_turns(np.array(indices), takes)
        for phase, kind, move in ((Phase.OFFER, Kind.PASS, PASS), (Phase.DRAW, Kind.DRAW, DRAW)):
            waiting = [index for index, position in enumerate(positions) if position.phase is phase]
            if waiting:
                self._add(
                    pass_and_draw_choices(self._known, self._rules, np.array(waiting), kind), [move] * len(waiting)
                )
        return Layout(join(self._parts), self._moves, self._then, self._known)

    def _add(self, choices: Choices, moves: list[Move], then: list[Move | None] | None = None) -> None:
        self._parts.append(choices)
        self._moves += moves
        self._then += then or [None] * len(moves)

    def _add_turns(self, indices: Indices, takes: bool) -> None:
        """Add the possible discards and knocks of some positions, after taking the top discard if `takes` is True."""
        facts = [self._known.facts[place] for place in to_list(indices)]
        masks = [fact.own_cards | 1 << fact.top if takes else fact.own_cards for fact in facts]
        hands = masks_to_hands(masks)
        held = np.nonzero(masks_to_maps(masks))[1].reshape(len(indices), -1)
        size = held.shape[1]
        choices = discard_choices(self._known, self._rules, indices, hands, held)
        may_discard, may_knock = np.zeros_like(held, dtype=bool), np.zeros_like(held, dtype=bool)
        for row, index in enumerate(to_list(indices)):
            discardable, knockable = _allowed(self._positions[index], facts[row], takes)
            may_discard[row] = [bool(discardable >> card & 1) for card in to_list(held[row])]
            may_knock[row] = [bool(knockable >> card & 1) for card in to_list(held[row])]
        is_allowed = may_discard.ravel()
        moves = [discard(CARDS_BY_INDEX[card]) for card in to_list(held.ravel()[is_allowed])]
        allowed = Choices(choices.owner[is_allowed], choices.suits[is_allowed], choices.general[is_allowed])
        self._add(allowed, [TAKE] * len(moves) if takes else moves, [*moves] if takes else None)
        left = np.rint(choices.now).astype(np.int32).reshape(len(indices), size)
        left = np.where(may_knock, left, _TOO_MUCH_DEADWOOD)
        best = left.argmin(1)
        least = left[np.arange(len(indices)), best]
        can_knock = np.flatnonzero(least <= self._known.limits[indices])
        if can_knock.size:
            self._add_knocks(
                indices[can_knock], masks, can_knock, held[can_knock, best[can_knock]], least[can_knock], takes
            )

    def _add_knocks(
        self, indices: Indices, masks: list[int], able: Indices, cards: Indices, left: Ints, takes: bool
    ) -> None:
        remaining = [masks[row] & ~(1 << card) for row, card in zip(to_list(able), to_list(cards), strict=True)]
        fitting = np.stack(
            [self._fitting(mask, deadwood) for mask, deadwood in zip(remaining, to_list(left), strict=True)]
        )
        choices = knock_choices(self._known, indices, masks_to_hands(remaining), left, fitting, self._rules.points)
        moves = [knock(CARDS_BY_INDEX[card]) for card in to_list(cards)]
        self._add(choices, [TAKE] * len(moves) if takes else moves, [*moves] if takes else None)

    def _fitting(self, mask: int, deadwood: int) -> Floats:
        """Return a binary map of the cards that could be laid off on a hand; none after gin."""
        fitting = np.zeros(CARDS, dtype=np.float32)
        rules = self._positions[0].rules
        if deadwood and rules.lay_off:
            hand = Hand.of(cards_of(mask))
            for meld in best_arrangement(hand, rules.aces).melds:
                fitting[[index_of(card) for card in meld.lay_off_cards(rules.aces) if card not in hand]] = 1
        return fitting


def is_endless(position: Position) -> bool:
    """Return True if the deal is so long that players should go out when they can, and draw only from the stock."""
    return len(position.history) >= ENDLESS_MOVES and position.phase is not Phase.WALL


def _allowed(position: Position, facts: Facts, takes: bool) -> tuple[int, int]:
    """Return two masks: the cards that may be discarded, and the cards that may be discarded with a knock."""
    if takes:
        barred = 0 if position.rules.discard_drawn == "free" else 1 << facts.top
        hand = (facts.own_cards | 1 << facts.top) & ~barred
        return (0 if position.phase is Phase.WALL else hand), hand
    masks = {Verb.DISCARD: 0, Verb.KNOCK: 0}
    for move in position.moves:
        if move.card is not None and move.verb in masks:
            masks[move.verb] |= 1 << index_of(move.card)
    return masks[Verb.DISCARD], masks[Verb.KNOCK]


@cache
def trained_judge() -> Judge:
    """Return the judge with the trained weights in `weights.npz`."""
    with files("bot.opponent").joinpath("weights.npz").open("rb") as file:
        return Judge.of(dict(np.load(file)))
