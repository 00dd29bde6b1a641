"""Paths become smooth shapes of the right size."""

from __future__ import annotations

from math import pi

import pytest

from bot.engine.cards import Suit
from cardart.drawing.shapes import circle, mask, outlines, suit_mask


def test_a_circle_covers_its_area() -> None:
    """The coverage of a circle adds up to its area, within one percent."""
    covered = sum(mask((100, 100), 1, [circle(50, 50, 40)]).tobytes()) / 255
    assert covered == pytest.approx(pi * 40**2, rel=0.01)


def test_a_path_ends_where_it_is_told() -> None:
    """Curves begin and end at their points."""
    (outline,) = outlines("M 0 0 L 10 0 C 10 5 5 10 0 10 Z")
    assert (outline[0], outline[1], outline[-1]) == ((0, 0), (10, 0), (0, 10))


def test_suits_have_shapes_of_their_own() -> None:
    """The four suits differ as shapes, not only by colour."""
    assert len({suit_mask(suit, 28).tobytes() for suit in Suit}) == 4
