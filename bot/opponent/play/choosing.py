"""The choice of the computer player's moves, at each of its levels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.engine.deals.moves import BIG_GIN, Move, Verb
from bot.engine.deals.phase import Phase
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.judge import Judge, is_endless
from bot.opponent.play.levels import LEVEL_NOISE, Level
from bot.opponent.play.position import Position
from bot.opponent.play.responses import respond


def choose(judge: Judge, level: Level, positions: Sequence[Position], seeds: Sequence[int]) -> list[Move]:
    """Return the moves that the computer player chooses at a level in several positions, given a seed for each.

    In a call with a single position, the same position and seed always give the same move.
    """
    moves: list[Move | None] = [_forced_move(position) for position in positions]
    to_judge = [place for place, move in enumerate(moves) if move is None]
    if to_judge:
        judged = judge.options([positions[place] for place in to_judge])
        for index, options in zip(to_judge, judged, strict=True):
            moves[index] = _pick_option(positions[index], options, LEVEL_NOISE[level], seeds[index])
    return [move for move in moves if move is not None]


def advise(judge: Judge, position: Position) -> list[AdvisedMove]:
    """Return the recommended moves in a position, best first.

    If no judgement is needed, return only the move to make, with a worth of 0.
    """
    only_move = _forced_move(position)
    if only_move is not None:
        return [AdvisedMove(only_move, 0)]
    (options,) = judge.options([position])
    best = _pick_option(position, options, 0, 0)
    return sorted(options, key=lambda option: (option.move is not best, -option.worth))


def _forced_move(position: Position) -> Move | None:
    """Return the move to make if a position needs no judgement, else None."""
    if position.phase is Phase.LAY_OFF:
        return respond(position)
    if BIG_GIN in position.moves:
        return BIG_GIN
    return position.moves[0] if len(position.moves) == 1 else None


def _pick_option(position: Position, options: Sequence[AdvisedMove], noise: float, seed: int) -> Move:
    """Return gin if possible; in an endless deal, any knock; otherwise the option with the best noisy worth."""
    endless = is_endless(position)
    for option in options:
        if option.move.verb is Verb.KNOCK and (option.deadwood == 0 or endless):
            return option.move
    if endless or not noise:
        return options[0].move
    random = np.random.default_rng((seed, position.number, len(position.history), position.seat))
    noisy_worths = [option.worth + noise * random.gumbel() for option in options]
    return options[int(np.argmax(noisy_worths))].move
