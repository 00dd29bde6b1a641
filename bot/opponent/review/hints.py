"""Hints: the moves in a position by worth, from the same simulations as in a review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bot.engine.deals.moves import BIG_GIN, TAKE, Move, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import play
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import advise
from bot.opponent.play.judge import Judge, is_endless
from bot.opponent.play.observation import position_in
from bot.opponent.play.position import Position
from bot.opponent.review.determinizations import DeterminizationSampler
from bot.opponent.review.reviews import (
    DETERMINIZATIONS_PER_ROUND,
    MAX_ROUNDS_PER_CHOICE,
    ROUNDS,
    ChoiceEvaluation,
    EvaluatedMove,
)
from bot.opponent.review.simulation import evaluate_move


def hint(judge: Judge, position: Position, seed: int) -> list[AdvisedMove]:
    """Return the recommended moves in a position, best first.

    The judge's favourites are compared by simulation, exactly as in a review with the same seed, so that a review does
    not count the first one as a loss. Of discards that a review cannot tell apart, the first is one that leaves the
    least deadwood. The others follow, first the simulated moves, then the rest in the judge's order. The move after
    taking a card is the one that the next hint recommends. If no judgement is needed, return only the move to make,
    with a worth of 0.
    """
    advised = advise(judge, position)
    best = advised[0]
    is_gin = best.move == BIG_GIN or (best.move.verb is Verb.KNOCK and best.is_gin)
    if len(advised) == 1 or is_gin or position.phase is Phase.LAY_OFF or is_endless(position):
        return advised
    simulation = _Simulation(judge, position, best.move, seed)
    options = simulation.ranked(advised)
    if options[0].move.verb is Verb.DISCARD and all(option.move.verb is Verb.DISCARD for option in options):
        options = _lowest_first(simulation, options)
    return [_with_plan(judge, position, option, seed) if option.move == TAKE else option for option in options]


class _Simulation:
    """The simulation of a move and of the judge's favourites, round by round."""

    def __init__(self, judge: Judge, position: Position, move: Move, seed: int) -> None:
        self.judge, self.position, self.seed = judge, position, seed
        self._move = move
        self._rounds = list[Sequence[EvaluatedMove]]()

    def ranked(self, options: Sequence[AdvisedMove]) -> list[AdvisedMove]:
        """Return the options with their simulated worths, best first. Those without a simulation come last."""
        rounds = [self._round(number) for number in range(ROUNDS)]
        worths = {
            evaluated.advised.move: float(np.mean([of_round[place].rewards for of_round in rounds]))
            for place, evaluated in enumerate(rounds[0])
        }
        simulated = [replace(option, worth=worths[option.move]) for option in options if option.move in worths]
        others = [option for option in options if option.move not in worths]
        return [*sorted(simulated, key=lambda option: -option.worth), *others]

    def has(self, move: Move) -> bool:
        return any(evaluated.advised.move == move for evaluated in self._round(0))

    def costs_nothing(self, move: Move) -> bool:
        """Return True if a review would not count a move as a loss, however many rounds it has time for."""
        evaluation = ChoiceEvaluation(0, move)
        for number in range(MAX_ROUNDS_PER_CHOICE):
            evaluation.add(self._round(number))
            if evaluation.verdict.points_lost:
                return False
            if not evaluation.needs_round(is_due=number + 1 < ROUNDS):
                break
        return True

    def _round(self, number: int) -> Sequence[EvaluatedMove]:
        while number >= len(self._rounds):
            seed = self.seed + len(self._rounds)
            self._rounds.append(evaluate_move(self.judge, self.position, self._move, DETERMINIZATIONS_PER_ROUND, seed))
        return self._rounds[number]


def _lowest_first(simulation: _Simulation, options: list[AdvisedMove]) -> list[AdvisedMove]:
    """Move the discard to the front that leaves the least deadwood of those that cost nothing compared with the best.

    Only simulated discards, and the judge's favourite of those that leave the least of all, are considered.
    """
    best = options[0]
    least = min(options, key=lambda option: option.deadwood)
    candidates = [option for option in options if option is least or simulation.has(option.move)]
    for option in sorted(candidates, key=lambda option: option.deadwood):
        if option.deadwood >= best.deadwood:
            break
        own = simulation
        if not simulation.has(option.move):
            own = _Simulation(simulation.judge, simulation.position, option.move, simulation.seed)
        if own.costs_nothing(option.move):
            (chosen,) = own.ranked([option])
            return [chosen, *(other for other in options if other is not option)]
    return options


def _with_plan(judge: Judge, position: Position, take: AdvisedMove, seed: int) -> AdvisedMove:
    """Return the option to take a card, followed by the discard or knock that a hint recommends after it."""
    (world,) = DeterminizationSampler(judge, position).sample(1, seed)
    after = position_in(play(world, TAKE), len(position.hand_sizes), position.score, position.past)
    plan = hint(judge, after, seed)[0]
    return replace(take, deadwood=plan.deadwood, goes_out=plan.goes_out, danger=plan.danger, then=plan.move)
