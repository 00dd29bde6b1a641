"""The program that trains the networks: by matches against itself and the yardsticks, on the engine.

    python -m bot.opponent.training --deals 1000000 --jobs 2 --seed 1 weights.npz

Processes play matches with the networks as they are, and the networks learn from all of them: again and again. The same
arguments give the same weights on the same machine.
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
"""The deals that a process plays with the same networks."""
FIRST_DEALS: Final = 20_000
"""The deals of simple players from which the networks learn first: without, deals would hardly end."""
RATES: Final = (1e-3, 1e-4)
"""The steps of learning at the beginning and at the end."""
CURIOSITY: Final = (1.0, 0.05)
"""By how many points choices are misjudged on purpose, at the beginning and at the end."""
MEMORY: Final = 800_000
"""The choices that are remembered."""
PASSES: Final = 4
"""How often each choice is learnt from."""


@dataclass(frozen=True)
class Plan:
    """The extent of a training: so many deals in all, of which some were played before, in several processes."""

    deals: int
    played: int
    jobs: int
    seed: int

    def between(self, ends: tuple[float, float], played: int) -> float:
        """Return what is between two numbers as far as the deals played are between none and all."""
        return ends[0] * (ends[1] / ends[0]) ** min(played / self.deals, 1)


def _play(weights: Weights, opponents: Sequence[tuple[str, str]], curiosity: float, deals: int, seed: str) -> Lessons:
    return School(weights, seed, opponents, curiosity).lessons(deals)


def train(weights: Weights, plan: Plan) -> Iterator[tuple[Weights, str]]:
    """Train networks, and yield the weights after each round, with a line about it.

    While a round is learnt from, the next one is played with the weights from before.
    """
    learner, memory, random = Learner(weights), Memory(MEMORY), np.random.default_rng(plan.seed)
    played, begun, number = plan.played, time.monotonic(), 0
    with process_pool(plan.jobs) as pool:

        def begin(number: int, played: int) -> list[Future[Lessons]]:
            opponents = FIRST if played < FIRST_DEALS else OPPONENTS
            curiosity = plan.between(CURIOSITY, played)
            seeds = [f"{plan.seed}/{plan.played}/{number}/{job}" for job in range(plan.jobs)]
            # The pool may send them only after learning has begun to change them in place.
            weights = {name: one.copy() for name, one in learner.smooth.items()}
            return [pool.submit(_play, weights, opponents, curiosity, DEALS, seed) for seed in seeds]

        playing = begin(0, played)
        while playing:
            done = [one.result() for one in playing]
            number += 1
            new = sum(lessons.deals for lessons in done)
            played += new
            # As many deals are being played as were played in the round that is over.
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
"""The pairs of players that meet, each as often as it is named."""


def save(weights: Weights, file: Path) -> None:
    """Write weights as 16-bit numbers; a file that is there is replaced at once."""
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, allow_pickle=False, **{name: one.astype(np.float16) for name, one in weights.items()})
    part.replace(file)


def load(file: Path) -> Weights:
    """Return weights that were written by `save`."""
    return {name: one.astype(np.float32) for name, one in np.load(file).items()}


def main() -> None:
    """Train, and write the weights after each round."""
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
