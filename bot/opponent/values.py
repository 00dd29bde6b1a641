"""The value network: the probabilities of outcome classes for a seat after each of its choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.opponent.features import Choices
from bot.opponent.many_hands import Floats
from bot.opponent.network import Dense, Weights, layers_of, run, shares


@dataclass(frozen=True)
class Values:
    """The layers of the network.

    The first one processes each suit separately. The sum of its outputs and all other inputs go through the rest.
    """

    suits: Dense
    layers: tuple[Dense, ...]

    @staticmethod
    def of(weights: Weights) -> Values:
        (suits,) = layers_of(weights, "suits")
        return Values(suits, layers_of(weights, "values"))

    def chances(self, choices: Choices) -> Floats:
        """Return the probabilities of the outcome classes for each choice."""
        _, found = self.run(*choices.inputs())
        return shares(found[-1])

    def run(self, suits: Floats, others: Floats) -> tuple[Floats, list[Floats]]:
        """Return the output of the suit layer by suit, and the result of `bot.opponent.network.run` for the rest."""
        by_suit = self.suits.relu(suits)
        return by_suit, run(self.layers, np.concatenate((by_suit.sum(1), others), axis=1))
