"""Training of the networks: their weights, gradients and optimizer steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from bot.opponent.estimate import FEATURES
from bot.opponent.features import GENERAL, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.many_hands import SUITS, Floats
from bot.opponent.network import Weights, chances, layers_of, run, shares
from bot.opponent.outcomes import CLASSES
from bot.opponent.school import Lessons
from bot.opponent.values import Values

Gradients = dict[str, Floats]

_IN_SUITS: Final = 96
SIZES: Final = {
    "estimate": (FEATURES, 32, 16, 1),
    "suits": (SUIT_INPUTS, _IN_SUITS),
    "values": (_IN_SUITS + RANK_INPUTS + GENERAL, 128, 64, CLASSES),
}
"""The input size of each layer of each network, and the output size last."""
BATCH, ESTIMATE_BATCH = 512, 4096
SMOOTH: Final = 0.999
"""Fraction of the moving average of the weights that a step keeps."""


class Memory:
    """A replay buffer of the last examples of choices, each of which is learnt from several times."""

    def __init__(self, size: int) -> None:
        widths = SUITS * SUIT_INPUTS, RANK_INPUTS + GENERAL, CLASSES
        self._rows = [np.zeros((size, width), dtype=np.float16) for width in widths]
        self._added = 0

    def add(self, lessons: Lessons) -> None:
        """Add examples in place of the oldest ones."""
        size = len(self._rows[0])
        for rows, new in zip(self._rows, (lessons.suits, lessons.others, lessons.targets), strict=True):
            places = (self._added + np.arange(len(new))) % size
            rows[places] = new.reshape(len(new), -1)
        self._added += len(lessons.suits)

    def batch(self, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Return a random batch of examples: the network's two inputs, and the targets."""
        places = random.integers(min(self._added, len(self._rows[0])), size=BATCH)
        suits, others, targets = (rows[places].astype(np.float32) for rows in self._rows)
        return suits.reshape(BATCH, SUITS, SUIT_INPUTS), others, targets


class Learner:
    """The weights and their optimization by gradients with Adam (Kingma and Ba, 2015).

    `smooth` is the moving average of the weights, which plays better than the weights of any single step.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = dict(weights)
        self.smooth = {name: one.copy() for name, one in weights.items()}
        self._steps = dict.fromkeys(weights, 0)
        self._means = {name: np.zeros_like(one) for name, one in weights.items()}
        self._squares = {name: np.zeros_like(one) for name, one in weights.items()}

    def learn_values(self, memory: Memory, batches: int, rate: float, random: np.random.Generator) -> float:
        """Learn from batches of the replay buffer, and return the mean loss."""
        return float(
            np.mean([self._step(value_gradients(self.weights, *memory.batch(random)), rate) for _ in range(batches)])
        )

    def learn_estimate(self, lessons: Lessons, rate: float, random: np.random.Generator) -> float:
        """Learn the estimate from examples, once from each in random order, and return the mean loss."""
        rows = [part.astype(np.float32) for part in (lessons.described, lessons.priors, lessons.holders)]
        order = random.permutation(len(rows[0]))
        places = (order[start : start + ESTIMATE_BATCH] for start in range(0, len(order), ESTIMATE_BATCH))
        return float(
            np.mean(
                [
                    self._step(estimate_gradients(self.weights, *(part[batch] for part in rows)), rate)
                    for batch in places
                ]
            )
        )

    def _step(self, found: tuple[float, Gradients], rate: float) -> float:
        loss, gradients = found
        for name, gradient in gradients.items():
            self._steps[name] += 1
            steps, mean, square = self._steps[name], self._means[name], self._squares[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            scale = np.sqrt(square / (1 - 0.999**steps)) + 1e-7
            self.weights[name] -= (rate * (mean / (1 - 0.9**steps)) / scale).astype(np.float32)
            self.smooth[name] += (1 - SMOOTH) * (self.weights[name] - self.smooth[name])
        return loss


def value_gradients(weights: Weights, suits: Floats, others: Floats, targets: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of the predicted outcomes, and its gradients."""
    by_suit, found = Values.of(weights).run(suits, others)
    promised = shares(found[-1])
    loss = float(-(targets * np.log(promised + 1e-9)).sum(1).mean())
    gradients: Gradients = {}
    back = _back(weights, "values", found[:-1], np.divide(promised - targets, len(suits)), gradients)
    back = np.repeat(back[:, None, : by_suit.shape[2]], SUITS, axis=1)
    back[by_suit <= 0] = 0
    _back(weights, "suits", [suits.reshape(-1, suits.shape[2])], back.reshape(-1, back.shape[2]), gradients)
    return loss, gradients


def estimate_gradients(weights: Weights, described: Floats, priors: Floats, holders: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of the estimated card holders, and its gradients."""
    found = run(layers_of(weights, "estimate"), described)
    held = chances(found[-1][:, 0] + priors)
    loss = float(-(holders * np.log(held + 1e-9) + (1 - holders) * np.log(1 - held + 1e-9)).mean())
    gradients: Gradients = {}
    _back(weights, "estimate", found[:-1], np.divide(held - holders, len(described))[:, None], gradients)
    return loss, gradients


def _back(weights: Weights, name: str, inputs: Sequence[Floats], back: Floats, gradients: Gradients) -> Floats:
    """Backpropagate: add a network's gradients, given its layers' inputs and the gradient of its output.

    Return the gradient of the first layer's input.
    """
    for place in reversed(range(len(inputs))):
        gradients[f"{name}.{place}.weights"] = inputs[place].T @ back
        gradients[f"{name}.{place}.bias"] = back.sum(0)
        back = back @ weights[f"{name}.{place}.weights"].T
        if place:
            back[inputs[place] <= 0] = 0
    return back


def new_weights(seed: int) -> Gradients:
    """Return random initial weights (He et al., 2015). The last layers start near zero."""
    random = np.random.default_rng(seed)
    weights: Gradients = {}
    for name, layers in SIZES.items():
        for place, (inputs, outputs) in enumerate(pairwise(layers)):
            scale = 0.01 if outputs in (1, CLASSES) else math.sqrt(2 / inputs)
            weights[f"{name}.{place}.weights"] = np.float32(scale) * random.standard_normal(
                (inputs, outputs), np.float32
            )
            weights[f"{name}.{place}.bias"] = np.zeros(outputs, np.float32)
    return weights
