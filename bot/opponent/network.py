"""The layers of small neural networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.opponent.many_hands import Floats


@dataclass(frozen=True)
class Dense:
    """A layer: inputs × weights + bias."""

    weights: Floats
    bias: Floats

    def linear(self, inputs: Floats) -> Floats:
        """Return the sums."""
        return inputs @ self.weights + self.bias

    def relu(self, inputs: Floats) -> Floats:
        """Return the sums, with 0 for what is below."""
        return np.maximum(self.linear(inputs), 0)


Weights = Mapping[str, Floats]
"""The weights of several networks: `NAME.0.weights`, `NAME.0.bias`, `NAME.1.weights`, and so on."""


def layers_of(weights: Weights, name: str) -> tuple[Dense, ...]:
    """Return the layers of a network."""
    count = sum(key.startswith(f"{name}.") for key in weights) // 2
    return tuple(Dense(weights[f"{name}.{place}.weights"], weights[f"{name}.{place}.bias"]) for place in range(count))


def run(layers: Sequence[Dense], inputs: Floats) -> list[Floats]:
    """Return what goes into each layer, and last what comes out of the network. All but that is cut off below 0."""
    found = [inputs]
    for layer in layers[:-1]:
        found.append(layer.relu(found[-1]))
    return [*found, layers[-1].linear(found[-1])]


def shares(odds: Floats) -> Floats:
    """Return log-odds as chances that sum to 1 in each row (the softmax)."""
    chances = np.exp(odds - odds.max(1, keepdims=True))
    return chances / chances.sum(1, keepdims=True)


def chances(odds: Floats) -> Floats:
    """Return log-odds as chances, each by itself (the logistic function)."""
    return np.divide(1, 1 + np.exp(-odds))
