"""A profile shows all facts about a person's matches, and its chart has a readable scale."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.values.appearance import Appearance
from bot.values.ids import PersonId
from bot.values.statistics import Player, Profile
from cardart import THEMES, Picture, draw_profile
from cardart.drawing.palette import SEAT_COLOURS
from cardart.pictures.profile import MOST_MARKS, round_numbers
from tests.cardart.card_reader import colour
from tests.gallery.sample_profiles import profile
from tests.helpers.cases import thorough_after

FEW = profile("wlwwd", (60, 20, 35), (4, 3, 1))


def drawn(shown: Profile, own: str = "N", rival: str = "S", theme: str = "classic") -> Picture:
    """Draw a profile."""
    return draw_profile(shown, (own, rival), Appearance(theme))


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has matches, the line's ends and extremes, deals won and how, the last results, and the rival."""
    assert drawn(FEW).alt == (
        "5 matches. Won 60%. Best streak 2. Net points 15 Nov 2026 to 23 Nov 2026: lowest 0, highest +135, at the end "
        "+135. Deals won: 15 of 34; 11 knock, 3 gin, 1 undercut. Last 5: won, lost, won, won, neither. "
        "Most often against S: 3 won, 1 lost."
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "other",
    [
        replace(FEW, deals_won=16),
        replace(FEW, deals_lost=10),
        replace(FEW, gins=4),
        replace(FEW, undercuts=2),
        replace(FEW, rival=None),
        profile("wlwwd", (60, 20, 35), (4, 2, 1)),
        replace(FEW, played=FEW.played[:-1]),
        replace(FEW, played=FEW.played[::-1]),
    ],
)
def test_every_fact_is_in_the_picture(other: Profile) -> None:
    """Changing any fact changes the picture and the alt text."""
    before, after = drawn(FEW), drawn(other)
    assert before.content != after.content
    assert before.alt != after.alt


@pytest.mark.thorough
def test_the_picture_has_the_persons_monogram_and_name() -> None:
    """The picture has the monogram and the name, unless the font cannot write the name. The alt text has no name."""
    assert drawn(FEW, own="Q").content != drawn(FEW).content
    assert drawn(FEW, own="Q").alt == drawn(FEW).alt
    assert drawn(FEW, rival="Q").alt == drawn(FEW).alt.replace("against S", "against Q")
    names = ("South", "李明", None, "W" * 32)
    south, han, nobody, longest = (drawn(replace(FEW, player=Player(PersonId(1), name))) for name in names)
    assert han.content == nobody.content
    assert len({south.content, nobody.content, longest.content, drawn(FEW).content}) == 4


@pytest.mark.thorough
@pytest.mark.parametrize("number", [1, MOST_MARKS, MOST_MARKS + 1, 3000])
@pytest.mark.parametrize("results", thorough_after(1, ["lld", "w", "d"]))
def test_any_number_of_matches_fits(number: int, results: str) -> None:
    """Thousands of matches need no more space than a few. The picture has at most 40 KB, and its alt text fits."""
    picture = drawn(profile((results * number)[:number], (85, 0, 120)))
    assert (picture.size == drawn(FEW).size) == (number > 1)
    assert len(picture.content) <= 40 * 1024
    assert len(picture.alt) <= 1024


def test_matches_without_points_have_a_level_line() -> None:
    """A profile without any points gained or lost can be drawn."""
    assert "lowest 0, highest 0, at the end 0" in drawn(profile("dd", (0, 0))).alt


def test_the_line_goes_through_the_highest_of_many() -> None:
    """One large win among thousands of draws is visible as a point at the top of the chart."""
    played = list(profile("d" * 3000, (0,)).played)
    played[1500] = replace(played[1500], net=500, won=True)
    played[1501] = replace(played[1501], net=-500, won=False)
    assert colour(drawn(replace(FEW, played=tuple(played))), 443, 302) == SEAT_COLOURS[0]


def test_themes_differ_in_nothing_but_colours() -> None:
    """A theme changes colours, but neither the alt text nor the size."""
    pictures = [drawn(FEW, theme=theme) for theme in THEMES]
    assert len({picture.content for picture in pictures}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in pictures}) == 1


def test_a_single_day_is_written_once() -> None:
    """If all matches are on one day, its date is written once. A single match has no extremes either."""
    two = profile("ww", (5, 5))
    same_day = replace(two, played=(two.played[0], two.played[0]))
    assert re.search(r"Net points \d+ Nov 2026: lowest", drawn(same_day).alt)
    assert "Best streak 1. Net points +5. Deals won" in drawn(profile("w", (5,))).alt


@given(st.integers(-100_000, 100_000), st.integers(1, 200_000))
def test_a_scale_has_few_even_and_round_numbers(low: int, span: int) -> None:
    """A scale has at most five multiples of 1, 2 or 5 times a power of ten, and no room for another one."""
    numbers = round_numbers(low, low + span)
    assert len(numbers) <= 5
    assert all(low <= number <= low + span for number in numbers)
    if len(numbers) > 1:
        (step,) = {after - before for before, after in pairwise(numbers)}
        assert str(step).rstrip("0") in ("1", "2", "5")
        assert all(number % step == 0 for number in numbers)
        assert numbers[0] - step < low
        assert numbers[-1] + step > low + span


def test_a_scale_goes_from_low_to_high() -> None:
    """A scale from a number to itself is refused."""
    with pytest.raises(ValueError, match="3 is not below 3"):
        round_numbers(3, 3)
