"""The choice of a move by a level of the computer player."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.engine.moves import BIG_GIN, Move, Verb
from bot.engine.views import Phase
from bot.opponent.advice import Advised
from bot.opponent.judge import Judge, is_endless
from bot.opponent.levels import MISJUDGED, Level
from bot.opponent.position import Position
from bot.opponent.responses import respond


def choose(judge: Judge, level: Level, positions: Sequence[Position], seeds: Sequence[int]) -> list[Move]:
    """Return the moves of a level in several positions, each with its seed.

    A position and seed always get the same move if they are judged alone.
    """
    moves: list[Move | None] = [_move_without_judgement(position) for position in positions]
    open_ = [place for place, move in enumerate(moves) if move is None]
    if open_:
        judged = judge.options([positions[place] for place in open_])
        for place, options in zip(open_, judged, strict=True):
            moves[place] = _pick(positions[place], options, MISJUDGED[level], seeds[place])
    return [move for move in moves if move is not None]


def advise(judge: Judge, position: Position) -> list[Advised]:
    """Return the recommended moves in a position, best first.

    If there is nothing to judge, return the only move, with a worth of 0.
    """
    only = _move_without_judgement(position)
    if only is not None:
        return [Advised(only, 0)]
    (options,) = judge.options([position])
    best = _pick(position, options, 0, 0)
    return sorted(options, key=lambda option: (option.move is not best, -option.worth))


def _move_without_judgement(position: Position) -> Move | None:
    """Return the move of a position that needs no judgement, or None."""
    if position.phase is Phase.LAY_OFF:
        return respond(position)
    if BIG_GIN in position.moves:
        return BIG_GIN
    return position.moves[0] if len(position.moves) == 1 else None


def _pick(position: Position, options: Sequence[Advised], misjudged: float, seed: int) -> Move:
    """Return gin if possible; in an endless deal, any knock; otherwise the option with the best noisy worth."""
    endless = is_endless(position)
    for option in options:
        if option.move.verb is Verb.KNOCK and (option.left == 0 or endless):
            return option.move
    if endless or not misjudged:
        return options[0].move
    random = np.random.default_rng((seed, position.number, len(position.history), position.seat))
    worth = [option.worth + misjudged * random.gumbel() for option in options]
    return options[int(np.argmax(worth))].move
