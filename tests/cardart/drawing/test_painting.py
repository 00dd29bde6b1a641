"""Partly covered pixels get shades between two colours, and sprites cover exactly the right pixels."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PIL import Image

from cardart.drawing.painting import Painting, disc, inked, polygon, polyline
from cardart.drawing.palette import (
    BLACK,
    EDGE,
    FACE,
    FELT,
    GOLD,
    RECESS,
    SEAT_COLOURS,
    STEPS,
    SUIT_INKS,
    Colour,
    mixture,
    palette_index,
    shade_index,
)
from tests.cardart import drawn_samples

STEP_COVERAGE = 255 // STEPS
"""Coverage (0 to 255) that shades a pixel by one step. `STEPS` times this coverage replaces the colour."""


def coverage_image(*coverage: int) -> Image.Image:
    """Return a one-row image whose pixels are the given coverages, from 0 to 255."""
    return Image.frombytes("L", (len(coverage), 1), bytes(coverage))


def painted_pixel(ground: Colour, *layers: tuple[Colour, int]) -> int:
    """Paint layers, given as colour and coverage, on a pixel, and return its palette index."""
    painting = Painting((1, 1), ground)
    for colour, coverage in layers:
        painting.paint_layer(colour, coverage_image(coverage))
    return painting.image.tobytes()[0]


@pytest.mark.parametrize(
    ("coverage", "far"),
    [(0, 0), (51, 0), (52, 1), (102, 1), (103, 2), (153, 2), (154, 3), (204, 3), (205, 4), (255, 4)],
)
def test_a_pixel_is_a_shade(coverage: int, far: int) -> None:
    """A partly covered pixel gets a shade between its colour and the painted one, whatever their palette order."""
    for ground, colour in ((EDGE, FACE), (FACE, EDGE), (FELT, GOLD), (SEAT_COLOURS[2], BLACK)):
        assert painted_pixel(ground, (colour, coverage)) == shade_index(ground, colour, far)
        assert inked(coverage_image(coverage), colour, ground).tobytes()[0] == shade_index(ground, colour, far)


def test_a_third_colour_mixes_with_the_nearer_colour() -> None:
    """A third colour painted over a mixture of two colours mixes only with the dominant colour.

    If one of the two colours is painted over the mixture again, that colour's share increases.
    """
    assert painted_pixel(EDGE, (FACE, 3 * STEP_COVERAGE), (GOLD, STEP_COVERAGE)) == shade_index(FACE, GOLD, 1)
    assert painted_pixel(EDGE, (FACE, STEP_COVERAGE), (GOLD, STEP_COVERAGE)) == shade_index(EDGE, GOLD, 1)
    assert painted_pixel(EDGE, (FACE, STEP_COVERAGE), (FACE, STEP_COVERAGE)) == shade_index(EDGE, FACE, 2)
    assert painted_pixel(EDGE, (FACE, 3 * STEP_COVERAGE), (EDGE, 3 * STEP_COVERAGE)) == shade_index(EDGE, FACE, 1)


def test_a_painting_ends_at_its_edges() -> None:
    """The part of a layer outside the image is ignored."""
    painting = (
        Painting((2, 1), FACE)
        .paint_layer(EDGE, coverage_image(255, 255, 255), (1, 0))
        .paint_layer(GOLD, coverage_image(255, 255), (-1, 0))
    )
    assert painting.image.tobytes() == bytes((palette_index(GOLD), palette_index(EDGE)))


def test_mixture_is_the_inverse_of_shade() -> None:
    """`mixture` is the inverse of `shade_index`."""
    for one, other in ((EDGE, FACE), (FACE, SUIT_INKS[next(iter(SUIT_INKS))])):
        for far in range(1, STEPS):
            start, end, steps = mixture(shade_index(one, other, far))
            assert (start, end, steps) in ((one, other, far), (other, one, STEPS - far))


@pytest.mark.nightly
def test_samples_have_no_faults() -> None:
    """Samples have no missing or unused shades, no characters that the font lacks, and no overlong alt texts."""
    run = subprocess.run([sys.executable, "-m", drawn_samples.__name__], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == []


def test_a_line_and_a_polygon_cover_their_pixels() -> None:
    """Lines and polygons are drawn in their colour, and their masks exclude all other pixels."""
    size = (60, 40)
    line = polyline(size, [(5, 5), (55, 35)], 4, GOLD, RECESS)
    area = polygon(size, [(0, 40), (0, 20), (60, 20), (60, 40)], GOLD, RECESS)
    assert line.mask is not None
    assert area.mask is not None
    assert line.image.getpixel((30, 20)) == palette_index(GOLD)
    assert (line.mask.getpixel((30, 20)), line.mask.getpixel((30, 5))) == (255, 0)
    assert area.image.getpixel((30, 30)) == shade_index(RECESS, GOLD, 1)
    assert area.mask.getpixel((30, 30))
    assert not area.mask.getpixel((30, 10))


def test_a_disc_is_round() -> None:
    """A disc covers its centre, but not its corners."""
    drawn = disc(8, GOLD, RECESS, 2)
    assert drawn.mask is not None
    assert drawn.image.getpixel((8, 8)) == palette_index(GOLD)
    assert (drawn.mask.getpixel((8, 8)), drawn.mask.getpixel((0, 0))) == (255, 0)
