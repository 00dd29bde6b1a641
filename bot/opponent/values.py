"""The value network: how a deal may end for a seat after each of its choices, as chances of the classes of outcomes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.opponent.features import Choices
from bot.opponent.many_hands import Floats
from bot.opponent.network import Dense, Weights, layers_of, run, shares


@dataclass(frozen=True)
class Values:
    """The layers: one sees each suit by itself, and its sums over the suits go with all else through the others."""

    suits: Dense
    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Weights) -> Values:
        """Return the network of some weights."""
        (suits,) = layers_of(weights, "suits")
        return Values(suits, layers_of(weights, "values"))

    def chances(self, choices: Choices) -> Floats:
        """Return for each choice the chances of the classes of outcomes."""
        _, found = self.run(*choices.inputs())
        return shares(found[-1])

    def run(self, suits: Floats, others: Floats) -> tuple[Floats, list[Floats]]:
        """Return what is found in each suit, and what `bot.opponent.network.run` returns for the other layers."""
        by_suit = self.suits.relu(suits)
        return by_suit, run(self.layers, np.concatenate((by_suit.sum(1), others), axis=1))
