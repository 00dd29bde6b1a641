"""The picture of all themes shows each in its own colours, and marks the chosen one."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import THEMES, draw_themes
from cardart.drawing.palette import FELT, TEXT, Colour
from cardart.text.card_names import card_names
from cardart.text.phrases import CURRENT_THEME, THEME_LOOKS
from tests.helpers.cases import thorough_after

_PITCH = (405, 204)
"""Distances between the left edges and between the tops of the tables of two themes, in pixels."""
_FELT_AT, _RING_AT = (200, 175), (200, 13)
"""A pixel of felt, and one of the ring around the chosen theme, relative to the corner of a table."""


@pytest.fixture(autouse=True, scope="module")
def _draw_all_themes() -> None:  # pyright: ignore[reportUnusedFunction]
    """Draw all themes once, so that drawing their backs does not count towards the first test's time."""
    draw_themes(DEFAULT_APPEARANCE)


def pixels(chosen: Appearance, at: tuple[int, int]) -> list[object]:
    """Return the colours of the same pixel of each theme's table."""
    with Image.open(BytesIO(draw_themes(chosen).content)) as image:
        drawn = image.convert("RGB")
    places = [divmod(number, 2) for number in range(len(THEMES))]
    return [drawn.getpixel((column * _PITCH[0] + at[0], row * _PITCH[1] + at[1])) for row, column in places]


def themed(colour: Colour) -> list[Colour]:
    """Return a base colour in each theme."""
    return [theme.colours.get(colour, colour) for theme in THEMES.values()]


@pytest.mark.parametrize("four", thorough_after(1, [False, True]))
def test_each_theme_has_exactly_its_own_felt(four: bool) -> None:
    """Although the themes share a palette, each of them is shown on exactly its own felt."""
    assert pixels(Appearance("bold", four), _FELT_AT) == themed(FELT)


@pytest.mark.parametrize("name", thorough_after(1, THEMES))
def test_only_the_chosen_theme_is_marked(name: str) -> None:
    """A ring surrounds the chosen theme only, and the alt text names it as current."""
    colours = zip(THEMES, pixels(Appearance(name), _RING_AT), themed(FELT), themed(TEXT), strict=True)
    assert all(colour == (white if theme == name else felt) for theme, colour, felt, white in colours)
    alt = draw_themes(Appearance(name)).alt
    assert alt.count(CURRENT_THEME) == 1
    assert f"{name.capitalize()} ({CURRENT_THEME})" in alt


def test_the_alt_text_describes_every_theme() -> None:
    """The alt text has the look of every theme, and the cards in the chosen language, in at most 1,024 characters."""
    assert THEME_LOOKS.keys() == THEMES.keys()
    alt = draw_themes(Appearance(language="sv")).alt
    assert all(name.capitalize() in alt and look in alt for name, look in THEME_LOOKS.items())
    assert card_names("sv").letters[0] in alt.split(".")[0]
    assert len(alt) <= 1024


def test_a_theme_that_no_longer_exists_counts_as_the_default() -> None:
    """If the stored theme no longer exists, the default theme is marked."""
    assert draw_themes(Appearance("plaid")) == draw_themes(DEFAULT_APPEARANCE)


def test_the_picture_is_small() -> None:
    """The picture of all themes has at most 60 KB."""
    assert len(draw_themes(Appearance("lagoon", four_colours=True)).content) <= 60 * 1024
