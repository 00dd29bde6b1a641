"""A person's card shows how they did."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from cardart import Rival, draw_profile
from cardart.drawing.palette import SEATS
from cardart.drawing.themes import THEMES, Look
from cardart.parts.line_chart import MOST_DOTS
from tests.cardart.reader import colour
from tests.gallery.sample_profiles import career

FEW = career("wlwwd", (60, 20, 35), Rival("S", 4, 3, 1))


def test_the_words_say_all_facts() -> None:
    """Matches, the line's ends and extremes, deals and how they were won, the last results, the rival."""
    assert draw_profile(FEW).alt == (
        "5 matches. Won 60%. Best streak 2. Net points 15 Nov 2026 to 23 Nov 2026: lowest 0, highest +135, in the end "
        "+135. Deals won: 15 of 34; 11 knock, 3 gin, 1 undercut. Last 5: won, lost, won, won, neither. "
        "Most often against S: 3 won, 1 lost."
    )


@pytest.mark.parametrize(
    "change",
    [
        {"mark": "Q"},
        {"share": None},
        {"streak": 3},
        {"deals_won": 16},
        {"deals_lost": 10},
        {"gins": 4},
        {"undercuts": 2},
        {"rival": None},
        {"rival": Rival("S", 4, 2, 1)},
        {"results": FEW.results[:-1]},
    ],
)
def test_every_fact_is_in_the_picture(change: dict[str, object]) -> None:
    """Each changes the picture, and but for the mark of who asks the words too."""
    before, after = draw_profile(FEW), draw_profile(replace(FEW, **change))
    assert before.png != after.png
    assert (before.alt != after.alt) == ("mark" not in change)


@pytest.mark.parametrize("number", [1, 2, MOST_DOTS, MOST_DOTS + 1, 150, 3000])
@pytest.mark.parametrize("kind", ["w", "l", "d", "wwl", "lld"])
def test_any_career_fits(number: int, kind: str) -> None:
    """Of one match or of thousands, all won or all lost: the same size, at most 40 KB, words within the limit."""
    picture = draw_profile(career((kind * number)[:number], (85, 0, 120), None))
    assert picture.size == draw_profile(FEW).size
    assert len(picture.png) <= 40 * 1024
    assert len(picture.alt) <= 1024


def test_matches_of_no_points_have_a_line_too() -> None:
    """Where nothing was gained or lost it is level."""
    level = career("d", (0,))
    assert "lowest 0, highest 0, in the end 0" in draw_profile(level).alt


def test_the_line_goes_through_the_highest_of_many() -> None:
    """One great win among thousands of draws is to be seen: the line's ink is at the top of the chart."""
    results = list(career("d" * 3000, (0,)).results)
    results[1500] = replace(results[1500], net=500, won=True)
    results[1501] = replace(results[1501], net=-500, won=False)
    shown = replace(FEW, results=tuple(results))
    middle = colour(draw_profile(shown), 435, 230)
    assert middle == SEATS[0]


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """A look changes neither the words nor the measures."""
    cards = [draw_profile(FEW, Look(theme)) for theme in THEMES]
    assert len({card.png for card in cards}) == len(THEMES)
    assert len({(card.alt, card.size) for card in cards}) == 1


def test_one_day_is_told_once() -> None:
    """A first match has no span of time."""
    assert f"Net points {date(2026, 11, 23).day} Nov 2026: " in draw_profile(career("w", (5,))).alt
