"""Training of the networks: their weights, gradients and optimizer steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from bot.opponent.play.estimate import FEATURE_COUNT
from bot.opponent.play.features import GENERAL_INPUTS, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.play.hand_arrays import SUITS, Floats
from bot.opponent.play.network import Weights, layers_of, run, sigmoid, softmax
from bot.opponent.play.outcomes import CLASS_COUNT
from bot.opponent.play.value_network import ValueNetwork
from bot.opponent.training.training_matches import Examples

Gradients = dict[str, Floats]

_SUIT_OUTPUTS: Final = 96
LAYER_SIZES: Final = {
    "estimate": (FEATURE_COUNT, 32, 16, 1),
    "suits": (SUIT_INPUTS, _SUIT_OUTPUTS),
    "values": (_SUIT_OUTPUTS + RANK_INPUTS + GENERAL_INPUTS, 128, 64, CLASS_COUNT),
}
"""For each network, the input size of each layer and then the output size."""
BATCH, ESTIMATE_BATCH = 512, 4096
AVERAGE_DECAY: Final = 0.999
"""Decay of the moving average of the weights: the fraction of it that each step keeps."""


class ReplayBuffer:
    """The latest training examples of choices. Learning uses each of them several times."""

    def __init__(self, size: int) -> None:
        widths = SUITS * SUIT_INPUTS, RANK_INPUTS + GENERAL_INPUTS, CLASS_COUNT
        self._rows = [np.zeros((size, width), dtype=np.float16) for width in widths]
        self._added_count = 0

    def add(self, lessons: Examples) -> None:
        """Add examples in place of the oldest ones."""
        size = len(self._rows[0])
        for rows, new in zip(self._rows, (lessons.suits, lessons.others, lessons.targets), strict=True):
            indices = (self._added_count + np.arange(len(new))) % size
            rows[indices] = new.reshape(len(new), -1)
        self._added_count += len(lessons.suits)

    def batch(self, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Return a random batch of examples: the network's two inputs, and the targets."""
        indices = random.integers(min(self._added_count, len(self._rows[0])), size=BATCH)
        suits, others, targets = (rows[indices].astype(np.float32) for rows in self._rows)
        return suits.reshape(BATCH, SUITS, SUIT_INPUTS), others, targets


class Learner:
    """The weights and their optimization by gradients with Adam (Kingma and Ba, 2015).

    `average_weights` is the moving average of the weights, which plays better than the weights of any single step.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = dict(weights)
        self.average_weights = {name: array.copy() for name, array in weights.items()}
        self._steps = dict.fromkeys(weights, 0)
        self._means = {name: np.zeros_like(array) for name, array in weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in weights.items()}

    def learn_values(
        self, replay_buffer: ReplayBuffer, batches: int, rate: float, random: np.random.Generator
    ) -> float:
        """Learn from batches of the replay buffer, and return the mean loss."""
        return float(
            np.mean(
                [self._step(value_gradients(self.weights, *replay_buffer.batch(random)), rate) for _ in range(batches)]
            )
        )

    def learn_estimate(self, lessons: Examples, rate: float, random: np.random.Generator) -> float:
        """Train the estimate once with each example, in random order, and return the mean loss."""
        rows = [part.astype(np.float32) for part in (lessons.described, lessons.priors, lessons.holders)]
        order = random.permutation(len(rows[0]))
        batches = (order[start : start + ESTIMATE_BATCH] for start in range(0, len(order), ESTIMATE_BATCH))
        return float(
            np.mean(
                [
                    self._step(estimate_gradients(self.weights, *(part[batch] for part in rows)), rate)
                    for batch in batches
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
            self.average_weights[name] += (1 - AVERAGE_DECAY) * (self.weights[name] - self.average_weights[name])
        return loss


def value_gradients(weights: Weights, suits: Floats, others: Floats, targets: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of the predicted outcomes, and its gradients."""
    by_suit, layer_values = ValueNetwork.of(weights).run(suits, others)
    predicted = softmax(layer_values[-1])
    loss = float(-(targets * np.log(predicted + 1e-9)).sum(1).mean())
    gradients: Gradients = {}
    gradient = _backpropagate(
        weights, "values", layer_values[:-1], np.divide(predicted - targets, len(suits)), gradients
    )
    gradient = np.repeat(gradient[:, None, : by_suit.shape[2]], SUITS, axis=1)
    gradient[by_suit <= 0] = 0
    _backpropagate(
        weights, "suits", [suits.reshape(-1, suits.shape[2])], gradient.reshape(-1, gradient.shape[2]), gradients
    )
    return loss, gradients


def estimate_gradients(weights: Weights, described: Floats, priors: Floats, holders: Floats) -> tuple[float, Gradients]:
    """Return the cross-entropy of the estimated card holders, and its gradients."""
    layer_values = run(layers_of(weights, "estimate"), described)
    held = sigmoid(layer_values[-1][:, 0] + priors)
    loss = float(-(holders * np.log(held + 1e-9) + (1 - holders) * np.log(1 - held + 1e-9)).mean())
    gradients: Gradients = {}
    _backpropagate(
        weights, "estimate", layer_values[:-1], np.divide(held - holders, len(described))[:, None], gradients
    )
    return loss, gradients


def _backpropagate(
    weights: Weights, name: str, inputs: Sequence[Floats], gradient: Floats, gradients: Gradients
) -> Floats:
    """Backpropagate through a network, and store the gradients of its weights in `gradients`.

    `inputs` are the inputs of its layers, and `gradient` is the gradient of its output. Return the gradient of the
    first layer's input.
    """
    for index in reversed(range(len(inputs))):
        gradients[f"{name}.{index}.weights"] = inputs[index].T @ gradient
        gradients[f"{name}.{index}.bias"] = gradient.sum(0)
        gradient = gradient @ weights[f"{name}.{index}.weights"].T
        if index:
            gradient[inputs[index] <= 0] = 0
    return gradient


def new_weights(seed: int) -> Gradients:
    """Return random initial weights (He et al., 2015). The last layers start near zero."""
    random = np.random.default_rng(seed)
    weights: Gradients = {}
    for name, layers in LAYER_SIZES.items():
        for index, (inputs, outputs) in enumerate(pairwise(layers)):
            scale = 0.01 if outputs in (1, CLASS_COUNT) else math.sqrt(2 / inputs)
            weights[f"{name}.{index}.weights"] = np.float32(scale) * random.standard_normal(
                (inputs, outputs), np.float32
            )
            weights[f"{name}.{index}.bias"] = np.zeros(outputs, np.float32)
    return weights
