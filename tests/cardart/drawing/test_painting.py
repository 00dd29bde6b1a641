"""Colours mix to the shades between them. Sprites cover exactly the pixels that they should."""

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
    index,
    mixture,
    shade,
)
from tests.cardart import drawn_samples

STEP = 255 // STEPS
"""Coverage of one step."""


def covering(*coverage: int) -> Image.Image:
    """Return an image of a few pixels with the given coverages."""
    return Image.frombytes("L", (len(coverage), 1), bytes(coverage))


def laid(ground: Colour, *layers: tuple[Colour, int]) -> int:
    """Return the palette index of a pixel after painting layers with the given coverages."""
    painting = Painting((1, 1), ground)
    for colour, coverage in layers:
        painting.lay(colour, covering(coverage))
    return painting.image.tobytes()[0]


@pytest.mark.parametrize(
    ("coverage", "far"),
    [(0, 0), (51, 0), (52, 1), (102, 1), (103, 2), (153, 2), (154, 3), (204, 3), (205, 4), (255, 4)],
)
def test_a_pixel_is_a_shade(coverage: int, far: int) -> None:
    """A partly covered pixel is a shade between both colours, whichever comes first in the palette."""
    for ground, colour in ((EDGE, FACE), (FACE, EDGE), (FELT, GOLD), (SEAT_COLOURS[2], BLACK)):
        assert laid(ground, (colour, coverage)) == shade(ground, colour, far)
        assert inked(covering(coverage), colour, ground).tobytes()[0] == shade(ground, colour, far)


def test_what_covers_a_shade_mixes_with_what_it_is_mostly() -> None:
    """A third colour mixes with the nearer of the two beneath. One of these two colours extends the mixture."""
    assert laid(EDGE, (FACE, 3 * STEP), (GOLD, STEP)) == shade(FACE, GOLD, 1)
    assert laid(EDGE, (FACE, STEP), (GOLD, STEP)) == shade(EDGE, GOLD, 1)
    assert laid(EDGE, (FACE, STEP), (FACE, STEP)) == shade(EDGE, FACE, 2)
    assert laid(EDGE, (FACE, 3 * STEP), (EDGE, 3 * STEP)) == shade(EDGE, FACE, 1)


def test_a_painting_ends_at_its_edges() -> None:
    """The part of a layer outside the image is ignored."""
    painting = Painting((2, 1), FACE).lay(EDGE, covering(255, 255, 255), (1, 0)).lay(GOLD, covering(255, 255), (-1, 0))
    assert painting.image.tobytes() == bytes((index(GOLD), index(EDGE)))


def test_mixtures_are_what_shades_are() -> None:
    """`mixture` is the inverse of `shade`."""
    for one, other in ((EDGE, FACE), (FACE, SUIT_INKS[next(iter(SUIT_INKS))])):
        for far in range(1, STEPS):
            start, end, steps = mixture(shade(one, other, far))
            assert (start, end, steps) in ((one, other, far), (other, one, STEPS - far))


@pytest.mark.thorough
def test_nothing_is_wrong_with_any_sample() -> None:
    """Adjacent colours have shades, no shades are unused, the font has each character, and alt texts fit."""
    run = subprocess.run([sys.executable, "-m", drawn_samples.__name__], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == []


def test_a_line_and_an_area_are_where_they_belong() -> None:
    """Ink covers the line or the area, and the mask excludes all other pixels."""
    size = (60, 40)
    line = polyline(size, [(5, 5), (55, 35)], 4, SEAT_COLOURS[0], RECESS)
    area = polygon(size, [(0, 40), (0, 20), (60, 20), (60, 40)], SEAT_COLOURS[0], RECESS)
    assert line.mask is not None
    assert area.mask is not None
    assert line.image.getpixel((30, 20)) == index(SEAT_COLOURS[0])
    assert (line.mask.getpixel((30, 20)), line.mask.getpixel((30, 5))) == (255, 0)
    assert area.image.getpixel((30, 30)) == shade(RECESS, SEAT_COLOURS[0], 1)
    assert area.mask.getpixel((30, 30))
    assert not area.mask.getpixel((30, 10))


def test_a_disc_is_round() -> None:
    """A disc covers its centre, but not its corners."""
    drawn = disc(8, GOLD, RECESS, 2)
    assert drawn.mask is not None
    assert drawn.image.getpixel((8, 8)) == index(GOLD)
    assert (drawn.mask.getpixel((8, 8)), drawn.mask.getpixel((0, 0))) == (255, 0)
