"""Sprites cover the pixels they should, and no others."""

from __future__ import annotations

from cardart.drawing.palette import FELT, GOLD, RECESS, SEAT_COLOURS, index
from cardart.drawing.sprites import disc, polygon, polyline


def test_a_line_and_an_area_are_where_they_belong() -> None:
    """Ink covers what lies on the line or in the area; the mask leaves out everything else."""
    size = (60, 40)
    line = polyline(size, [(5, 5), (55, 35)], 4, SEAT_COLOURS[0], RECESS)
    area = polygon(size, [(0, 40), (0, 20), (60, 20), (60, 40)], FELT)
    assert line.mask is not None
    assert area.mask is not None
    assert line.image.getpixel((30, 20)) == index(SEAT_COLOURS[0])
    assert (line.mask.getpixel((30, 20)), line.mask.getpixel((30, 5))) == (255, 0)
    assert area.image.getpixel((30, 30)) == index(FELT)
    assert area.mask.getpixel((30, 30))
    assert not area.mask.getpixel((30, 10))


def test_a_disc_is_round() -> None:
    """The fill is in the centre and nothing is in the corners."""
    drawn = disc(8, GOLD, RECESS, 2)
    assert drawn.mask is not None
    assert drawn.image.getpixel((8, 8)) == index(GOLD)
    assert (drawn.mask.getpixel((8, 8)), drawn.mask.getpixel((0, 0))) == (255, 0)
