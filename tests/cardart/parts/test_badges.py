"""Badges distinguish players without showing their names."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import Seat
from cardart.drawing.palette import GOLD, SEAT_COLOURS, palette_index
from cardart.parts.badges import badge, crest


def test_seats_differ_even_with_the_same_letter() -> None:
    """Four players with the same monogram have four different badges."""
    assert len({badge(Seat(seat), "A", 60).image.tobytes() for seat in range(4)}) == 4


def test_a_ring_surrounds_a_shield() -> None:
    """A shield of any size has a ring if it is given a colour, and keeps its size and its own colour."""
    for side in (56, 68, 136):
        plain, ringed = crest("A", SEAT_COLOURS[0], side), crest("A", SEAT_COLOURS[0], side, GOLD)
        assert plain.image.size == ringed.image.size
        assert palette_index(GOLD) not in plain.entries
        assert {palette_index(GOLD), palette_index(SEAT_COLOURS[0])} <= ringed.entries
        assert ringed.image.getpixel((side // 2, 4)) == palette_index(GOLD)


@pytest.mark.parametrize("mark", ["", "ABC", "é", "a", "A B", "♥"])
def test_anything_but_a_monogram_is_refused(mark: str) -> None:
    """Only monograms of one or two characters of A-Z and 0-9 are drawn, so that no name gets into a picture."""
    with pytest.raises(ValueError, match="monogram"):
        badge(Seat(0), mark, 60)
