"""The calendar of a person shows their results in the deals of the day, and days without a result."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from bot.model.appearance import Appearance
from bot.model.daily import DailyCalendar
from cardart import Picture, draw_daily_calendar
from cardart.drawing.palette import GOLD, RECESS
from cardart.drawing.themes import LOST_DAY, THEMES, WON_DAYS
from cardart.parts.day_tiles import LINE_END, TILE_GAPS, TILE_SIZE
from cardart.text import daily as texts
from tests.cardart.card_reader import pixel_colour
from tests.gallery.sample_daily import calendar
from tests.gallery.samples import daily_calendars

SUNDAY = date(2026, 11, 29)
LEFT, TOP = 41, 263
RIGHT = 759
TILE, (GAP, ROW_GAP) = TILE_SIZE, TILE_GAPS
TODAY_RING = THEMES["classic"].colours[(255, 255, 255)]


def fill_of(picture: Picture, row: int, column: int) -> tuple[int, int, int]:
    """Return the colour of a tile, at a place without text: near the middle of its left edge."""
    x, y = LEFT + column * (TILE[0] + GAP), TOP + row * (TILE[1] + ROW_GAP)
    return pixel_colour(picture, x + 7, y + TILE[1] // 2)


def week(days: str, today: date = SUNDAY) -> DailyCalendar:
    """Return a calendar whose last day is today."""
    return calendar(days, today)


def with_numbers(streaks: tuple[int, int], played: int, average: float) -> DailyCalendar:
    """Return a calendar with two days and these numbers about all days."""
    return replace(week("8 8"), streak=streaks[0], longest_streak=streaks[1], played=played, average=average)


def test_the_alt_text_has_every_day() -> None:
    """The alt text has the numbers about all days, and the result of each day."""
    shown = replace(calendar("-19 72g . o x 8", date(2026, 12, 2)), longest_streak=31, played=1_087, average=13.7)
    assert draw_daily_calendar(shown).alt == (
        "Daily deals. Streak 1, longest 31, finished 1,087, average +14, best +72. 27 Nov – 2 Dec 2026. "
        "Nov 27: −19, 28: +72 gin, 29: missed, 30: not finished. Dec 1: no deal, 2: +8."
    )


def test_without_a_streak_the_picture_invites_to_start_one() -> None:
    """With a streak of 0, the picture and the alt text have an invitation, which differs before the first result."""
    first, none = calendar("o"), calendar("8 . .")
    invitations = [texts.streak_words(shown) for shown in (first, none)]
    assert len({*invitations}) == 2
    for shown, invitation in zip((first, none), invitations, strict=True):
        assert shown.streak == 0
        assert ". ".join(invitation) in draw_daily_calendar(shown).alt
    assert all(word not in draw_daily_calendar(calendar("8")).alt for word in invitations[1])


def test_larger_wins_are_brighter() -> None:
    """A loss has one colour, however high it is, and wins one of three colours by their size."""
    picture = draw_daily_calendar(week("-60 -1 1 19 20 39 40"))
    small, middle, large = WON_DAYS
    expected = [LOST_DAY, LOST_DAY, small, small, middle, middle, large]
    assert [fill_of(picture, 0, column) for column in range(7)] == expected


def test_days_without_a_result_are_not_filled() -> None:
    """Missed days are hollow, unfinished tries partly filled, and days without a deal hatched; today has a ring."""
    picture = draw_daily_calendar(week(". o x 8 8 8 ."))
    assert fill_of(picture, 0, 0) == fill_of(picture, 0, 6) == RECESS
    missed, unfinished, down = (
        [pixel_colour(picture, LEFT + column * (TILE[0] + GAP) + x, TOP + 47) for x in range(8, 86)]
        for column in range(3)
    )
    assert {*missed} == {RECESS}
    half = unfinished.index(LOST_DAY)
    assert 20 < half < 60
    assert {*unfinished[half:]} == {LOST_DAY}
    assert {*unfinished[: half - 3]} == {RECESS}
    assert RECESS in down
    assert len({*down}) > 1


def test_today_has_a_ring() -> None:
    """The tile of today has a bright ring, whether it has a result or not, and no other tile has one."""
    for shown in (week("8 8 8 8 8 8 8"), week("8 8 8 8 8 8 ."), week("8 8 8 8 8 . .")):
        picture = draw_daily_calendar(shown)
        lefts = [LEFT + column * (TILE[0] + GAP) for column in range(7)]
        above = [{pixel_colour(picture, left + 40, y) for y in range(TOP - LINE_END, TOP + 3)} for left in lefts]
        assert [TODAY_RING in colours for colours in above] == [False] * 6 + [True]


def test_gin_has_a_star() -> None:
    """A win by gin differs from another win with the same points; a gin of the computer does not differ."""
    drawn = [draw_daily_calendar(week(day)).content for day in ("8 30", "8 30g", "-30 8", "-30g 8")]
    assert drawn[0] != drawn[1]
    assert drawn[2] == drawn[3]


@pytest.mark.parametrize("first", [date(2026, 5, 25), date(2026, 11, 30), date(2026, 2, 23)])
def test_the_date_does_not_touch_the_star(first: date) -> None:
    """The star of gin on the first day of a calendar is whole, next to the widest dates with a month."""
    drawn = [draw_daily_calendar(calendar("104g", day)) for day in (first, date(2026, 5, 4))]
    box = (LEFT + TILE[0] - 21, TOP - LINE_END, LEFT + TILE[0] + LINE_END, TOP + 22)
    corners = [Image.open(BytesIO(picture.content)).convert("RGB").crop(box).tobytes() for picture in drawn]
    pixels = [[corner[start : start + 3] for start in range(0, len(corner), 3)] for corner in corners]
    # The date may only cover the plain part of the tile.
    assert all(bytes(WON_DAYS[2]) == plain or shown == plain for shown, plain in zip(*pixels, strict=True))


def test_days_are_below_their_weekdays() -> None:
    """Each row is a week from Monday to Sunday. There is nothing before the first and after the last day."""
    picture = draw_daily_calendar(week("8 8 8 8 8 8 8", SUNDAY + timedelta(days=3)))
    filled = [[fill_of(picture, row, column) == WON_DAYS[0] for column in range(7)] for row in range(2)]
    assert filled == [[False] * 3 + [True] * 4, [True] * 3 + [False] * 4]


def test_each_week_makes_the_picture_higher() -> None:
    """The picture is as high as its weeks need, and as wide as other pictures."""
    sizes = [draw_daily_calendar(week("8 " * (7 * weeks))).size for weeks in range(1, 7)]
    assert {width for width, _ in sizes} == {800}
    heights = [height for _, height in sizes]
    assert {later - earlier for earlier, later in pairwise(heights)} == {TILE[1] + ROW_GAP}


def outlines(shown: DailyCalendar) -> list[str]:
    """Return the weeks: the golden sides of each day, as `<`, `^`, `>` and `_`, and a dot after each day."""
    image = Image.open(BytesIO(draw_daily_calendar(shown).content)).convert("RGB")
    rows = (image.height - TOP) // (TILE[1] + ROW_GAP)
    weeks: list[str] = []
    for row in range(rows):
        signs = ""
        for column in range(7):
            left, top = LEFT + column * (TILE[0] + GAP), TOP + row * (TILE[1] + ROW_GAP)
            right, bottom, middle = left + TILE[0], top + TILE[1], (left + TILE[0] // 2, top + TILE[1] // 2)
            sides = {
                "<": (left - LINE_END + 1, middle[1]),
                "^": (middle[0], top - LINE_END + 1),
                ">": (right + LINE_END - 2, middle[1]),
                "_": (middle[0], bottom + LINE_END - 2),
            }
            signs += "".join(sign for sign, place in sides.items() if image.getpixel(place) == GOLD) + "."
        weeks.append(signs)
    return weeks


def test_an_outline_is_around_the_streak() -> None:
    """A golden outline is around the days of the current streak and days without a deal between, but no other days.

    The ring of today is the end of the outline. Without a result, today is not in it.
    """
    assert outlines(week("8 . 8 x -8 8 8"))[0] == "..<^_.^_.^_.^_.."
    assert outlines(week("8 8 8 8 o 8 ."))[0] == ".....<^>_.."
    assert outlines(week("8 8 8 8 8 . ."))[0] == "......."


def test_an_outline_joins_weeks() -> None:
    """There is no gold between two days of a streak, and the outline is closed where a page or the streak begins."""
    weeks = outlines(week("8 " * 16 + ".", SUNDAY + timedelta(days=2)))
    assert weeks[:3] == ["......<^>.", "<^.^.^.^.^.^.>.", "<._._._._._.>_."]
    assert weeks[3] == "<>_......."
    assert outlines(calendar("8 8 8 8 8 8 8", SUNDAY, "8"))[0] == "<^_.^_.^_.^_.^_.^_.."


def test_parts_that_do_not_touch_have_an_outline_each() -> None:
    """If the second week of a streak ends before the column in which the streak begins, there are two outlines."""
    shown = week(". . . . 8 8 8 8 8 .", SUNDAY + timedelta(days=3))
    assert outlines(shown)[:2] == ["....<^_.^_.^>_.", "<^_.^>_......"]


def test_an_earlier_page_shows_no_streak() -> None:
    """A page of the past has no outline of the current streak, because it may not have its days."""
    shown = calendar("8 8 8 8 8 8 8", SUNDAY)
    assert outlines(shown)[0] == "<^_.^_.^_.^_.^_.^_.."
    assert outlines(replace(shown, today=SUNDAY + timedelta(days=14)))[0] == "." * 7


def test_the_legend_has_only_marks_that_occur() -> None:
    """A mark that occurs for the first time adds an entry to the legend; many entries need a second row."""
    words = ["8 8 8 8 8 8 8", "8 8 8 8 8 8 -8", "8 8 8 8 8 . -8", "8 8 8 8 o . -8", "8 8 8 x o . -8"]
    pictures = [draw_daily_calendar(replace(week(days), streak=0)) for days in words]
    legends = [[pixel_colour(each, x, TOP + TILE[1] + 41) for x in range(LEFT, RIGHT)] for each in pictures]
    reach = [max(x for x, colour in enumerate(legend) if colour != RECESS) for legend in legends[:3]]
    assert reach == sorted({*reach})
    full = draw_daily_calendar(week("-8 8 30 40g x o ."))
    assert full.size[1] > pictures[0].size[1]


def test_the_name_is_in_the_title() -> None:
    """The calendar has the person's name, cut off if it is long, and works for a name that the font cannot write."""
    shown = week("8 8 8")
    names = (None, "North", "South", "W" * 32)
    drawn = [draw_daily_calendar(shown, name=name) for name in names]
    assert len({picture.content for picture in drawn}) == len(names)
    assert drawn[1].alt.startswith("North's daily deals. ")
    assert draw_daily_calendar(shown, name="李明").content == drawn[0].content


