"""A profile shows all facts about a person's matches, and its chart has a readable scale."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.appearance import Appearance
from bot.model.ratings import Rating
from bot.model.statistics import Category, Profile, Rank
from cardart import THEMES, Picture, Portrait, draw_profile
from cardart.drawing.palette import MIST
from cardart.pictures.profile import MAX_MARKS, round_numbers
from tests.cardart.card_reader import pixel_colour
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_profiles import profile
from tests.helpers.cases import thorough_after

NORTH, SOUTH = Portrait("N", "North"), Portrait("S", "South")
FEW_MATCHES = profile("wlwwd", (60, 20, 35), (4, 3, 1))


def draw(
    shown: Profile,
    theme: str = "classic",
    own: Portrait = NORTH,
    rival: Portrait = SOUTH,
) -> Picture:
    """Draw a profile in this theme."""
    return draw_profile(shown, (own, rival), Appearance(theme))


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the matches, the chart's dates and values, the deals won, the last results and the rival."""
    assert draw(FEW_MATCHES).alt == (
        "North: 5 matches, 3 won (60%), 1 lost, 1 drawn. Best streak 2. "
        "Net points 15 Nov 2026 to 23 Nov 2026: lowest 0, highest +135, at the end +135. Points 0. "
        "Deals won: 15 of 34; 11 knock, 3 gin, 1 undercut. Last 5: won, lost, won, won, neither. "
        "Most often against South: 4 matches, 3 won, 1 lost."
    )
    penalty = replace(FEW_MATCHES, category=Category.PENALTY, points=310, rank=Rank(Rating(1658, 150), 3, 24))
    assert draw(penalty).alt.startswith("North: Rating 1658, place 3 of 24. 5 matches, 3 won (60%), ")
    assert "at the end +135. Penalty points 310. Deals won" in draw(penalty).alt


@pytest.mark.thorough
@pytest.mark.parametrize(
    "other",
    [
        replace(FEW_MATCHES, deals_won=16),
        replace(FEW_MATCHES, deals_lost=10),
        replace(FEW_MATCHES, gins=4),
        replace(FEW_MATCHES, undercuts=2),
        replace(FEW_MATCHES, rival=None),
        profile("wlwwd", (60, 20, 35), (4, 2, 1)),
        replace(FEW_MATCHES, played_matches=FEW_MATCHES.played_matches[:-1]),
        replace(FEW_MATCHES, played_matches=FEW_MATCHES.played_matches[::-1]),
    ],
)
def test_every_fact_is_in_the_picture(other: Profile) -> None:
    """Changing any fact changes the picture and the alt text."""
    before, after = draw(FEW_MATCHES), draw(other)
    assert before.content != after.content
    assert before.alt != after.alt


@pytest.mark.thorough
def test_the_picture_has_the_persons_name() -> None:
    """The picture has the name, or if the font cannot write it, that of the account. The alt text has the name."""
    account = draw(FEW_MATCHES, own=Portrait("N", "李明", username="li.ming"))
    assert account.content != draw(FEW_MATCHES, own=Portrait("N", "李明")).content
    assert account.alt.startswith("李明: ")
    other_rival = draw(FEW_MATCHES, rival=Portrait("Q", "Quentin"))
    assert other_rival.alt == draw(FEW_MATCHES).alt.replace("against South", "against Quentin")
    names = ("North", "South", "李明", "W" * 32)
    assert len({draw(FEW_MATCHES, own=Portrait("N", name)).content for name in names}) == len(names)


def test_faces_replace_shields() -> None:
    """The person and the rival have their avatars in place of shields, and the alt text stays the same."""
    cat, orbit = (sample_avatar(name) for name in ("cat", "orbit"))
    plain = draw(FEW_MATCHES)
    own, rival = (
        draw(FEW_MATCHES, own=Portrait("N", "North", cat)),
        draw(FEW_MATCHES, rival=Portrait("S", "South", orbit)),
    )
    assert len({plain.content, own.content, rival.content}) == 3
    assert len({(picture.alt, picture.size) for picture in (plain, own, rival)}) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("number", [1, MAX_MARKS, MAX_MARKS + 1, 3000])
@pytest.mark.parametrize("results", thorough_after(1, ["lld", "w", "d"]))
def test_any_number_of_matches_fits(number: int, results: str) -> None:
    """Thousands of matches need hardly more lines than a few. The picture and its alt text keep their limits."""
    picture = draw(profile((results * number)[:number], (85, 0, 120)))
    few = draw(FEW_MATCHES).size[1]
    # The legend of the bar has one or two lines.
    assert abs(picture.size[1] - few) <= 32 if number > 1 else picture.size[1] < few
    assert len(picture.content) <= 40 * 1024
    assert len(picture.alt) <= 1024


def test_matches_without_points_have_a_level_line() -> None:
    """If no match had any net points, the chart's line is level at 0."""
    assert "lowest 0, highest 0, at the end 0" in draw(profile("dd", (0, 0))).alt


def test_the_line_goes_through_the_highest_of_many() -> None:
    """One large win among thousands of draws is visible as a point at the top of the chart."""
    played = list(profile("d" * 3000, (0,)).played_matches)
    played[1500] = replace(played[1500], net=400, won=True)
    played[1501] = replace(played[1501], net=-400, won=False)
    assert pixel_colour(draw(replace(FEW_MATCHES, played_matches=tuple(played))), 444, 330) == MIST


def test_themes_differ_in_nothing_but_colours() -> None:
    """A theme changes colours, but neither the alt text nor the size."""
    pictures = [draw(FEW_MATCHES, theme=theme) for theme in THEMES]
    assert len({picture.content for picture in pictures}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in pictures}) == 1


def test_a_single_day_is_written_once() -> None:
    """If several matches were all on one day, the alt text has that date once.

    For a single match, the alt text has the net points without a date, and without lowest and highest values.
    """
    two = profile("ww", (5, 5))
    same_day = replace(two, played_matches=(two.played_matches[0], two.played_matches[0]))
    assert re.search(r"Net points \d+ Nov 2026: lowest", draw(same_day).alt)
    assert "Best streak 1. Net points +5. Points 0. Deals won" in draw(profile("w", (5,))).alt


@given(st.integers(-100_000, 100_000), st.integers(1, 200_000))
def test_a_scale_has_few_even_and_round_numbers(low: int, span: int) -> None:
    """A scale has two to five numbers, the multiples of a step, and begins and ends just outside of its range.

    The step is 1, 2 or 5 times a power of ten.
    """
    numbers = round_numbers(low, low + span)
    assert 2 <= len(numbers) <= 5
    (step,) = {after - before for before, after in pairwise(numbers)}
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert all(number % step == 0 for number in numbers)
    assert numbers[0] <= low < numbers[1]
    assert numbers[-2] < low + span <= numbers[-1]


def test_a_scale_goes_from_low_to_high() -> None:
    """The low end of a scale must be below the high end. Equal ends raise an error."""
    with pytest.raises(ValueError, match="3 is not below 3"):
        round_numbers(3, 3)
