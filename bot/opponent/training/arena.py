"""Paired matches between two players, with the same decks and swapped seats, and their results."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from bot.child_processes import process_pool
from bot.engine.deals.moves import Move, Seat
from bot.engine.rules import Rules
from bot.opponent.play.choosing import choose
from bot.opponent.play.judge import trained_judge
from bot.opponent.play.levels import Level
from bot.opponent.play.position import Position
from bot.opponent.play.table import Table
from bot.opponent.training.baselines import BASELINES

HELP: Final = "play pairs of matches between two players, and print the results"
BATCH_SIZE: Final = 128
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
    """The first player's results. `win_rate` is the fraction of matches won.

    `win_rate_error` and `points_error` are half the width of the 95 % confidence interval, computed from the pairs of
    matches. `seconds_per_decision` is the processor time divided by the number of decisions of both players.
    """

    pairs: int
    win_rate: float
    win_rate_error: float
    points_per_deal: float
    points_error: float
    seconds_per_decision: float


def contender(name: str) -> Contender:
    """Return a level or baseline by its name. Raise `ValueError` for any other name."""
    baseline = BASELINES.get(name)
    if baseline is not None:
        return lambda positions, seeds: [
            baseline(position, Random(f"{seed}/{position.number}/{len(position.history)}/{position.seat}"))
            for position, seed in zip(positions, seeds, strict=True)
        ]
    return partial(choose, trained_judge(), Level(name))


def compare(first: str, second: str, rules: Rules, pairs: int, jobs: int, seed: str) -> Result:
    """Play pairs of duels between two players in several processes, and return the first player's result.

    Raise `ValueError` for fewer than one pair or process.
    """
    if pairs < 1 or jobs < 1:
        raise ValueError("an arena needs at least one pair of matches and one process")
    started_at = time.process_time()
    batches = [range(start, min(start + BATCH_SIZE, pairs)) for start in range(0, pairs, BATCH_SIZE)]
    play_batch = partial(play_pairs, first, second, rules, seed)
    if jobs == 1:
        results = [play_batch(share) for share in batches]
    else:
        with process_pool(jobs) as pool:
            results = list(pool.map(play_batch, batches))
    played_pairs = [pair for part, _ in results for pair in part]
    decisions = sum(count for _, count in results)
    win_rate, win_rate_error = _mean_with_error([pair.won / 2 for pair in played_pairs])
    points, points_error = _mean_with_error([pair.points / pair.deals for pair in played_pairs])
    cpu_time = time.process_time() - started_at if jobs == 1 else math.nan
    return Result(pairs, win_rate, win_rate_error, points, points_error, cpu_time / max(decisions, 1))


def play_pairs(first: str, second: str, rules: Rules, seed: str, numbers: range) -> tuple[list[Pair], int]:
    """Play the pairs of matches with these numbers. Return the pairs, and the number of decisions made in them."""
    players = contender(first), contender(second)
    tables = [Table(rules, 2, f"{seed}/{number}") for number in numbers for _ in range(2)]
    decisions = 0
    active = list(range(len(tables)))
    while active:
        for player_index, player in enumerate(players):
            # The seats are swapped in the second match of a pair.
            waiting = [place for place in active if tables[place].to_act == (Seat(player_index ^ place & 1),)]
            if waiting:
                positions = [tables[place].position(tables[place].to_act[0]) for place in waiting]
                seeds = [numbers[place // 2] for place in waiting]
                for index, move in zip(waiting, player(positions, seeds), strict=True):
                    tables[index].play(tables[index].to_act[0], move)
                decisions += len(waiting)
        active = [place for place in active if tables[place].to_act]
    return [_pair(*tables[place : place + 2]) for place in range(0, len(tables), 2)], decisions


def _pair(first: Table, second: Table) -> Pair:
    won, points = 0.0, 0
    sign = -1 if first.match.rules.format == "penalty" else 1  # With penalty points, the fewest points win.
    for seat, table in enumerate((first, second)):
        score = table.match.score
        won += 0.5 if score.winner is None else score.winner == seat
        points += sign * (score.scores[seat] - score.scores[1 - seat])
    return Pair(won, points, len(first.past) + len(second.past))


def _mean_with_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half the width of its 95 % confidence interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command `arena`."""
    players = [*Level, *BASELINES]
    parser.add_argument("first", choices=players)
    parser.add_argument("second", choices=players)
    parser.add_argument("--pairs", type=int, default=100, help="number of pairs of matches with the same decks")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--rules", default="research", help="the rules, in notation")
    parser.add_argument("--seed", default="arena", help="seed for shuffling the cards")


def run(options: argparse.Namespace) -> str:
    """Play the matches of the command `arena`, and return the results as text."""
    result = compare(
        options.first, options.second, Rules.parse(options.rules), options.pairs, options.jobs, options.seed
    )
    lines = [
        f"{options.first} against {options.second}: {result.pairs} pairs of matches, 95 % intervals",
        f"matches won: {100 * result.win_rate:.1f} ± {100 * result.win_rate_error:.1f} %",
        f"points a deal: {result.points_per_deal:.2f} ± {result.points_error:.2f}",
        f"processor time a decision: {1000 * result.seconds_per_decision:.2f} ms, with many positions judged together",
    ]
    return "\n".join(lines[: None if options.jobs == 1 else -1])
