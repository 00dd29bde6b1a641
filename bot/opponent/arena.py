"""Paired matches between two players, with the same decks and swapped seats, and their results."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from bot.child_processes import process_pool
from bot.engine.moves import Move, Seat
from bot.engine.rules import Rules
from bot.opponent.choosing import choose
from bot.opponent.judge import trained
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.table import Table
from bot.opponent.yardsticks import YARDSTICKS

AT_ONCE: Final = 128
"""Number of pairs played simultaneously, so that networks judge many positions together."""

Contender = Callable[[Sequence[Position], Sequence[int]], list[Move]]
"""A player: a function that returns the moves in several positions, given a seed for each."""


@dataclass(frozen=True)
class Pair:
    """Two matches with the same decks, from the first player's point of view.

    `won` is the number of matches won, with half for a draw. `points` and `deals` are sums over both.
    """

    won: float
    points: int
    deals: int


@dataclass(frozen=True)
class Result:
    """The first player's results, each with half the width of its 95 % confidence interval over pairs.

    `share` is the fraction of matches won, `points` the points per deal. `seconds` is the processor time per decision
    of either player.
    """

    pairs: int
    share: float
    share_error: float
    points: float
    points_error: float
    seconds: float


def contender(name: str) -> Contender:
    """Return a level or baseline by its name. Raise `ValueError` for any other name."""
    plain = YARDSTICKS.get(name)
    if plain is not None:
        return lambda positions, seeds: [
            plain(position, Random(f"{seed}/{position.number}/{len(position.history)}/{position.seat}"))
            for position, seed in zip(positions, seeds, strict=True)
        ]
    return partial(choose, trained(), Level(name))


def compare(first: str, second: str, rules: Rules, pairs: int, jobs: int, seed: str) -> Result:
    """Play pairs of duels between two players in several processes, and return the first player's result.

    Raise `ValueError` for fewer than one pair or process.
    """
    if pairs < 1 or jobs < 1:
        raise ValueError("an arena needs at least one pair of matches and one process")
    begun = time.process_time()
    shares = [range(start, min(start + AT_ONCE, pairs)) for start in range(0, pairs, AT_ONCE)]
    work = partial(play_pairs, first, second, rules, seed)
    if jobs == 1:
        done = [work(share) for share in shares]
    else:
        with process_pool(jobs) as pool:
            done = list(pool.map(work, shares))
    played = [pair for part, _ in done for pair in part]
    decisions = sum(count for _, count in done)
    share, share_error = _mean([pair.won / 2 for pair in played])
    points, points_error = _mean([pair.points / pair.deals for pair in played])
    spent = time.process_time() - begun if jobs == 1 else math.nan
    return Result(pairs, share, share_error, points, points_error, spent / max(decisions, 1))


def play_pairs(first: str, second: str, rules: Rules, seed: str, numbers: range) -> tuple[list[Pair], int]:
    """Play some pairs, and return them with the number of decisions."""
    players = contender(first), contender(second)
    tables = [Table(rules, 2, f"{seed}/{number}") for number in numbers for _ in range(2)]
    decisions = 0
    running = list(range(len(tables)))
    while running:
        for which, player in enumerate(players):
            # The seats are swapped in the second match of a pair.
            asked = [place for place in running if tables[place].to_act == (Seat(which ^ place & 1),)]
            if asked:
                positions = [tables[place].position(tables[place].to_act[0]) for place in asked]
                seeds = [numbers[place // 2] for place in asked]
                for place, move in zip(asked, player(positions, seeds), strict=True):
                    tables[place].play(tables[place].to_act[0], move)
                decisions += len(asked)
        running = [place for place in running if tables[place].to_act]
    return [_pair(*tables[place : place + 2]) for place in range(0, len(tables), 2)], decisions


def _pair(first: Table, second: Table) -> Pair:
    won, points = 0.0, 0
    sign = -1 if first.match.rules.format == "penalty" else 1  # the fewest points win
    for seat, table in enumerate((first, second)):
        score = table.match.score
        won += 0.5 if score.winner is None else score.winner == seat
        points += sign * (score.scores[seat] - score.scores[1 - seat])
    return Pair(won, points, len(first.past) + len(second.past))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half the width of its 95 % confidence interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    return mean, 1.96 * math.sqrt(variance / len(values))
