"""Colour laid on colour, with the shades between them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PIL import Image

from cardart.drawing.painting import Painting, inked
from cardart.drawing.palette import (
    BLACK,
    EDGE,
    FACE,
    FELT,
    GOLD,
    RED,
    SEAT_COLOURS,
    SKY,
    STEPS,
    SUIT_INKS,
    Colour,
    index,
    mixture,
    shade,
)
from tests.cardart import colour_pairs

STEP = 255 // STEPS
"""The coverage of one step; of more, so many times that."""


def covering(*coverage: int) -> Image.Image:
    """So far is each of a few pixels covered."""
    return Image.frombytes("L", (len(coverage), 1), bytes(coverage))


def laid(ground: Colour, *layers: tuple[Colour, int]) -> int:
    """What a pixel is after some layers that cover it so far."""
    painting = Painting((1, 1), ground)
    for colour, coverage in layers:
        painting.lay(colour, covering(coverage))
    return painting.image.tobytes()[0]


@pytest.mark.parametrize(
    ("coverage", "far"),
    [(0, 0), (51, 0), (52, 1), (102, 1), (103, 2), (153, 2), (154, 3), (204, 3), (205, 4), (255, 4)],
)
def test_a_pixel_is_a_shade(coverage: int, far: int) -> None:
    """Between the colour that covers it and the one beneath, in whatever order the palette has them."""
    for ground, colour in ((EDGE, FACE), (FACE, EDGE), (FELT, GOLD), (SEAT_COLOURS[2], BLACK)):
        assert laid(ground, (colour, coverage)) == shade(ground, colour, far)
        assert inked(covering(coverage), colour, ground).tobytes()[0] == shade(ground, colour, far)


def test_what_covers_a_shade_mixes_with_what_it_is_mostly() -> None:
    """A third colour meets the nearer of the two beneath; one of these two goes on from where it was."""
    assert laid(EDGE, (FACE, 3 * STEP), (GOLD, STEP)) == shade(FACE, GOLD, 1)
    assert laid(EDGE, (FACE, STEP), (GOLD, STEP)) == shade(EDGE, GOLD, 1)
    assert laid(EDGE, (FACE, STEP), (FACE, STEP)) == shade(EDGE, FACE, 2)
    assert laid(EDGE, (FACE, 3 * STEP), (EDGE, 3 * STEP)) == shade(EDGE, FACE, 1)


def test_a_painting_ends_at_its_edges() -> None:
    """What is laid on partly outside is there inside."""
    painting = Painting((2, 1), FACE).lay(EDGE, covering(255, 255, 255), (1, 0)).lay(GOLD, covering(255, 255), (-1, 0))
    assert painting.image.tobytes() == bytes((index(GOLD), index(EDGE)))


def test_mixtures_are_what_shades_are() -> None:
    """Each place of the palette tells the two colours it lies between, and how far."""
    for one, other in ((EDGE, FACE), (FACE, SUIT_INKS[next(iter(SUIT_INKS))])):
        for far in range(1, STEPS):
            start, end, steps = mixture(shade(one, other, far))
            assert (start, end, steps) in ((one, other, far), (other, one, STEPS - far))


@pytest.mark.slow
def test_colours_that_meet_have_shades() -> None:
    """In all samples no two colours meet in a pixel without shades, but for the red and blue of court cards.

    And none have shades that never meet.
    """
    run = subprocess.run([sys.executable, "-m", colour_pairs.__name__], check=True, capture_output=True, text=True)
    told = run.stdout.splitlines()
    assert [line for line in told if line.startswith("never")] == []
    assert [line for line in told if str(RED) not in line and str(SKY) not in line] == []