@pytest.mark.parametrize(("name", "shown"), list(daily_calendars()))
def test_nothing_reaches_the_edge(name: str, shown: DailyCalendar) -> None:
    """Numbers, dates, tiles and the legend stay within the panel."""
    picture = draw_daily_calendar(shown)
    rows = range(60, picture.size[1] - 40)
    clear = range(RIGHT + 12, 777)
    assert {pixel_colour(picture, x, y) for x in clear for y in rows} == {RECESS}, name


def test_every_number_changes_the_picture() -> None:
    """The streaks, the number of days finished, the average and the best day are in the picture."""
    numbers = [
        ((1, 5), 9, 2.0),
        ((2, 5), 9, 2.0),
        ((0, 5), 9, 2.0),
        ((1, 6), 9, 2.0),
        ((1, 5), 8, 2.0),
        ((1, 5), 9, 3.0),
    ]
    shown = [with_numbers(*each) for each in numbers]
    assert len({draw_daily_calendar(each).content for each in shown}) == len(numbers)


@pytest.mark.thorough
def test_every_calendar_is_small_enough() -> None:
    """The alt text and the file of every sample, and of six weeks of unfinished tries, are within their limits."""
    for shown in (*(shown for _, shown in daily_calendars()), week("o " * 42)):
        picture = draw_daily_calendar(shown)
        assert len(picture.alt) <= 1024
        assert len(picture.content) <= 32 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    shown = week("-8 8 . x 30 o 72g")
    drawn = [draw_daily_calendar(shown, Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1


def test_suits_do_not_change_a_calendar() -> None:
    """The number of suit colours makes no difference, although a calendar uses the palette entries of suits."""
    shown = week("-8 8 . x 30 o 72g")
    assert draw_daily_calendar(shown).content == draw_daily_calendar(shown, Appearance(four_colours=True)).content
