"""Simulation: the value of a position's moves, from rollouts in determinizations of the position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from bot.engine.deal import Deal
from bot.engine.moves import Move
from bot.engine.phases import play, reshuffle
from bot.engine.views import Phase
from bot.opponent.advice import Advised
from bot.opponent.choosing import advise, choose
from bot.opponent.gains import gain
from bot.opponent.judge import Judge
from bot.opponent.levels import Level
from bot.opponent.many_hands import Floats, listed
from bot.opponent.position import Position
from bot.opponent.reviews import Weighed
from bot.opponent.seeing import position_in
from bot.opponent.worlds import Worlds

CONSIDERED: Final = 3
"""Number of alternatives, best first by the judge, that the played move is compared with."""
_BEGIN_TURN: Final = (Phase.OFFER, Phase.DRAW)


def weigh(
    judge: Judge, position: Position, played: Move, count: int, seed: int, pause: Callable[[], None] = lambda: None
) -> tuple[Weighed, ...]:
    """Return the values of a move and of the best alternatives in `count` determinizations. The move comes first.

    `pause` is called every few milliseconds. Raise `ValueError` while a knock is being answered.
    """
    advised = advise(judge, position)
    others = [one for one in advised if one.move != played][:CONSIDERED]
    mine = next((one for one in advised if one.move == played), Advised(played, 0))
    moves = [mine, *others]
    worths = simulate(judge, position, [one.move for one in moves], count, seed, pause)
    return tuple(Weighed(one, tuple(row)) for one, row in zip(moves, worths.tolist(), strict=True))


def simulate(
    judge: Judge,
    position: Position,
    moves: Sequence[Move],
    count: int,
    seed: int,
    pause: Callable[[], None] = lambda: None,
) -> Floats:
    """Return the points of each move in `count` determinizations, the same ones for all moves: a row for each move.

    All players continue as experts. The judge values the deal at the player's next turn; if the deal ends before that,
    its points count. `pause` is called before each move. Raise `ValueError` while a knock is being answered.
    """
    worlds = Worlds(judge, position).draw(count, seed)
    deals = [play(world, move) for move in moves for world in worlds]
    seeds = [seed + world for _ in moves for world in range(count)]
    worths = np.zeros(len(deals), dtype=np.float32)
    going = list(range(len(deals)))
    while going:
        pause()
        going = _settled(position, deals, going, worths, seeds)
        seen = {place: _seen(position, deals[place]) for place in going}
        mine = [place for place, one in seen.items() if one.seat == position.seat and one.phase in _BEGIN_TURN]
        if mine:
            judged = judge.options([seen.pop(place) for place in mine])
            worths[mine] = [options[0].worth for options in judged]
        going = list(seen)
        chosen = choose(judge, Level.EXPERT, list(seen.values()), [seed] * len(seen))
        for place, move in zip(going, chosen, strict=True):
            deals[place] = play(deals[place], move)
    return worths.reshape(len(moves), count)


def _settled(
    position: Position, deals: list[Deal], going: list[int], worths: Floats, seeds: Sequence[int]
) -> list[int]:
    """Score finished deals and reshuffle where needed. Return the indices of the remaining deals."""
    left = list[int]()
    for place in going:
        deal = deals[place]
        if deal.outcome is not None:
            worths[place] = gain(deal.rules, deal.seats, deal.outcome, position.seat)
            continue
        if deal.phase is Phase.RESHUFFLE:
            pile = deal.discards[:-1]
            random = np.random.default_rng((seeds[place], position.number, len(position.history)))
            deals[place] = reshuffle(deal, [pile[one] for one in listed(random.permutation(len(pile)))])
        left.append(place)
    return left


def _seen(position: Position, deal: Deal) -> Position:
    return position_in(deal, len(position.hand_sizes), position.score, position.past)
