"""The ranges in which chance alone puts 95 % of players, for each measure of luck in `bot.luck.measures`.

`bands.json`, which `bot.luck.simulation` generates, has the mean and standard deviation of each measure for a seat in
one deal. Deals are independent, so the range for any number of them follows: from the normal distribution for sums over
many deals, and from the exact binomial distribution for gins and undercuts. The sampling error of the data is ignored.
It would widen the ranges by 0.5 % for 1,000 deals, and by 5 % for 10,000.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

MIN_DEALS: Final = 30
"""Minimum number of deals for ranges. With fewer deals, they would be too wide to be useful."""

DATA_PATH: Final = Path(__file__).with_name("bands.json")

_Z_95: Final = 1.959964
"""Number of standard deviations on each side of the mean that contain 95 % of a normal distribution."""
_TAIL: Final = 0.025
_NEGLIGIBLE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Band:
    """A range that includes both ends."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bands:
    """The 95 % ranges of a player's luck in a certain number of deals.

    `opening` is the mean opening deadwood in points, `useful` the fraction of useful draws, and `gins` and `undercuts`
    are numbers of deals.
    """

    opening: Band
    useful: Band
    gins: Band
    undercuts: Band


@dataclass(frozen=True, slots=True)
class OneDeal:
    """The distribution of a seat's luck in one deal: means and standard deviations.

    `draws` is the mean number of draws, and `useful` the fraction of them that are useful. `useful_deviation` is the
    standard deviation of the difference between a deal's useful draws and the number to expect: `useful` times the
    deal's draws.
    """

    opening: float
    opening_deviation: float
    draws: float
    useful: float
    useful_deviation: float
    gins: float
    undercuts: float

    def bands(self, deals: int) -> Bands:
        """Return the 95 % ranges of the luck in `deals` such deals. There must be at least one deal."""
        return Bands(
            opening=_normal_band(self.opening, self.opening_deviation / math.sqrt(deals)),
            useful=_normal_band(self.useful, self.useful_deviation / self.draws / math.sqrt(deals)),
            gins=_binomial_band(deals, self.gins),
            undercuts=_binomial_band(deals, self.undercuts),
        )


@cache
def load_data() -> dict[str, Any]:
    return json.loads(DATA_PATH.read_text())


def bands(deals: int) -> Bands | None:
    """Return the 95 % ranges of the luck in this many deals; None if there are fewer than `MIN_DEALS`."""
    return None if deals < MIN_DEALS else OneDeal(**load_data()["one_deal"]).bands(deals)


def _normal_band(mean: float, deviation: float) -> Band:
    return Band(mean - _Z_95 * deviation, mean + _Z_95 * deviation)


def _binomial_band(trials: int, chance: float) -> Band:
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
    """Return the first count at which the running sum of the weights exceeds `allowed`."""
    total = 0.0
    for count in counts:
        total += weights[count]
        if total > allowed:
            return count
    raise AssertionError("the weights never exceed the limit")
