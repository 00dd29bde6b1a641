"""The activity chart of a server shows its matches and players by day or week, and totals."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from bot.model.appearance import Appearance
from bot.model.statistics import Activity, ActivitySpan
from cardart import Picture, draw_activity
from cardart.drawing.palette import FACE, GOLD, MIST, RECESS
from cardart.drawing.themes import THEMES
from tests.cardart.card_reader import pixel_colour
from tests.gallery.sample_profiles import activity

BUSY = activity((3, 4), (0, 0), (7, 5))
MATCHES_FOOT, PLAYERS_FOOT = 376, 584
"""The y coordinates of the lower ends of bars, in pixels."""
PLOT_HEIGHT = 90
COLUMNS = (96, 197, 298)
"""The x coordinates of the middles of the first three bars, in pixels."""
HIGH_MATCHES_FOOT, HIGH_PLAYERS_FOOT = 412, 656
"""The y coordinates of the lower ends of bars in the higher picture, in pixels."""
PLOT_LEFT, PLOT_RIGHT = 46, 754


def test_the_alt_text_has_every_week() -> None:
    """The alt text has the totals, the busiest week, and the date and the numbers of every week with matches."""
    assert draw_activity(BUSY).alt == (
        "The last 3 weeks: 10 matches, 60 deals, 5 players. Busiest week 23 Nov. "
        "Matches and players per week, 9 Nov 2026 to 23 Nov 2026: 9 Nov: 3, 4; 23 Nov: 7, 5; otherwise none. "
        "The current week isn't over yet."
    )


def test_the_alt_text_has_every_day() -> None:
    """The alt text of a server's first days has weekdays, and that of the first day has its date and its totals."""
    assert draw_activity(activity((3, 4), (3, 2), is_daily=True)).alt == (
        "The last 2 days: 6 matches, 36 deals, 4 players. Busiest day Sun 22 Nov. "
        "Matches and players per day, 22 Nov 2026 to 23 Nov 2026: Sun 22 Nov: 3, 4; Mon 23 Nov: 3, 2. "
        "The current day isn't over yet."
    )
    assert draw_activity(activity((1, 2), is_daily=True)).alt == (
        "Today so far, Mon 23 Nov 2026: 1 match, 6 deals, 2 players."
    )


