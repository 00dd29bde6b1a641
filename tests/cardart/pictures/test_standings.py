"""The standings show places, names and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import Suit
from bot.values.appearance import Appearance
from cardart import draw_standings
from cardart.drawing.lettering import can_write
from cardart.drawing.themes import THEMES
from cardart.parts.badges import crest
from tests.cardart.card_reader import count
from tests.gallery.sample_profiles import standings

_TWO = standings("North 24 15 612", "South 20 11 -85")


def test_the_words_have_every_number() -> None:
    """The alt text has each place, name, matches, those won, and net points, and the own place if it is shown."""
    alt = draw_standings(_TWO, first=11, own=12).alt
    assert alt == (
        "Most matches won. 11. North: 24 matches, 15 won (63%), net +612. 12. South: 20 matches, 11 won (55%), "
        "net −85. "
        "Your place: 12."
    )
    assert "Your place" not in draw_standings(_TWO, first=11, own=1).alt


def test_a_match_without_a_result_lowers_no_share() -> None:
    """Words, number and bar are of the matches with a result, so that they agree."""
    (north,) = standings("North 3 2 9")
    picture = draw_standings((replace(north, lost=0),))
    assert "2 matches, 2 won (100%)" in picture.alt
    assert picture.content == draw_standings(standings("North 2 2 9")).content
    (all_won,) = standings("North 3 3 9")
    drawn = draw_standings((replace(all_won, won=2, drawn=1),))
    assert "3 matches, 2 won (67%)" in drawn.alt
    assert picture.content != drawn.content


def test_everything_told_is_drawn() -> None:
    """Another place, name or number, and another own place, is another picture."""
    north, south = "North 24 15 612", "South 20 11 -85"
    rows = [
        standings(north, one)
        for one in (south, "Sauth 20 11 -85", "South 21 11 -85", "South 20 12 -85", "South 20 11 85")
    ]
    drawn = {draw_standings(one).content for one in rows}
    drawn.add(draw_standings(_TWO, first=2).content)
    drawn.update(draw_standings(_TWO, own=own).content for own in (1, 2))
    assert len(drawn) == len(rows) + 3


def test_names_of_every_script_have_a_row() -> None:
    """A name that the font has no letters for is in the alt text, and takes as much room as another."""
    han = draw_standings(standings("李明 3 1 -40"))
    assert "1. 李明: 3 matches" in han.alt
    assert han.size == draw_standings(standings("Anna 3 1 -40")).size


@pytest.mark.parametrize(
    ("name", "sign"),
    [("Østergård", "Ø"), ("иван", "И"), ("_x_", "X"), ("7up", "7"), ("李明", Suit.SPADES), ("…", Suit.SPADES)],
)
def test_a_shield_has_the_first_letter_of_the_name(name: str, sign: str | Suit) -> None:
    """It is a capital of the name's own script, or a suit if the font lacks it, and never looks like a rank."""
    assert count(draw_standings(standings(f"{name} 3 1 -40")), crest(sign, 54).image.crop((14, 14, 40, 40))) == 1


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
    picture = draw_standings(rows, first=100)
    assert len(picture.alt) <= 1024
    assert len(picture.content) <= 30 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """A theme changes neither the alt text nor the size."""
    drawn = [draw_standings(_TWO, appearance=Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
