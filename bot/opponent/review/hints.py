"""Hints: the moves in a position by worth, from the same simulations as in a review."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.engine.deals.moves import BIG_GIN, Verb
from bot.engine.deals.phase import Phase
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import advise
from bot.opponent.play.judge import Judge, is_endless
from bot.opponent.play.position import Position
from bot.opponent.review.reviews import DETERMINIZATIONS_PER_ROUND, ROUNDS
from bot.opponent.review.simulation import evaluate_move


def hint(judge: Judge, position: Position, seed: int) -> list[AdvisedMove]:
    """Return the recommended moves in a position, best first.

    The judge's favourites are compared by simulation, exactly as in a review with the same seed, so that a review finds
    no better move than the first one. The others follow in the judge's order. If no judgement is needed, return only
    the move to make, with a worth of 0.
    """
    advised = advise(judge, position)
    best = advised[0]
    is_gin = best.move == BIG_GIN or (best.move.verb is Verb.KNOCK and best.deadwood == 0)
    if len(advised) == 1 or is_gin or position.phase is Phase.LAY_OFF or is_endless(position):
        return advised
    rounds = [
        evaluate_move(judge, position, best.move, DETERMINIZATIONS_PER_ROUND, seed + number) for number in range(ROUNDS)
    ]
    worths = {
        evaluated.advised.move: float(np.mean([of_round[place].rewards for of_round in rounds]))
        for place, evaluated in enumerate(rounds[0])
    }
    simulated = [replace(option, worth=worths[option.move]) for option in advised if option.move in worths]
    others = [option for option in advised if option.move not in worths]
    return [*sorted(simulated, key=lambda option: -option.worth), *others]
