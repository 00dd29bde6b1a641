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
from bot.opponent.learner import BATCH, Learner, Memory, new_weights
from bot.opponent.network import Weights
from bot.opponent.school import Lessons, School

DEALS: Final = 3000
"""Number of deals that a process plays with the same networks."""
FIRST_DEALS: Final = 20_000
"""Number of initial deals between baseline players. Untrained networks would rarely finish a deal."""
RATES: Final = (1e-3, 1e-4)
"""The learning rates at the beginning and at the end."""
CURIOSITY: Final = (1.0, 0.05)
"""The exploration noise at the beginning and at the end, in points."""
MEMORY: Final = 800_000
"""Number of choices in the replay buffer."""
PASSES: Final = 4
"""Average number of times that each choice is learnt from."""


@dataclass(frozen=True)
class Plan:
    """The extent of a training: the total number of deals, the number already played, and the number of processes."""

    deals: int
    played: int
    jobs: int
    seed: int

    def between(self, ends: tuple[float, float], played: int) -> float:
        """Return the geometric interpolation between two numbers at the current progress."""
        return ends[0] * (ends[1] / ends[0]) ** min(played / self.deals, 1)


def _play(weights: Weights, opponents: Sequence[tuple[str, str]], curiosity: float, deals: int, seed: str) -> Lessons:
    return School(weights, seed, opponents, curiosity).lessons(deals)


def train(weights: Weights, plan: Plan) -> Iterator[tuple[Weights, str]]:
    """Train networks, and yield the weights after each round, with a progress line.

    The next round is played with the old weights while the networks learn from the current one.
    """
    learner, memory, random = Learner(weights), Memory(MEMORY), np.random.default_rng(plan.seed)
    played, begun, number = plan.played, time.monotonic(), 0
    with process_pool(plan.jobs) as pool:

        def begin(number: int, played: int) -> list[Future[Lessons]]:
            opponents = FIRST if played < FIRST_DEALS else OPPONENTS
            curiosity = plan.between(CURIOSITY, played)
            seeds = [f"{plan.seed}/{plan.played}/{number}/{job}" for job in range(plan.jobs)]
            # Copy the weights: learning changes them in place, perhaps before the pool has sent them.
            weights = {name: one.copy() for name, one in learner.smooth.items()}
            return [pool.submit(_play, weights, opponents, curiosity, DEALS, seed) for seed in seeds]

        playing = begin(0, played)
        while playing:
            done = [one.result() for one in playing]
            number += 1
            new = sum(lessons.deals for lessons in done)
            played += new
            # The next round is already being played, with as many deals as the finished one.
            playing = begin(number, played) if played < plan.deals else []
            for lessons in done:
                memory.add(lessons)
            rate = plan.between(RATES, played)
            batches = PASSES * sum(len(lessons.suits) for lessons in done) // BATCH
            loss = learner.learn_values(memory, max(batches, 1), rate, random)
            guess = np.mean([learner.learn_estimate(lessons, rate, random) for lessons in done])
            gins, moves = (sum(getattr(lessons, name) for lessons in done) / new for name in ("gins", "moves"))
            yield (
                learner.smooth,
                f"{played} deals, {time.monotonic() - begun:.0f} s, losses {loss:.4f} {guess:.4f}, "
                f"{gins:.2f} gin, {moves:.1f} moves",
            )


FIRST: Final = (("simple", "simple"),)
OPPONENTS: Final = (*[("self", "self")] * 5, *[("self", "simple")] * 3, ("self", "patient"))
"""The pairs of players to choose from at random. Repeated pairs are more frequent."""


def save(weights: Weights, file: Path) -> None:
    """Write weights as 16-bit numbers. An existing file is replaced atomically."""
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, allow_pickle=False, **{name: one.astype(np.float16) for name, one in weights.items()})
    part.replace(file)


def load(file: Path) -> Weights:
    """Return weights written by `save`."""
    return {name: one.astype(np.float32) for name, one in np.load(file).items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bot.opponent.training", description=__doc__)
    parser.add_argument("file", type=Path, help="where to write the weights")
    parser.add_argument("--deals", type=int, default=1_000_000, help="how many, with those played before")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", type=Path, help="weights to go on with")
    parser.add_argument("--played", type=int, default=0, help="the deals from which those have learnt")
    options = parser.parse_args()
    first = new_weights(options.seed) if options.go_on is None else load(options.go_on)
    for weights, line in train(first, Plan(options.deals, options.played, options.jobs, options.seed)):
        save(weights, options.file)
        print(line, flush=True)


if __name__ == "__main__":
    main()
