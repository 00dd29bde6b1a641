"""The standings show places, names and numbers."""

from __future__ import annotations

import pytest

from bot.values.appearance import Appearance
from cardart import draw_standings
from cardart.drawing.lettering import can_write
from cardart.drawing.themes import THEMES
from tests.gallery.sample_profiles import standings

_TWO = standings("North 24 15 612", "South 20 11 -85")


def test_the_words_have_every_number() -> None:
    """The alt text has each place, name, matches, those won, and net points, and the own place if it is shown."""
    alt = draw_standings(_TWO, ("N", "S"), first=11, own=12).alt
    assert alt == (
        "Standings. 11. N North: 24 matches, 15 won, net +612. 12. S South: 20 matches, 11 won, net −85. "
        "Your place: 12."
    )
    assert "Your place" not in draw_standings(_TWO, ("N", "S"), first=11, own=1).alt


def test_everything_told_is_drawn() -> None:
    """Another place, name, monogram or number, and another own place, is another picture."""
    north, south = "North 24 15 612", "South 20 11 -85"
    rows = [
        standings(north, one)
        for one in (south, "Sauth 20 11 -85", "South 21 11 -85", "South 20 12 -85", "South 20 11 85")
    ]
    drawn = {draw_standings(one, ("N", "S")).content for one in rows}
    drawn.add(draw_standings(_TWO, ("N", "T")).content)
    drawn.add(draw_standings(_TWO, ("N", "S"), first=2).content)
    drawn.update(draw_standings(_TWO, ("N", "S"), own=own).content for own in (1, 2))
    assert len(drawn) == len(rows) + 4


def test_names_of_every_script_have_a_row() -> None:
    """A name that the font has no letters for is in the alt text, and takes as much room as another."""
    han = draw_standings(standings("李明 3 1 -40"), ("1",))
    assert "1. 1 李明: 3 matches" in han.alt
    assert han.size == draw_standings(standings("Anna 3 1 -40"), ("A",)).size


@pytest.mark.parametrize("text", ["North", "Østergård", "Иван", "Ελένη", "a_b-c", "Nguyễn", "2 Fast"])
def test_european_names_can_be_written(text: str) -> None:
    """The font has their letters."""
    assert can_write(text)


@pytest.mark.parametrize("text", ["李明", "שלום", "مرحبا", "🃏", "a\u0301", "日本", "\u202eabc", "A🃏"])
def test_other_names_cannot_be_written(text: str) -> None:
    """A script without letters in the font, one from right to left, emojis and combining marks are left out."""
    assert not can_write(text)


@pytest.mark.slow
def test_ten_long_rows_fit() -> None:
    """A page of the longest names has a short enough alt text, and at most 30 KB."""
    rows = standings(*(f"{'W' * 32} {10**4} {10**4} {-(10**7)}" for _ in range(10)))
    picture = draw_standings(rows, [str(mark) for mark in range(10, 20)], first=100)
    assert len(picture.alt) <= 1024
    assert len(picture.content) <= 30 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """A theme changes neither the alt text nor the size."""
    drawn = [draw_standings(_TWO, ("N", "S"), appearance=Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1


def test_a_mark_must_be_a_monogram() -> None:
    """A name in place of a monogram is refused."""
    with pytest.raises(ValueError, match="no monogram"):
        draw_standings(_TWO, ("North", "S"))
