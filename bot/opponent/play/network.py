"""The layers of small neural networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.opponent.play.hand_arrays import Floats


@dataclass(frozen=True)
class Dense:
    """A layer: inputs × weights + bias."""

    weights: Floats
    bias: Floats

    def linear(self, inputs: Floats) -> Floats:
        return inputs @ self.weights + self.bias

    def relu(self, inputs: Floats) -> Floats:
        """Return `linear(inputs)` with negative values replaced by 0."""
        return np.maximum(self.linear(inputs), 0)


Weights = Mapping[str, Floats]
"""The weights of several networks: `NAME.0.weights`, `NAME.0.bias`, `NAME.1.weights`, and so on."""


def layers_of(weights: Weights, name: str) -> tuple[Dense, ...]:
    count = sum(key.startswith(f"{name}.") for key in weights) // 2
    return tuple(Dense(weights[f"{name}.{index}.weights"], weights[f"{name}.{index}.bias"]) for index in range(count))


def run(layers: Sequence[Dense], inputs: Floats) -> list[Floats]:
    """Return the input of each layer and, last, the output of the network. All layers but the last use ReLU."""
    values = [inputs]
    for layer in layers[:-1]:
        values.append(layer.relu(values[-1]))
    return [*values, layers[-1].linear(values[-1])]


def softmax(odds: Floats) -> Floats:
    """Return the softmax of each row of log-odds: probabilities that sum to 1."""
    chances = np.exp(odds - odds.max(1, keepdims=True))
    return chances / chances.sum(1, keepdims=True)


def sigmoid(odds: Floats) -> Floats:
    """Return the sigmoid of log-odds: independent probabilities."""
    return np.divide(1, 1 + np.exp(-odds))
