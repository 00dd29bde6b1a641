"""The 95 % ranges of luck: chance alone puts 95 % of players in them, for each measure of `bot.luck.measures`.

`bands.json` has a seat's mean and standard deviation in one deal; `bot.luck.simulation` generates it. Deals are
independent, so the range for any number of them follows: from the normal distribution for sums over many deals, and
from the exact binomial one for gins and undercuts. Sampling error in the data would widen the ranges by half a percent
for 1,000 deals, and by five for 10,000.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

FEWEST_DEALS: Final = 30
"""Minimum number of deals for ranges. With fewer deals, they would be too wide to be useful."""

DATA: Final = Path(__file__).with_name("bands.json")

_Z: Final = 1.959964
"""Number of standard deviations that contain 95 % of a normal distribution."""
_TAIL: Final = 0.025
_NEGLIGIBLE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Band:
    """A range that includes both ends."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bands:
    """The ranges for some deals: opening deadwood in points a deal, useful draws as a fraction, the rest as counts."""

    opening: Band
    useful: Band
    gins: Band
    undercuts: Band


@dataclass(frozen=True, slots=True)
class OneDeal:
    """The distribution of a seat's luck in one deal: means and standard deviations.

    `useful` is the fraction of draws that are useful. The number of draws varies, so `useful_deviation` is the standard
    deviation of a deal's useful draws less that fraction of its draws.
    """

    opening: float
    opening_deviation: float
    draws: float
    useful: float
    useful_deviation: float
    gins: float
    undercuts: float

    def bands(self, deals: int) -> Bands:
        """Return the ranges for a number of deals, at least 1."""
        return Bands(
            opening=_around(self.opening, self.opening_deviation / math.sqrt(deals)),
            useful=_around(self.useful, self.useful_deviation / self.draws / math.sqrt(deals)),
            gins=_binomial(deals, self.gins),
            undercuts=_binomial(deals, self.undercuts),
        )


@cache
def contents() -> dict[str, Any]:
    return json.loads(DATA.read_text())


def bands(deals: int) -> Bands | None:
    """Return the ranges for a number of deals, or None if there are too few."""
    return None if deals < FEWEST_DEALS else OneDeal(**contents()["one_deal"]).bands(deals)


def _around(mean: float, deviation: float) -> Band:
    return Band(mean - _Z * deviation, mean + _Z * deviation)


def _binomial(trials: int, chance: float) -> Band:
    """Return the narrowest range of counts with at most 2.5 % below it and at most 2.5 % above."""
    # Weights are relative to the most likely count, because the probabilities themselves would underflow.
    odds, mode = chance / (1 - chance), min(trials, int((trials + 1) * chance))
    weights, weight = {mode: 1.0}, 1.0
    for count in range(mode, trials):
        weight *= (trials - count) / (count + 1) * odds
        if weight < _NEGLIGIBLE:
            break
        weights[count + 1] = weight
    weight = 1.0
    for count in range(mode, 0, -1):
        weight *= count / (trials - count + 1) / odds
        if weight < _NEGLIGIBLE:
            break
        weights[count - 1] = weight
    allowed = _TAIL * sum(weights.values())
    return Band(
        _first_beyond(sorted(weights), weights, allowed), _first_beyond(sorted(weights)[::-1], weights, allowed)
    )


def _first_beyond(counts: list[int], weights: dict[int, float], allowed: float) -> int:
    """Return the first count at which the sum of the weights exceeds `allowed`."""
    so_far = 0.0
    for count in counts:
        so_far += weights[count]
        if so_far > allowed:
            return count
    raise AssertionError("the weights never exceed the limit")
