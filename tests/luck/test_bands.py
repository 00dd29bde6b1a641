"""The ranges that contain 95 % of players by chance alone."""

from __future__ import annotations

import math

import pytest

from bot.engine.rules import Rules
from bot.luck.bands import MIN_DEALS, OneDeal, bands, load_data
from bot.luck.measures import is_measured
from bot.opponent.play.levels import Level


@pytest.mark.parametrize(("deals", "chance"), [(30, 0.1), (47, 0.03), (200, 0.103), (1, 0.5)])
def test_ranges_of_counts_are_exact(deals: int, chance: float) -> None:
    """At most 2.5 % of players are below a range of counts, and at most 2.5 % above. No narrower range fulfils this."""
    found = OneDeal(56, 14, 5, 0.67, 1, chance, chance).bands(deals).gins
    probabilities = [
        math.comb(deals, count) * chance**count * (1 - chance) ** (deals - count) for count in range(deals + 1)
    ]
    low, high = int(found.low), int(found.high)
    assert sum(probabilities[:low]) <= 0.025 < sum(probabilities[: low + 1])
    assert sum(probabilities[high + 1 :]) <= 0.025 < sum(probabilities[high:])


def test_ranges_of_means_narrow_with_the_root_of_the_deals() -> None:
    """With four times as many deals, a range of means is half as wide, with the same centre."""
    distribution = OneDeal(56, 14, 5, 0.67, 1, 0.1, 0.03)
    for name in ("opening", "useful"):
        wide, narrow = (getattr(distribution.bands(deals), name) for deals in (100, 400))
        assert wide.high - wide.low == pytest.approx(2 * (narrow.high - narrow.low))
        assert wide.high + wide.low == pytest.approx(narrow.high + narrow.low)
    of_hundred = distribution.bands(100).opening
    assert (of_hundred.low, of_hundred.high) == pytest.approx((56 - 1.96 * 1.4, 56 + 1.96 * 1.4), abs=0.001)


def test_ranges_need_a_minimum_of_deals() -> None:
    """Ranges exist from `MIN_DEALS` deals on, even for 100,000 deals, but not for fewer deals."""
    assert bands(MIN_DEALS - 1) is None
    for deals in (MIN_DEALS, 100_000):
        found = bands(deals)
        assert found is not None
        assert found.gins.low < load_data()["one_deal"]["gins"] * deals < found.gins.high + 1


def test_the_data_are_complete() -> None:
    """The data come from enough deals, and each range contains about 95 % of the simulated results.

    The data name a level that exists, and rules under which luck is measured.
    """
    data = load_data()
    assert is_measured(Rules.parse(data["rules"]))
    assert data["level"] in {*Level}
    assert data["deals"] >= 50_000
    for of_measures in data["within"].values():
        for name, share in of_measures.items():
            # Counts are discrete, so their ranges cover more than 95 %.
            assert 0.94 <= share <= (0.96 if name in ("opening", "useful") else 0.995)
