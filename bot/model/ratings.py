"""Ratings: estimates of players' strength."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

LUCK_DEVIATION: Final = 250.0
"""The influence of luck on a two-player match to 100: the standard deviation of a player's performance."""

DRIFT_DEVIATION: Final = 5.0
"""How far a player's skill may change from one match to the next."""

SETTLED_DEVIATION: Final = 218.0
"""The deviation up to which a rating is shown and has a place; above it, the rating is provisional.

Between equals, a new player's deviation falls below it after ten two-player matches to 100.
"""


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength: a normal distribution with mean `mu` and deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The rating as shown to people."""
        return round(self.mu)

    @property
    def is_settled(self) -> bool:
        """True if the rating is certain enough to be shown."""
        return self.sigma <= SETTLED_DEVIATION

    @property
    def matches_until_settled(self) -> int:
        """The number of two-player matches to 100, against players as uncertain as this one, that settle the rating.

        Each match shrinks the deviation as in the Plackett-Luce model of two equal players: Weng and Lin, "A Bayesian
        Approximation Method for Online Ranking", 2011, algorithm 4.
        """
        sigma, matches = self.sigma, 0
        while sigma > SETTLED_DEVIATION:
            variance = sigma**2 + DRIFT_DEVIATION**2
            spread = sqrt(2 * (variance + LUCK_DEVIATION**2))
            sigma = sqrt(variance * (1 - variance**1.5 / (4 * spread**3)))
            matches += 1
        return matches

    def __str__(self) -> str:
        return str(self.number)


FIRST_RATING: Final = Rating(1500.0, 250.0)
"""The rating before the first rated match."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of a seat before and after a rated match, and the seat's place in it."""

    place: int
    before: Rating
    after: Rating
