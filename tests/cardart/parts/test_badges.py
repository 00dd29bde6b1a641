"""Badges distinguish players without showing their names."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import Seat
from cardart.parts.badges import badge


def test_seats_differ_even_with_the_same_letter() -> None:
    """Four players with the same monogram have four different badges."""
    assert len({badge(Seat(seat), "A", 60).image.tobytes() for seat in range(4)}) == 4


@pytest.mark.parametrize("mark", ["", "ABC", "é", "a", "A B", "♥"])
def test_anything_but_a_monogram_is_refused(mark: str) -> None:
    """Only monograms of one or two characters of A-Z and 0-9 are drawn, so that no name gets into a picture."""
    with pytest.raises(ValueError, match="monogram"):
        badge(Seat(0), mark, 60)
