"""The podium shows up to three people and the superlatives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.values.appearance import Appearance
from bot.values.seasons import Award
from bot.values.standings import Order
from cardart import Picture, draw_podium
from cardart.drawing.themes import THEMES
from cardart.parts.badges import medal
from tests.cardart.card_reader import count
from tests.gallery.sample_profiles import podium, standings, superlative
from tests.gallery.samples import podiums

_ROWS = standings("North 24 15 612", "South 20 1 -85", "East 9 7 -204")
_MOST = (
    superlative(Award.GINS, "North", 12),
    superlative(Award.STREAK, "East", 3),
    superlative(Award.DEAL, "South", 1),
)


def draw(*rows: int, **changed: int) -> Picture:
    """Return the podium of some of the rows, with changes to the last of them."""
    shown = [_ROWS[row] for row in rows]
    shown[-1] = replace(shown[-1], **changed)
    return draw_podium("May 2026", "Matches for points", podium(*shown, order=Order.WINS), _MOST)


def test_the_words_have_everything() -> None:
    """The alt text has the season, the category, each place with its number, and the superlatives."""
    assert draw(0, 1).alt == (
        "May 2026, Matches for points. 1. North: 15 matches won. 2. South: 1 match won. "
        "Most gins: North, 12 gins. Longest streak: East, 3 won. Largest deal: South, 1 point."
    )
    rated = draw_podium("4th quarter of 2026", "Team matches", podium(*standings("N 5 3 9", sigma=400.0)), ())
    assert rated.alt == "4th quarter of 2026, Team matches. 1. N: rating 1509?."


@pytest.mark.parametrize("rows", [(0,), (0, 1), (0, 1, 2)])
def test_everybody_has_a_medal(rows: tuple[int, ...]) -> None:
    """Each place on the podium has a medal, however many places there are."""
    picture = draw(*rows)
    assert [count(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2, 3)] == [
        int(place <= len(rows)) for place in (1, 2, 3)
    ]


def test_those_who_are_as_good_stand_equally_high() -> None:
    """People with equal results have the same medal and stand equally high. The picture shows at most three people."""
    picture = draw(0, 1, place=1)
    assert [count(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2)] == [2, 0]
    assert picture.content != draw(0, 1).content
    fourth = draw(0, 1, 2, 2, place=3)
    assert fourth.content == draw(0, 1, 2).content
    assert fourth.alt.count("3. East") == 2


@pytest.mark.thorough
def test_every_podium_is_small_enough() -> None:
    """Alt texts and files are within their limits, even with the longest names."""
    for _, shown in podiums():
        picture = draw_podium(*shown)
        assert len(picture.alt) <= 1024
        assert len(picture.content) <= 30 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """A theme changes neither the alt text nor the size."""
    shown = podium(*_ROWS)
    drawn = [draw_podium("May 2026", "Team matches", shown, _MOST, Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