def test_the_first_day_has_only_totals() -> None:
    """The picture of a single day has no bars, and is less than half as high as that of two."""
    first, second = (draw_activity(activity(*[(9, 8)] * days, is_daily=True)) for days in (1, 2))
    assert first.size[0] == second.size[0]
    assert first.size[1] < second.size[1] / 2
    assert GOLD not in {pixel_colour(first, x, y) for x in range(PLOT_LEFT, PLOT_RIGHT) for y in range(first.size[1])}


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
    picture = draw_activity(activity((1, 1), (1, 1), is_daily=True))
    assert pixel_colour(picture, COLUMNS[0], MATCHES_FOOT - 5) != RECESS
    assert pixel_colour(picture, COLUMNS[0], MATCHES_FOOT - PLOT_HEIGHT // 5 - 5) == RECESS


def test_nothing_stands_for_weeks_to_come() -> None:
    """To the right of the last bar, there is nothing above the line below the bars."""
    picture = draw_activity(BUSY)
    for foot in (MATCHES_FOOT, PLAYERS_FOOT):
        rows = range(foot - PLOT_HEIGHT, foot)
        assert {pixel_colour(picture, x, y) for x in range(COLUMNS[2] + 50, PLOT_RIGHT) for y in rows} == {RECESS}


def test_days_and_weeks_have_two_sizes() -> None:
    """The picture is lower as long as days or weeks are to come, and days look different from weeks."""
    numbers = [(2 + place % 3, 3) for place in range(14)]
    days = [draw_activity(activity(*numbers[:length], is_daily=True)) for length in range(2, 15)]
    weeks = [draw_activity(activity(*numbers[:length])) for length in range(3, 13)]
    (low_days,), (high_days,), (low_weeks,), (high_weeks,) = (
        {picture.size for picture in group} for group in (days[:5], days[5:], weeks[:4], weeks[4:])
    )
    assert low_days[0] == high_days[0] == low_weeks[0] == high_weeks[0]
    assert high_days[1] - low_days[1] == high_weeks[1] - low_weeks[1] > 0
    assert len({picture.content for picture in (*days, *weeks)}) == len(days) + len(weeks)


def test_the_peaks_of_both_charts_are_white() -> None:
    """The numbers on all of the highest bars are white in both charts, and other numbers are fainter."""
    # In the classic theme, white is the colour of card faces.
    level = draw_activity(activity((6, 4), (8, 6), (8, 6)))
    for foot in (MATCHES_FOOT, PLAYERS_FOOT):
        for x, number in zip(COLUMNS, (6, 8, 8) if foot == MATCHES_FOOT else (4, 6, 6), strict=True):
            top = foot - round(PLOT_HEIGHT * number / (8 if foot == MATCHES_FOOT else 6))
            inks = {pixel_colour(level, x + dx, top - dy) for dx in range(-12, 12) for dy in range(8, 32)}
            assert (FACE in inks) == (x != COLUMNS[0])
            assert (MIST in inks) == (x == COLUMNS[0])


@pytest.mark.parametrize("columns", range(7, 15))
def test_bars_are_evenly_spaced(columns: int) -> None:
    """All bars of a chart are equally wide, and so are the gaps between them."""
    picture = draw_activity(activity(*[(2, 3)] * columns, is_daily=True))
    row = "".join(
        "-" if pixel_colour(picture, x, HIGH_MATCHES_FOOT - 2) == RECESS else "#" for x in range(PLOT_LEFT, PLOT_RIGHT)
    )
    bars, gaps = re.findall("#+", row), re.findall("(?<=#)-+(?=#)", row)
    assert len(bars) == columns
    assert len(set(bars)) == len(set(gaps)) == 1


@pytest.mark.parametrize("is_daily", [True, False])
def test_texts_stay_between_the_ends_of_the_plot(*, is_daily: bool) -> None:
    """Neither a number nor a date of the first and the last bar reaches beyond the line below the bars."""
    picture = draw_activity(activity(*[(4321, 4321)] * 12, is_daily=is_daily))
    rows = range(HIGH_MATCHES_FOOT - 160, HIGH_PLAYERS_FOOT + 40)
    for x in (*range(PLOT_LEFT - 10, PLOT_LEFT), *range(PLOT_RIGHT, PLOT_RIGHT + 10)):
        assert {pixel_colour(picture, x, y) for y in rows} == {RECESS}


@pytest.mark.parametrize("last", [date(2026, 5, 25), date(2026, 11, 23)], ids=["wide", "narrow"])
@pytest.mark.parametrize("columns", range(8, 13))
def test_the_last_date_is_below_the_middle_of_its_bar(columns: int, last: date) -> None:
    """The date of the last week is centred on its bar, and does not reach beyond the line below the bars."""
    spans = tuple(ActivitySpan(last - timedelta(weeks=ago), 2, 3) for ago in reversed(range(columns)))
    picture = draw_activity(Activity(spans, is_daily=False, deals=9, players=3))
    row = [x for x in range(PLOT_LEFT, PLOT_RIGHT) if pixel_colour(picture, x, HIGH_PLAYERS_FOOT - 2) != RECESS]
    bar_left = next(x for x in reversed(row) if x - 1 not in row)
    date_rows = range(HIGH_PLAYERS_FOOT + 14, HIGH_PLAYERS_FOOT + 40)
    date_columns = [
        x
        for x in range(bar_left - 32, PLOT_RIGHT + 10)
        if any(pixel_colour(picture, x, y) != RECESS for y in date_rows)
    ]
    assert (date_columns[0] + date_columns[-1]) / 2 == pytest.approx((bar_left + row[-1]) / 2, abs=3)
    assert date_columns[-1] < PLOT_RIGHT


@pytest.mark.parametrize(
    ("peaks", "expected"),
    [
        ((3,), (3, 11)),
        ((9,), (9, 11)),
        ((10,), (10,)),
        ((11,), (11,)),
        ((2, 6), (2, 6, 11)),
        ((2, 3, 6), (2, 6, 11)),
        ((4, 10), (4, 11)),
    ],
    ids=["early", "late", "next", "last", "tie", "close-tie", "late-tie"],
)
def test_wide_numbers_are_on_the_peaks_and_the_last_bar(peaks: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """If numbers do not fit next to each other, only the peaks and the last bar have one, but no neighbours."""
    numbers = [(4321 if place in peaks else 4300, 1234) for place in range(12)]
    picture = draw_activity(activity(*numbers))
    number_y = HIGH_MATCHES_FOOT - 126 - 20
    row = "".join("-" if pixel_colour(picture, x, number_y) == RECESS else "#" for x in range(PLOT_LEFT, PLOT_RIGHT))
    middles = [PLOT_LEFT + (found.start() + found.end()) / 2 for found in re.finditer("#(-{,20}#)*", row)]
    assert middles == [pytest.approx(64 + 56 * (place + 0.5), abs=5) for place in expected]


@pytest.mark.parametrize(("numbers", "is_explained"), [([(1, 2), (3, 2)], True), ([(1, 2), (0, 0)], False)])
def test_the_look_of_the_last_bar_is_explained(numbers: list[tuple[int, int]], *, is_explained: bool) -> None:
    """A sample and a note say that the last bar is not over, if there is such a bar."""
    for is_daily in (True, False):
        picture = draw_activity(activity(*numbers, is_daily=is_daily))
        inks = {pixel_colour(picture, x, y) for x in range(500, PLOT_RIGHT) for y in range(203, 225)}
        assert (MIST in inks) == (GOLD in inks) == is_explained


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
