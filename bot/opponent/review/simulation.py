"""Simulation: the value of a position's moves, from rollouts in determinizations of the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Move
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import play, reshuffle
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.choosing import advise, choose
from bot.opponent.play.hand_arrays import Floats, to_list
from bot.opponent.play.judge import Judge
from bot.opponent.play.levels import Level
from bot.opponent.play.observation import position_in
from bot.opponent.play.position import Position
from bot.opponent.review.determinizations import DeterminizationSampler
from bot.opponent.review.reviews import EvaluatedMove
from bot.opponent.review.rewards import reward

MAX_ALTERNATIVES: Final = 3
"""Maximum number of other moves, the judge's favourites, that the played move is compared with."""
_TURN_START_PHASES: Final = (Phase.OFFER, Phase.DRAW)


def evaluate_move(
    judge: Judge, position: Position, played_move: Move, count: int, seed: int
) -> tuple[EvaluatedMove, ...]:
    """Return the rewards of a move and of the best alternatives in `count` determinizations. The move comes first.

    Raise `ValueError` while a knock is being answered.
    """
    advised = advise(judge, position)
    alternatives = [option for option in advised if option.move != played_move][:MAX_ALTERNATIVES]
    played_option = next((option for option in advised if option.move == played_move), AdvisedMove(played_move, 0))
    moves = [played_option, *alternatives]
    rewards = rollouts(judge, position, [move.move for move in moves], count, seed)
    return tuple(EvaluatedMove(move, tuple(row)) for move, row in zip(moves, rewards.tolist(), strict=True))


def rollouts(judge: Judge, position: Position, moves: Sequence[Move], count: int, seed: int) -> Floats:
    """Return a row for each move: the points of the move in each of `count` determinizations.

    The determinizations are the same for all moves. All players continue as experts. The judge values the deal at the
    player's next turn; if the deal ends before that, its points count. Raise `ValueError` while a knock is being
    answered.
    """
    worlds = DeterminizationSampler(judge, position).sample(count, seed)
    deals = [play(world, move) for move in moves for world in worlds]
    seeds = [seed + world for _ in moves for world in range(count)]
    rewards = np.zeros(len(deals), dtype=np.float32)
    active = list(range(len(deals)))
    while active:
        active = _settle_finished(position, deals, active, rewards, seeds)
        seen = {place: _position_of(position, deals[place]) for place in active}
        own_turns = [
            place
            for place, current in seen.items()
            if current.seat == position.seat and current.phase in _TURN_START_PHASES
        ]
        if own_turns:
            judged = judge.options([seen.pop(place) for place in own_turns])
            rewards[own_turns] = [options[0].worth for options in judged]
        active = list(seen)
        chosen = choose(judge, Level.EXPERT, list(seen.values()), [seed] * len(seen))
        for index, move in zip(active, chosen, strict=True):
            deals[index] = play(deals[index], move)
    return rewards.reshape(len(moves), count)


def _settle_finished(
    position: Position, deals: list[Deal], active: list[int], rewards: Floats, seeds: Sequence[int]
) -> list[int]:
    """Score finished deals and reshuffle where needed. Return the indices of the remaining deals."""
    remaining = list[int]()
    for index in active:
        deal = deals[index]
        if deal.outcome is not None:
            rewards[index] = reward(deal.rules, deal.seats, deal.outcome, position.seat)
            continue
        if deal.phase is Phase.RESHUFFLE:
            pile = deal.discards[:-1]
            random = np.random.default_rng((seeds[index], position.number, len(position.history)))
            deals[index] = reshuffle(deal, [pile[drawn] for drawn in to_list(random.permutation(len(pile)))])
        remaining.append(index)
    return remaining


def _position_of(position: Position, deal: Deal) -> Position:
    return position_in(deal, len(position.hand_sizes), position.score, position.past)
