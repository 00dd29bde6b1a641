"""The picture of two people's matches shows all facts of its alt text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.appearance import Appearance
from bot.model.history import Versus
from bot.model.statistics import Category
from cardart import THEMES, draw_versus
from cardart.pictures.versus import MAX_MEETINGS
from tests.gallery.sample_profiles import versus

FEW_MATCHES = versus("12d1", (110, 35, 12, 104))


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the matches, wins, points, gins, streaks, and each of the last matches."""
    assert draw_versus(FEW_MATCHES, ("N", "S")).alt == (
        "N against S: 4 matches, 1 won by neither. Won N 2, S 1. Points N 244, S 278. Gins N 2, S 0. "
        "Best streak N 1, S 1. Last 4: 23 Nov 2026 12–104 N won, 20 Nov 2026 110–35 drawn, "
        "17 Nov 2026 12–104 S won, 14 Nov 2026 110–35 N won."
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "other",
    [
        replace(FEW_MATCHES, points=(244, 279)),
        replace(FEW_MATCHES, gins=(2, 1)),
        replace(FEW_MATCHES, category=Category.PENALTY),
        replace(FEW_MATCHES, meetings=FEW_MATCHES.meetings[::-1]),
        replace(FEW_MATCHES, meetings=FEW_MATCHES.meetings[1:]),
        versus("12o1", (110, 35, 12, 104)),
        versus("12-1", (110, 35, 12, 104)),
        versus("12d1", (110, 35, 13, 104)),
    ],
)
def test_every_fact_is_in_the_picture(other: Versus) -> None:
    """Changing any fact changes the picture and the alt text."""
    before, after = draw_versus(FEW_MATCHES, ("N", "S")), draw_versus(other, ("N", "S"))
    assert before.content != after.content
    assert before.alt != after.alt


@pytest.mark.thorough
def test_any_names_and_any_number_of_matches_fit() -> None:
    """Names that the font cannot write are left out. Of thousands of matches, only the last ten are drawn."""
    pictures = [
        draw_versus(versus("12o-d" * 1000, (123_456, 1_234_567), (name, "W" * 32)), ("N", "W"))
        for name in ("N" * 32, "李明")
    ]
    assert len({picture.content for picture in pictures}) == 2
    assert {picture.size for picture in pictures} == {draw_versus(versus("1" * MAX_MEETINGS, (1, 2)), ("N", "S")).size}
    assert all(len(picture.content) <= 40 * 1024 and len(picture.alt) <= 1024 for picture in pictures)


def test_themes_differ_only_in_colours() -> None:
    """A theme changes colours, but neither the alt text nor the size."""
    pictures = [draw_versus(FEW_MATCHES, ("N", "S"), Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in pictures}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in pictures}) == 1
