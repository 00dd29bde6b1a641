"""The activity chart of a server shows its matches and players per week."""

from __future__ import annotations

import pytest

from bot.model.appearance import Appearance
from cardart import draw_activity
from cardart.drawing.palette import GOLD, RECESS, SEAT_COLOURS
from cardart.drawing.themes import THEMES
from tests.cardart.card_reader import pixel_colour
from tests.gallery.sample_profiles import weeks

BUSY = weeks((3, 4), (0, 0), (7, 5))


def test_the_alt_text_has_every_week() -> None:
    """The alt text has the date and the numbers of every week with matches."""
    assert draw_activity(BUSY).alt == (
        "Matches and players per week, 9 Nov 2026 to 23 Nov 2026: matches 10 in all, players 5 at most. "
        "9 Nov: 3, 4; 23 Nov: 7, 5; otherwise none. The last week is not over."
    )


def test_bars_are_as_high_as_their_numbers() -> None:
    """The highest bar fills the plot, other bars are proportional to their numbers, and zero has no bar."""
    picture = draw_activity(BUSY)
    left, middle, right = 164, 400, 636
    for foot, ink, numbers in ((328, GOLD, (3, 7)), (588, SEAT_COLOURS[0], (4, 5))):
        for x, number in zip((left, right), numbers, strict=True):
            high = round(148 * number / max(numbers))
            assert pixel_colour(picture, x, foot - high + 2) == ink
            assert pixel_colour(picture, x, foot - high - 3) != ink
        assert pixel_colour(picture, middle, foot - 4) != ink


def test_the_bar_of_the_current_week_is_fainter() -> None:
    """The bars of the current week, which is the last one, are fainter inside than other bars."""
    picture = draw_activity(BUSY)
    for foot, ink in ((328, GOLD), (588, SEAT_COLOURS[0])):
        assert pixel_colour(picture, 164, foot - 20) == ink
        inside = pixel_colour(picture, 636, foot - 20)
        assert all(min(ends) < level < max(ends) for level, *ends in zip(inside, ink, RECESS, strict=True))


def test_weeks_before_the_first_match_are_left_out() -> None:
    """The chart and its alt text start with the week of the first match, but cover at least six weeks."""
    for empty, shown in ((10, 6), (4, 8)):
        told = weeks(*[(0, 0)] * empty, *[(3, 4)] * (12 - empty))
        assert draw_activity(told) == draw_activity(told[-shown:]) != draw_activity(told[1 - shown :])


@pytest.mark.parametrize("number", [1, 99, 999, 4321])
def test_many_matches_fit(number: int) -> None:
    """With any number of matches, the picture has at most 40 KB, and its alt text at most 1,024 characters."""
    picture = draw_activity(weeks(*[(number, number)] * 12))
    assert len(picture.content) <= 40 * 1024
    assert len(picture.alt) <= 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    charts = [draw_activity(BUSY, Appearance(theme)) for theme in THEMES]
    assert len({chart.content for chart in charts}) == len(THEMES)
    assert len({(chart.alt, chart.size) for chart in charts}) == 1
