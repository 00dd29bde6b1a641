"""The scale of a chart is easy to read."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardart.parts.line_chart import round_numbers


@given(st.integers(-100_000, 100_000), st.integers(1, 200_000))
def test_a_scale_has_few_even_and_round_numbers(low: int, span: int) -> None:
    """At most five multiples of 1, 2 or 5 with zeros, within the limits, with no room for another one."""
    numbers = round_numbers(low, low + span)
    assert len(numbers) <= 5
    assert all(low <= number <= low + span for number in numbers)
    if len(numbers) > 1:
        (step,) = {after - before for before, after in pairwise(numbers)}
        assert str(step).rstrip("0") in ("1", "2", "5")
        assert all(number % step == 0 for number in numbers)
        assert numbers[0] - step < low
        assert numbers[-1] + step > low + span


def test_a_scale_goes_from_low_to_high() -> None:
    """A scale between a number and itself is refused."""
    with pytest.raises(ValueError, match="between 3 and 3"):
        round_numbers(3, 3)
