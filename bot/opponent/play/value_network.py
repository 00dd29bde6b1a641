"""The value network: the probabilities of outcome classes for a seat after each of its choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.opponent.play.features import Choices
from bot.opponent.play.hand_arrays import Floats
from bot.opponent.play.network import Dense, Weights, layers_of, run, softmax


@dataclass(frozen=True)
class ValueNetwork:
    """The layers of the value network.

    The layer `suits` processes each suit separately. The sum of its outputs, together with all other inputs, goes
    through `layers`.
    """

    suits: Dense
    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Weights) -> ValueNetwork:
        (suits,) = layers_of(weights, "suits")
        return ValueNetwork(suits, layers_of(weights, "values"))

    def probabilities(self, choices: Choices) -> Floats:
        """Return the probabilities of the outcome classes for each choice."""
        _, outputs = self.run(*choices.inputs())
        return softmax(outputs[-1])

    def run(self, suits: Floats, others: Floats) -> tuple[Floats, list[Floats]]:
        """Return the suit layer's output by suit, and what `network.run` returns for the other layers."""
        by_suit = self.suits.relu(suits)
        return by_suit, run(self.layers, np.concatenate((by_suit.sum(1), others), axis=1))
