"""The judge: the networks' evaluation of each move, for many positions together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from bot.engine.cards import Hand
from bot.engine.melds import best_arrangement
from bot.engine.moves import DRAW, PASS, TAKE, Move, Verb, discard, knock
from bot.engine.views import Phase
from bot.opponent.advice import Advised
from bot.opponent.estimate import Estimate
from bot.opponent.facts import Facts
from bot.opponent.features import Choices, Kind, Known, discards, join, knocks, waits
from bot.opponent.many_hands import (
    CARD_AT,
    CARDS,
    Floats,
    Ints,
    Places,
    cards_of,
    listed,
    melding,
    place_of,
    rows,
    spread,
)
from bot.opponent.network import Weights
from bot.opponent.outcomes import worth
from bot.opponent.position import Position
from bot.opponent.values import Values

ENDLESS: Final = 120
"""Number of moves after which a deal is treated as endless: players might take from the discard pile forever or, if the
stock is reshuffled, draw forever, each holding cards that another player needs."""
_NEVER: Final = 10_000


@dataclass(frozen=True)
class Layout:
    """The choices of several positions, and the moves they stand for. `then` is the second move, if there is one.

    Taking a card has a choice for each discard after it, and one for knocking.
    """

    choices: Choices
    moves: list[Move]
    then: list[Move | None]
    known: Known


@dataclass(frozen=True)
class Judge:
    """The networks, and the evaluation of positions with them."""

    estimate: Estimate
    values: Values

    @staticmethod
    def of(weights: Weights) -> Judge:
        """Return the judge with these weights, which may be 16-bit."""
        weights = {name: one.astype(np.float32, copy=False) for name, one in weights.items()}
        return Judge(Estimate.of(weights), Values.of(weights))

    def options(self, positions: Sequence[Position]) -> list[list[Advised]]:
        """Return the options of positions at a discard, draw or take, best first. Only the best knock is included.

        All positions must have the same rule for aces and the same hand size.
        """
        layout = self.lay_out(positions)
        choices = layout.choices
        chances = self.values.chances(choices)
        found: list[dict[Move, Advised]] = [{} for _ in positions]
        worths = [worth(position) for position in positions]
        left, goes_out, danger = listed(np.rint(choices.now).astype(np.int32)), choices.goes_out, choices.danger
        for place, owner in enumerate(listed(choices.owner)):
            move = layout.moves[place]
            option = Advised(
                move,
                float(chances[place] @ worths[owner]),
                left[place],
                float(goes_out[place]),
                float(danger[place]),
                layout.then[place],
            )
            known = found[owner].get(move)
            if known is None or option.worth > known.worth:
                found[owner][move] = option
        for options, position in zip(found, positions, strict=True):
            if position.phase is Phase.WALL and PASS in position.moves:
                # A pass at the wall makes the deal void.
                options[PASS] = Advised(PASS, 0.0, best_arrangement(position.hand, position.rules.aces).deadwood)
        return [sorted(options.values(), key=lambda one: -one.worth) for options in found]

    def lay_out(self, positions: Sequence[Position]) -> Layout:
        facts = [Facts.of(position) for position in positions]
        known = Known.of(facts, self.estimate)
        return _LayingOut(positions, known).layout()


class _LayingOut:
    """Builds the layout of some positions."""

    def __init__(self, positions: Sequence[Position], known: Known) -> None:
        self._positions, self._known = positions, known
        self._rules = melding(positions[0].rules.aces)
        self._parts = list[Choices]()
        self._moves = list[Move]()
        self._then = list[Move | None]()

    def layout(self) -> Layout:
        positions = self._positions
        discarding = [place for place, one in enumerate(positions) if one.phase is Phase.DISCARD]
        taking = [place for place, one in enumerate(positions) if TAKE in one.moves and not is_endless(one)]
        for which, takes in ((discarding, False), (taking, True)):
            if which:
                self._add_turns(np.array(which), takes)
        for phase, kind, move in ((Phase.OFFER, Kind.PASS, PASS), (Phase.DRAW, Kind.DRAW, DRAW)):
            waiting = [place for place, one in enumerate(positions) if one.phase is phase]
            if waiting:
                self._add(waits(self._known, self._rules, np.array(waiting), kind), [move] * len(waiting))
        return Layout(join(self._parts), self._moves, self._then, self._known)

    def _add(self, choices: Choices, moves: list[Move], then: list[Move | None] | None = None) -> None:
        self._parts.append(choices)
        self._moves += moves
        self._then += then or [None] * len(moves)

    def _add_turns(self, which: Places, takes: bool) -> None:
        """Add the discards and knocks of positions, in the current turn or, if `takes`, after taking the top card."""
        facts = [self._known.facts[place] for place in listed(which)]
        masks = [one.mine | 1 << one.top if takes else one.mine for one in facts]
        hands = rows(masks)
        held = np.nonzero(spread(masks))[1].reshape(len(which), -1)
        size = held.shape[1]
        choices = discards(self._known, self._rules, which, hands, held)
        may_discard, may_knock = np.zeros_like(held, dtype=bool), np.zeros_like(held, dtype=bool)
        for row, place in enumerate(listed(which)):
            discardable, knockable = _allowed(self._positions[place], facts[row], takes)
            may_discard[row] = [bool(discardable >> card & 1) for card in listed(held[row])]
            may_knock[row] = [bool(knockable >> card & 1) for card in listed(held[row])]
        flat = may_discard.ravel()
        made = [discard(CARD_AT[card]) for card in listed(held.ravel()[flat])]
        kept = Choices(choices.owner[flat], choices.suits[flat], choices.general[flat])
        self._add(kept, [TAKE] * len(made) if takes else made, [*made] if takes else None)
        left = np.rint(choices.now).astype(np.int32).reshape(len(which), size)
        left = np.where(may_knock, left, _NEVER)
        best = left.argmin(1)
        least = left[np.arange(len(which)), best]
        able = np.flatnonzero(least <= self._known.limits[which])
        if able.size:
            self._add_knocks(which[able], masks, able, held[able, best[able]], least[able], takes)

    def _add_knocks(
        self, which: Places, masks: list[int], able: Places, cards: Places, left: Ints, takes: bool
    ) -> None:
        kept = [masks[row] & ~(1 << card) for row, card in zip(listed(able), listed(cards), strict=True)]
        fitting = np.stack([self._fitting(mask, deadwood) for mask, deadwood in zip(kept, listed(left), strict=True)])
        choices = knocks(self._known, which, rows(kept), left, fitting, self._rules.points)
        made = [knock(CARD_AT[card]) for card in listed(cards)]
        self._add(choices, [TAKE] * len(made) if takes else made, [*made] if takes else None)

    def _fitting(self, mask: int, deadwood: int) -> Floats:
        """Return a row of the cards that could be laid off on a hand; none after gin."""
        fitting = np.zeros(CARDS, dtype=np.float32)
        rules = self._positions[0].rules
        if deadwood and rules.lay_off:
            hand = Hand.of(cards_of(mask))
            for meld in best_arrangement(hand, rules.aces).melds:
                fitting[[place_of(card) for card in meld.takes(rules.aces) if card not in hand]] = 1
        return fitting


def is_endless(position: Position) -> bool:
    """Return True if the deal is so long that players should go out when they can, and draw only from the stock."""
    return len(position.history) >= ENDLESS and position.phase is not Phase.WALL


def _allowed(position: Position, facts: Facts, takes: bool) -> tuple[int, int]:
    """Return masks of the cards that may be discarded and of the cards to knock with."""
    if takes:
        barred = 0 if position.rules.discard_drawn == "free" else 1 << facts.top
        hand = (facts.mine | 1 << facts.top) & ~barred
        return (0 if position.phase is Phase.WALL else hand), hand
    masks = {Verb.DISCARD: 0, Verb.KNOCK: 0}
    for move in position.moves:
        if move.card is not None and move.verb in masks:
            masks[move.verb] |= 1 << place_of(move.card)
    return masks[Verb.DISCARD], masks[Verb.KNOCK]


@cache
def trained() -> Judge:
    """Return the judge with the weights of this project."""
    with files("bot.opponent").joinpath("weights.npz").open("rb") as opened:
        return Judge.of(dict(np.load(opened)))
