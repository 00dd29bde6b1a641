"""The ranges in which chance alone puts 95 % of players, for each measure of `bot.luck.measures`.

`bands.json` says how a seat does in one deal, on average and how far deals scatter around that; `bot.luck.simulation`
made it. Deals are independent of each other, so the range for any number of them follows: for sums over many
deals from the normal distribution, for gins and undercuts from the binomial one, which is exact. The error of the data
themselves would make the ranges wider by half a percent for 1,000 deals, and by five for 10,000.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

FEWEST_DEALS: Final = 30
"""With fewer deals there are no ranges: they would be so wide that they say nothing."""

DATA: Final = Path(__file__).with_name("bands.json")

_Z: Final = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""
_TAIL: Final = 0.025
_NEGLIGIBLE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Band:
    """A range, both ends included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bands:
    """The ranges for some deals: opening deadwood in points a deal, useful draws as a share, the rest as counts."""

    opening: Band
    useful: Band
    gins: Band
    undercuts: Band


@dataclass(frozen=True, slots=True)
class OneDeal:
    """The results of a seat in one deal: means, and standard deviations around them.

    Useful draws are a share of all draws, which some deals have more of than others: `useful_deviation` is that of a
    deal's useful draws less that share of its draws.
    """

    opening: float
    opening_deviation: float
    draws: float
    useful: float
    useful_deviation: float
    gins: float
    undercuts: float

    def bands(self, deals: int) -> Bands:
        """Return the ranges for a number of deals, which is 1 or more."""
        return Bands(
            opening=_around(self.opening, self.opening_deviation / math.sqrt(deals)),
            useful=_around(self.useful, self.useful_deviation / self.draws / math.sqrt(deals)),
            gins=_binomial(deals, self.gins),
            undercuts=_binomial(deals, self.undercuts),
        )


@cache
def contents() -> dict[str, Any]:
    """Return what the file of data has."""
    return json.loads(DATA.read_text())


def bands(deals: int) -> Bands | None:
    """Return the ranges for a number of deals; None if they are too few."""
    return None if deals < FEWEST_DEALS else OneDeal(**contents()["one_deal"]).bands(deals)


def _around(mean: float, deviation: float) -> Band:
    return Band(mean - _Z * deviation, mean + _Z * deviation)


def _binomial(trials: int, chance: float) -> Band:
    """Return the narrowest range of counts with at most 2.5 % below it, and at most 2.5 % above."""
    # The weights relative to the most likely count: those themselves would be too small for a number.
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
    """Return the first count at which the weights so far are more than is allowed."""
    so_far = 0.0
    for count in counts:
        so_far += weights[count]
        if so_far > allowed:
            return count
    raise AssertionError("the weights are more than what is allowed")
