"""The activity chart of a server shows its matches and players by day or week, and totals."""

from __future__ import annotations

import pytest

from bot.model.appearance import Appearance
from cardart import Picture, draw_activity
from cardart.drawing.palette import GOLD, MIST, RECESS
from cardart.drawing.themes import THEMES
from tests.cardart.card_reader import pixel_colour
from tests.gallery.sample_profiles import activity

BUSY = activity((3, 4), (0, 0), (7, 5))
MATCHES_FOOT, PLAYERS_FOOT = 362, 540
"""The y coordinates of the lower ends of bars, in pixels."""
PLOT_HEIGHT = 92
COLUMNS = (97, 198, 299)
"""The x coordinates of the middles of the first three bars, in pixels."""


def test_the_alt_text_has_every_week() -> None:
    """The alt text has the totals, the busiest week, and the date and the numbers of every week with matches."""
    assert draw_activity(BUSY).alt == (
        "The last 3 weeks: 10 matches, 60 deals, 5 players. Busiest week 23 Nov. "
        "Matches and players per week, 9 Nov 2026 to 23 Nov 2026: 9 Nov: 3, 4; 23 Nov: 7, 5; otherwise none. "
        "The current week isn't over yet."
    )


def test_the_alt_text_has_every_day() -> None:
    """The alt text of a server's first days has weekdays, and that of the first day has no busiest day."""
    assert draw_activity(activity((3, 4), (3, 2), is_daily=True)).alt == (
        "The last 2 days: 6 matches, 36 deals, 4 players. Busiest day Sun 22 Nov. "
        "Matches and players per day, 22 Nov 2026 to 23 Nov 2026: Sun 22 Nov: 3, 4; Mon 23 Nov: 3, 2. "
        "The current day isn't over yet."
    )
    assert draw_activity(activity((1, 2), is_daily=True)).alt == (
        "Today so far: 1 match, 6 deals, 2 players. Matches and players per day, 23 Nov 2026: Mon 23 Nov: 1, 2. "
        "The current day isn't over yet."
    )


def test_bars_are_as_high_as_their_numbers() -> None:
    """The highest bar fills the plot, other bars are proportional to their numbers, and zero has no bar."""
    picture = draw_activity(BUSY)
    left, middle, right = COLUMNS
    for foot, ink, numbers in ((MATCHES_FOOT, GOLD, (3, 7)), (PLAYERS_FOOT, MIST, (4, 5))):
        for x, number in zip((left, right), numbers, strict=True):
            high = round(PLOT_HEIGHT * number / max(numbers))
            assert pixel_colour(picture, x, foot - high + 2) == ink
            assert pixel_colour(picture, x, foot - high - 3) != ink
        assert pixel_colour(picture, middle, foot - 4) != ink


def test_the_last_bar_is_fainter() -> None:
    """The bars of the current day or week, which is the last one, are fainter inside than other bars."""
    picture = draw_activity(BUSY)
    for foot, ink in ((MATCHES_FOOT, GOLD), (PLAYERS_FOOT, MIST)):
        assert pixel_colour(picture, COLUMNS[0], foot - 20) == ink
        inside = pixel_colour(picture, COLUMNS[2], foot - 20)
        assert all(min(ends) < level < max(ends) for level, *ends in zip(inside, ink, RECESS, strict=True))


def test_small_numbers_do_not_fill_the_plot() -> None:
    """The bar of a single match is a fifth as high as the plot."""
    picture = draw_activity(activity((1, 1), is_daily=True))
    assert pixel_colour(picture, COLUMNS[0], MATCHES_FOOT - 5) != RECESS
    assert pixel_colour(picture, COLUMNS[0], MATCHES_FOOT - PLOT_HEIGHT // 5 - 5) == RECESS


def test_days_and_weeks_have_two_sizes() -> None:
    """The picture is lower as long as days or weeks are to come, and days look different from weeks."""
    numbers = [(2 + place % 3, 3) for place in range(14)]
    days = [draw_activity(activity(*numbers[:length], is_daily=True)) for length in range(1, 15)]
    weeks = [draw_activity(activity(*numbers[:length])) for length in range(3, 13)]
    (low,), (high,) = ({picture.size for picture in group} for group in (days[:6] + weeks[:4], days[6:] + weeks[4:]))
    assert low[0] == high[0]
    assert low[1] < high[1]
    assert len({picture.content for picture in (*days, *weeks)}) == len(days) + len(weeks)


def test_the_peaks_of_both_charts_are_golden() -> None:
    """The number on each of the highest bars is golden in both charts, unless there is only one bar."""
    level = draw_activity(activity((8, 6), (8, 6), (2, 2)))
    for foot in (MATCHES_FOOT, PLAYERS_FOOT):
        for x, is_peak in zip(COLUMNS, (True, True, False), strict=True):
            top = foot - (PLOT_HEIGHT if is_peak else round(PLOT_HEIGHT * (2 / 8 if foot == MATCHES_FOOT else 2 / 6)))
            number = {pixel_colour(level, x + dx, top - dy) for dx in range(-12, 12) for dy in range(8, 32)}
            assert (GOLD in number) == is_peak


@pytest.mark.parametrize("number", [1, 99, 999, 4321])
def test_many_matches_fit(number: int) -> None:
    """With any number of matches, the picture has at most 40 KB, and its alt text at most 1,024 characters."""
    pictures: list[Picture] = [
        draw_activity(activity(*[(number, number)] * 12)),
        draw_activity(activity(*[(number, number)] * 14, is_daily=True)),
    ]
    for picture in pictures:
        assert len(picture.content) <= 40 * 1024
        assert len(picture.alt) <= 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    charts = [draw_activity(BUSY, Appearance(theme)) for theme in THEMES]
    assert len({chart.content for chart in charts}) == len(THEMES)
    assert len({(chart.alt, chart.size) for chart in charts}) == 1
