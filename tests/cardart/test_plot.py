"""Scales are easy to read, lines have smooth edges."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardart.drawing.palette import FELT, GOLD, RECESS, SEATS, index
from cardart.drawing.plotting import area, day, dot, line, short, steps


@given(st.integers(-100_000, 100_000), st.integers(1, 200_000))
def test_steps_are_few_even_and_round(low: int, span: int) -> None:
    """At most five, each a multiple of the same 1, 2 or 5 with noughts, none outside, no room for one more."""
    told = steps(low, low + span)
    assert len(told) <= 5
    assert all(low <= number <= low + span for number in told)
    if len(told) > 1:
        (step,) = {after - before for before, after in pairwise(told)}
        assert str(step).rstrip("0") in ("1", "2", "5")
        assert all(number % step == 0 for number in told)
        assert told[0] - step < low
        assert told[-1] + step > low + span


def test_a_scale_goes_from_low_to_high() -> None:
    """Nothing lies between a number and itself."""
    with pytest.raises(ValueError, match="between 3 and 3"):
        steps(3, 3)


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0"), (999, "999"), (-980, "-980"), (1240, "1240"), (-9999, "-9999"), (35_400, "35k"), (-35_400, "-35k")],
)
def test_numbers_are_short(number: int, told: str) -> None:
    """What needs five signs is told in thousands."""
    assert short(number) == told


def test_dates_are_short() -> None:
    """With the year, or without."""
    assert (day(date(2026, 11, 3)), day(date(2027, 1, 31), year=False)) == ("3 Nov 2026", "31 Jan")


def test_a_line_and_an_area_are_where_they_belong() -> None:
    """Their ink covers what lies on them, nothing counts of what does not."""
    size = (60, 40)
    drawn = line(size, [(5, 5), (55, 35)], 4, SEATS[0], RECESS)
    filled = area(size, [(0, 40), (0, 20), (60, 20), (60, 40)], FELT)
    assert drawn.mask is not None
    assert filled.mask is not None
    assert drawn.image.getpixel((30, 20)) == index(SEATS[0])
    assert (drawn.mask.getpixel((30, 20)), drawn.mask.getpixel((30, 5))) == (255, 0)
    assert filled.image.getpixel((30, 30)) == index(FELT)
    assert filled.mask.getpixel((30, 30))
    assert not filled.mask.getpixel((30, 10))


def test_a_dot_is_round() -> None:
    """Its fill in the middle, nothing in the corners."""
    drawn = dot(8, GOLD, RECESS, 2)
    assert drawn.mask is not None
    assert drawn.image.getpixel((8, 8)) == index(GOLD)
    assert drawn.mask.getpixel((0, 0)) == 0
