"""The value network: how a deal may end for a seat after each of its choices, as chances of the classes of outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bot.opponent.features import Choices
from bot.opponent.many_hands import Floats
from bot.opponent.network import Dense, dense


@dataclass(frozen=True)
class Values:
    """The layers: one sees each suit by itself, and its sums over the suits go with all else through the others."""

    suits: Dense
    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Mapping[str, Floats]) -> Values:
        """Return the network of some weights."""
        (suits,) = dense(weights, "suits")
        return Values(suits, dense(weights, "values"))

    def chances(self, choices: Choices) -> Floats:
        """Return for each choice the chances of the classes of outcomes."""
        suits, others = choices.inputs()
        found = np.concatenate((self.suits.relu(suits).sum(1), others), axis=1)
        for layer in self.layers[:-1]:
            found = layer.relu(found)
        odds = self.layers[-1].linear(found)
        odds -= odds.max(1, keepdims=True)
        chances = np.exp(odds)
        return chances / chances.sum(1, keepdims=True)
