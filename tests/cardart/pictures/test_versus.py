"""The picture of two people's matches shows all facts of its alt text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.appearance import Appearance
from bot.model.history import Versus
from bot.model.statistics import Category
from cardart import THEMES, Portrait, draw_versus
from cardart.pictures.versus import MAX_MEETINGS
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_profiles import versus

PAIR = (Portrait("N", "North"), Portrait("S", "South"))
FEW_MATCHES = versus("12d1", (110, 35, 12, 104))


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the matches, wins, points, averages, gins, streaks, and each of the last matches."""
    assert draw_versus(FEW_MATCHES, PAIR).alt == (
        "North against South: 4 matches, 1 won by neither (1 drawn). Won North 2, South 1. "
        "Points from deals North 244, South 278. "
        "Points from deals per match North 61.0, South 69.5. Gins North 2, South 0. Best streak North 1, South 1. "
        "Last 4 · points from deals: 23 Nov 2026 12–104 North won, 20 Nov 2026 110–35 drawn, "
        "17 Nov 2026 12–104 South won, 14 Nov 2026 110–35 North won."
    )
    teams = draw_versus(replace(FEW_MATCHES, category=Category.TEAMS), PAIR)
    assert "Points from deals of each team North 244, South 278." in teams.alt


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
    before, after = draw_versus(FEW_MATCHES, PAIR), draw_versus(other, PAIR)
    assert before.content != after.content
    assert before.alt != after.alt


@pytest.mark.thorough
def test_any_names_and_any_number_of_matches_fit() -> None:
    """A stand-in replaces a name that the font cannot write. Of thousands of matches, only the last are drawn."""
    pictures = [
        draw_versus(
            versus("12o-d" * 1000, (123_456, 1_234_567)),
            (Portrait("N", name, sample_avatar("cat")), Portrait("W", "W" * 35, sample_avatar("orbit"))),
        )
        for name in ("N" * 35, "李明")
    ]
    assert len({picture.content for picture in pictures}) == 2
    assert {picture.size for picture in pictures} == {draw_versus(versus("1" * MAX_MEETINGS, (1, 2)), PAIR).size}
    assert all(len(picture.content) <= 40 * 1024 and len(picture.alt) <= 1024 for picture in pictures)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ("1222", ". South won 3 in a row. "),
        ("1-1", ". North won 2 in a row. "),
        ("112", None),
        ("11d", None),
        ("11o", None),
        ("--", None),
    ],
)
def test_a_current_streak_is_shown(results: str, said: str | None) -> None:
    """The alt text has a winning streak of two or more up to the last match, which matches without result continue."""
    alt = draw_versus(versus(results, (110, 35)), PAIR).alt
    assert ("in a row" in alt) == (said is not None)
    assert said is None or said in alt


def test_faces_replace_badges() -> None:
    """Avatars change the picture, but neither its size nor the alt text."""
    faces = [replace(shown, avatar=sample_avatar("cat")) for shown in PAIR]
    plain, drawn = draw_versus(FEW_MATCHES, PAIR), draw_versus(FEW_MATCHES, faces)
    assert plain.content != drawn.content
    assert (plain.alt, plain.size) == (drawn.alt, drawn.size)


def test_themes_differ_only_in_colours() -> None:
    """A theme changes colours, but neither the alt text nor the size."""
    pictures = [draw_versus(FEW_MATCHES, PAIR, Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in pictures}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in pictures}) == 1
