"""The learning of the networks: their weights, the gradients, and the steps along them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from bot.opponent.estimate import FEATURES
from bot.opponent.features import GENERAL, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.many_hands import SUITS, Floats, Places
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
"""The inputs of each network's layers, and last what comes out of it."""
BATCH, ESTIMATE_BATCH = 512, 4096


class Learner:
    """Weights, and how they change: by gradients, with Adam (Kingma and Ba, 2015)."""

    def __init__(self, weights: Weights) -> None:
        self.weights = dict(weights)
        self.steps = dict.fromkeys(weights, 0)
        self.means = {name: np.zeros_like(one) for name, one in weights.items()}
        self.squares = {name: np.zeros_like(one) for name, one in weights.items()}

    def learn(self, lessons: Lessons, rate: float, random: np.random.Generator) -> tuple[float, float]:
        """Learn from lessons, once each in random order. Return the mean losses: of outcomes, and of the estimate."""
        suits, others, targets = map(np.array, (lessons.suits, lessons.others, lessons.targets))
        losses = [
            self._step(value_gradients(self.weights, suits[batch], others[batch], targets[batch]), rate)
            for batch in _batches(len(suits), BATCH, random)
        ]
        described, priors, holders = map(np.concatenate, (lessons.described, lessons.priors, lessons.holders))
        guesses = [
            self._step(estimate_gradients(self.weights, described[batch], priors[batch], holders[batch]), rate)
            for batch in _batches(len(described), ESTIMATE_BATCH, random)
        ]
        return float(np.mean(losses)), float(np.mean(guesses))

    def _step(self, found: tuple[float, Gradients], rate: float) -> float:
        loss, gradients = found
        for name, gradient in gradients.items():
            self.steps[name] += 1
            steps, mean, square = self.steps[name], self.means[name], self.squares[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            scale = np.sqrt(square / (1 - 0.999**steps)) + 1e-7
            self.weights[name] -= (rate * (mean / (1 - 0.9**steps)) / scale).astype(np.float32)
        return loss


def average(learners: Sequence[Learner]) -> Learner:
    """Return the mean of learners that began alike."""
    mean = Learner({name: _mean([one.weights[name] for one in learners]) for name in learners[0].weights})
    mean.steps = learners[0].steps
    mean.means = {name: _mean([one.means[name] for one in learners]) for name in mean.weights}
    mean.squares = {name: _mean([one.squares[name] for one in learners]) for name in mean.weights}
    return mean


def _mean(arrays: Sequence[Floats]) -> Floats:
    return np.stack(arrays).mean(axis=0, dtype=np.float32)


def _batches(count: int, size: int, random: np.random.Generator) -> Iterator[Places]:
    order = random.permutation(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def value_gradients(weights: Weights, suits: Floats, others: Floats, targets: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of outcomes, and its gradients."""
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
    """Return the cross-entropy of who holds which card, and its gradients."""
    found = run(layers_of(weights, "estimate"), described)
    held = chances(found[-1][:, 0] + priors)
    loss = float(-(holders * np.log(held + 1e-9) + (1 - holders) * np.log(1 - held + 1e-9)).mean())
    gradients: Gradients = {}
    _back(weights, "estimate", found[:-1], np.divide(held - holders, len(described))[:, None], gradients)
    return loss, gradients


def _back(weights: Weights, name: str, inputs: Sequence[Floats], back: Floats, gradients: Gradients) -> Floats:
    """Add the gradients of a network, from what went into its layers and the gradient of what came out.

    Return the gradient of what went into the first.
    """
    for place in reversed(range(len(inputs))):
        gradients[f"{name}.{place}.weights"] = inputs[place].T @ back
        gradients[f"{name}.{place}.bias"] = back.sum(0)
        back = back @ weights[f"{name}.{place}.weights"].T
        if place:
            back[inputs[place] <= 0] = 0
    return back


def new_weights(seed: int) -> Gradients:
    """Return random weights to begin with (He et al., 2015); the last layers say nearly nothing."""
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
