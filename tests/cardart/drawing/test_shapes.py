"""Shapes drawn from paths are smooth and have the right size."""

from __future__ import annotations

from math import pi

import pytest

from bot.engine.cards.cards import Suit
from cardart.drawing.shapes import circle, outlines, path_mask, suit_mask


def test_a_circle_covers_its_area() -> None:
    """The coverage of a circle adds up to its area, within one percent."""
    covered = sum(path_mask((100, 100), 1, [circle(50, 50, 40)]).tobytes()) / 255
    assert covered == pytest.approx(pi * 40**2, rel=0.01)


def test_curves_start_and_end_at_their_points() -> None:
    """A curve in a path starts and ends exactly at its end points."""
    ((outline, closed),) = outlines("M 0 0 L 10 0 C 10 5 5 10 0 10 Z")
    assert (outline[0], outline[1], outline[-1]) == ((0, 0), (10, 0), (0, 10))
    assert closed


def test_a_pen_draws_along_a_path() -> None:
    """A pen draws along an open path without filling it, and widens a closed path by half its width on each side."""
    opened, whole = "M 20 50 L 80 50 L 80 80", "M 20 20 L 80 20 L 80 80 L 20 80 Z"
    assert sum(path_mask((100, 100), 1, [opened]).tobytes()) == 0
    line = path_mask((100, 100), 1, [opened], 6)
    assert [line.getpixel((50, y)) for y in (46, 49, 54, 65)] == [0, 255, 0, 0]
    assert path_mask((100, 100), 1, [whole]).getbbox() == pytest.approx((20, 20, 80, 80), abs=1)
    assert path_mask((100, 100), 1, [whole], 6).getbbox() == pytest.approx((17, 17, 83, 83), abs=1)


def test_suits_have_shapes_of_their_own() -> None:
    """The four suits differ in shape, not only in colour."""
    assert len({suit_mask(suit, 28).tobytes() for suit in Suit}) == 4
