"""The program that trains the networks: by matches against itself and the yardsticks, on the engine.

    python -m bot.opponent.training --deals 1000000 --jobs 2 --seed 1 weights.npz

Each process plays matches with the networks as they are, learns from them, and the processes' networks are averaged:
again and again. The same arguments give the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from bot.opponent.learner import Learner, average, new_weights
from bot.opponent.network import Weights
from bot.opponent.school import Lessons, School

DEALS: Final = 3000
"""The deals that a process plays until it learns from them."""
FIRST_DEALS: Final = 20_000
"""The deals of simple players from which the networks learn first: without, deals would hardly end."""
RATES: Final = (1e-3, 1e-4)
"""The steps of learning at the beginning and at the end."""


def _round(
    learner: Learner, seed: str, opponents: Sequence[tuple[str, str]], deals: int, rate: float
) -> tuple[Learner, Lessons, tuple[float, float]]:
    """Play, learn, and return the learner with some figures."""
    lessons = School(learner.weights, seed, opponents).lessons(deals)
    losses = learner.learn(lessons, rate, np.random.default_rng(list(seed.encode())))
    return learner, Lessons(deals=lessons.deals, gins=lessons.gins, moves=lessons.moves), losses


def train(deals: int, jobs: int, seed: int) -> Iterator[tuple[Weights, str]]:
    """Train for a number of deals, and yield the weights after each round, with a line about it."""
    learner, played, begun, number = Learner(new_weights(seed)), 0, time.monotonic(), 0
    with ProcessPoolExecutor(jobs) as pool:
        while played < deals:
            opponents = FIRST if played < FIRST_DEALS else OPPONENTS
            rate = RATES[0] * (RATES[1] / RATES[0]) ** (played / deals)
            seeds = [f"{seed}/{number}/{job}" for job in range(jobs)]
            done = list(pool.map(partial(_round, learner, opponents=opponents, deals=DEALS, rate=rate), seeds))
            learner = average([one for one, _, _ in done])
            number += 1
            here = sum(lessons.deals for _, lessons, _ in done)
            gins, moves = (sum(getattr(one, name) for _, one, _ in done) / here for name in ("gins", "moves"))
            played += here
            losses = " ".join(f"{loss:.4f}" for loss in done[0][2])
            yield (
                learner.weights,
                f"{played} deals, {time.monotonic() - begun:.0f} s, losses {losses}, {gins:.2f} gin, {moves:.1f} moves",
            )


FIRST: Final = (("simple", "simple"),)
OPPONENTS: Final = (*[("self", "self")] * 6, ("self", "simple"), ("self", "simple"), ("self", "patient"))
"""The pairs of players that meet, each as often as it is named."""


def save(weights: Weights, file: Path) -> None:
    """Write weights as 16-bit numbers; a file that is there is replaced at once."""
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, allow_pickle=False, **{name: one.astype(np.float16) for name, one in weights.items()})
    part.replace(file)


def main() -> None:
    """Train, and write the weights after each round."""
    parser = argparse.ArgumentParser(prog="python -m bot.opponent.training", description=__doc__)
    parser.add_argument("file", type=Path, help="where to write the weights")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for weights, line in train(options.deals, options.jobs, options.seed):
        save(weights, options.file)
        print(line, flush=True)


if __name__ == "__main__":
    main()
