"""Train the networks by self-play and matches against the baselines, on the engine.

    python -m bot.opponent.training --deals 1000000 --jobs 2 --seed 1 weights.npz

In each round, processes play matches with the current networks, and the networks then learn from all of these matches.
The same arguments give the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bot.child_processes import process_pool
from bot.opponent.play.network import Weights
from bot.opponent.training.learner import BATCH, Learner, ReplayBuffer, new_weights
from bot.opponent.training.training_matches import Examples, SelfPlay

DEALS_PER_ROUND: Final = 3000
"""Number of deals that each process plays in a round, with the same networks."""
BASELINE_DEALS: Final = 20_000
"""Number of initial deals between baseline players. Untrained networks would rarely finish a deal."""
LEARNING_RATES: Final = (1e-3, 1e-4)
"""The learning rates at the beginning and at the end."""
EXPLORATION_NOISE: Final = (1.0, 0.05)
"""The exploration noise at the beginning and at the end, in points."""
REPLAY_BUFFER_SIZE: Final = 800_000
"""Number of choices in the replay buffer."""
PASSES_PER_EXAMPLE: Final = 4
"""Average number of times that each choice is learnt from."""


@dataclass(frozen=True)
class Plan:
    """The size of a training run: the total number of deals, the number already played, and the number of processes."""

    deals: int
    deals_played: int
    jobs: int
    seed: int

    def interpolate(self, ends: tuple[float, float], played: int) -> float:
        """Interpolate geometrically between two numbers, given the number of deals played so far."""
        return ends[0] * (ends[1] / ends[0]) ** min(played / self.deals, 1)


def _play(
    weights: Weights, opponents: Sequence[tuple[str, str]], exploration_noise: float, deals: int, seed: str
) -> Examples:
    return SelfPlay(weights, seed, opponents, exploration_noise).examples(deals)


def train(weights: Weights, plan: Plan) -> Iterator[tuple[Weights, str]]:
    """Train networks, and yield the weights after each round, with a progress line.

    While the networks learn from a round, the next round is already played with the previous weights.
    """
    learner, replay_buffer, random = (
        Learner(weights),
        ReplayBuffer(REPLAY_BUFFER_SIZE),
        np.random.default_rng(plan.seed),
    )
    deals_played, started_at, round_number = plan.deals_played, time.monotonic(), 0
    with process_pool(plan.jobs) as pool:

        def start_round(number: int, played: int) -> list[Future[Examples]]:
            opponents = BASELINE_PAIRS if played < BASELINE_DEALS else PLAYER_PAIRS
            exploration_noise = plan.interpolate(EXPLORATION_NOISE, played)
            seeds = [f"{plan.seed}/{plan.deals_played}/{number}/{job}" for job in range(plan.jobs)]
            # Copy the weights: learning changes them in place, perhaps before the pool has sent them.
            weights = {name: array.copy() for name, array in learner.average_weights.items()}
            return [pool.submit(_play, weights, opponents, exploration_noise, DEALS_PER_ROUND, seed) for seed in seeds]

        running = start_round(0, deals_played)
        while running:
            examples = [future.result() for future in running]
            round_number += 1
            new_deals = sum(lessons.deals for lessons in examples)
            deals_played += new_deals
            # Start the next round now, so that it is played during the learning.
            running = start_round(round_number, deals_played) if deals_played < plan.deals else []
            for lessons in examples:
                replay_buffer.add(lessons)
            rate = plan.interpolate(LEARNING_RATES, deals_played)
            batches = PASSES_PER_EXAMPLE * sum(len(lessons.suits) for lessons in examples) // BATCH
            loss = learner.learn_values(replay_buffer, max(batches, 1), rate, random)
            estimate_loss = np.mean([learner.learn_estimate(lessons, rate, random) for lessons in examples])
            gins, moves = (
                sum(getattr(lessons, name) for lessons in examples) / new_deals for name in ("gins", "moves")
            )
            yield (
                learner.average_weights,
                f"{deals_played} deals, {time.monotonic() - started_at:.0f} s, losses {loss:.4f} {estimate_loss:.4f}, "
                f"{gins:.2f} gin, {moves:.1f} moves",
            )


BASELINE_PAIRS: Final = (("simple", "simple"),)
PLAYER_PAIRS: Final = (*[("self", "self")] * 5, *[("self", "simple")] * 3, ("self", "patient"))
"""The pairs of players for training matches. Each match gets a random pair.

A pair that is listed several times is played more often.
"""


def save(weights: Weights, file: Path) -> None:
    """Write weights as 16-bit numbers. An existing file is replaced atomically."""
    temporary_file = file.with_suffix(".part.npz")
    np.savez_compressed(
        temporary_file, allow_pickle=False, **{name: array.astype(np.float16) for name, array in weights.items()}
    )
    temporary_file.replace(file)


def load(file: Path) -> Weights:
    """Return weights written by `save`."""
    return {name: array.astype(np.float32) for name, array in np.load(file).items()}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m bot.opponent.training", description=__doc__)
    parser.add_argument("file", type=Path, help="file for the trained weights")
    parser.add_argument("--deals", type=int, default=1_000_000, help="total number of deals, including --played")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", type=Path, help="file with trained weights to continue from")
    parser.add_argument("--played", type=int, default=0, help="number of deals that trained the weights of --go-on")
    options = parser.parse_args()
    first = new_weights(options.seed) if options.go_on is None else load(options.go_on)
    for weights, line in train(first, Plan(options.deals, options.played, options.jobs, options.seed)):
        save(weights, options.file)
        print(line, flush=True)
