"""The layers of small neural networks."""

from __future__ import annotations

from collections.abc import Mapping
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


def dense(weights: Mapping[str, Floats], name: str) -> tuple[Dense, ...]:
    """Return the layers of a network, whose weights are `NAME.0.weights`, `NAME.0.bias`, and so on."""
    count = sum(key.startswith(f"{name}.") for key in weights) // 2
    return tuple(
        Dense(weights[f"{name}.{place}.weights"].astype(np.float32), weights[f"{name}.{place}.bias"].astype(np.float32))
        for place in range(count)
    )
