"""Meters show shares."""

from __future__ import annotations

from cardart.drawing.palette import FELT, GOLD, MIST, RECESS, STEPS, palette_index, shade_index
from cardart.parts.meters import meter


def test_parts_have_their_width() -> None:
    """Each part fills its width in its colour, the rest is faint, and the ends are round."""
    image, gold = meter(100, 8, ((0, 40, GOLD), (60, 70, GOLD))).image, palette_index(GOLD)
    # The round end has fewer golden pixels.
    assert [x for x in range(4, 100) if image.getpixel((x, 4)) == gold] == [*range(4, 40), *range(60, 70)]
    assert image.getpixel((50, 4)) not in (gold, palette_index(RECESS))
    assert image.getpixel((0, 0)) == image.getpixel((99, 7)) == palette_index(RECESS)


def test_no_part_is_no_gold() -> None:
    """A meter without parts, or with an empty part, has no colour."""
    assert meter(100, 8, ()).image.tobytes() == meter(100, 8, ((0, 0, GOLD),)).image.tobytes()


def test_a_hollow_part_has_an_outline() -> None:
    """A part without a colour has an outline around the colour of the panel."""
    image = meter(100, 20, ((0, 40, GOLD), (40, 100, None))).image
    assert [image.getpixel((60, y)) == palette_index(MIST) for y in (0, 10, 19)] == [True, False, True]
    assert image.getpixel((60, 10)) == palette_index(RECESS)


def test_mist_stands_back() -> None:
    """A part in mist is halfway to the felt, and its round end has a shade between it and the panel."""
    image = meter(100, 20, ((0, 100, MIST),)).image
    assert image.getpixel((50, 10)) == shade_index(FELT, MIST, STEPS // 2)
    assert {image.getpixel((x, 1)) for x in range(10)} >= {palette_index(RECESS), shade_index(RECESS, MIST, 1)}
