"""The standings in the deals of the day show places, names, streaks and numbers."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.model.appearance import Appearance
from bot.model.daily_standings import DailyPeriod
from bot.model.ids import PersonId
from bot.model.statistics import Player
from cardart import Picture, draw_daily_standings
from cardart.drawing.themes import THEMES
from cardart.text import phrases
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_profiles import daily_board, daily_standings

_TWO_ROWS = daily_standings("North 32 9 2 0 17", "South -120 40 5 1 0")


def draw(*lines: str, period: DailyPeriod = DailyPeriod.ALL, first: int = 1) -> Picture:
    return draw_daily_standings(daily_board(daily_standings(*lines, first=first), period))


def test_the_alt_text_has_every_number() -> None:
    """The alt text has the period, each place, name and number, and the viewer's own place."""
    board = daily_board(_TWO_ROWS, DailyPeriod.WEEK, _TWO_ROWS[1], 1_204)
    assert draw_daily_standings(board, PersonId(2)).alt == (
        f"{phrases.DAILY_STANDINGS}: This week, 23–29 Nov 2026 · 1,204 players. "
        "1. North: +32, 9 turns, 2 finished, streak 17. 2. South: −120, 40 turns, 5 of 6 finished. Your place: 2."
    )
    assert draw_daily_standings(daily_board(_TWO_ROWS[:1])).alt == (
        f"{phrases.DAILY_STANDINGS}: Today, Mon 23 Nov 2026 · 1 player. 1. North: +32, 9 turns, streak 17."
    )


def test_every_fact_is_in_the_picture() -> None:
    """Different places, names, numbers and streaks change the picture, and so does the viewer's own place."""
    lines = ("South 1 2 3 1 4", "Sauth 1 2 3 1 4", "South 2 2 3 1 4", "South 1 3 3 1 4", "South 1 2 4 1 4")
    lines += ("South 1 2 3 0 4", "South 1 2 3 1 5", "South 1 2 3 1 0")
    drawn = {draw(line).content for line in lines}
    drawn.add(draw(lines[0], first=2).content)
    drawn |= {draw(lines[0], period=period).content for period in DailyPeriod}
    board = daily_board(daily_standings(lines[0]), DailyPeriod.ALL)
    drawn.add(draw_daily_standings(replace(board, people=2)).content)
    drawn.add(draw_daily_standings(board, PersonId(1)).content)
    drawn.add(draw_daily_standings(board, avatars={PersonId(1): sample_avatar("cat")}).content)
    assert len(drawn) == len(lines) + len(DailyPeriod) + 3


def test_the_viewers_row_of_another_page_is_shown() -> None:
    """The viewer's row is above a later page or below an earlier one. It is in the alt text, too."""
    rows = daily_standings("North 32 9 2 0 17", "South 30 40 5 1 0", "East 20 3 1 0 1")
    page = daily_board(rows[:1], DailyPeriod.ALL, rows[2], 3)
    first, later = draw_daily_standings(page, PersonId(3)), replace(page, rows=rows[2:], own=rows[0])
    assert first.alt.endswith("3. East: +20, 3 turns, 1 finished, streak 1. Your place: 3.")
    plain = draw_daily_standings(page)
    assert first.size[1] > plain.size[1]
    assert draw_daily_standings(later, PersonId(1)).content != first.content
    both = replace(page, rows=(rows[0], rows[2]))
    assert draw_daily_standings(both, PersonId(3)).size[1] < first.size[1]


def test_a_gap_is_shown_only_between_rows_that_do_not_follow() -> None:
    """The viewer's row of another page is further away, unless its place is the next one before or after the page."""
    rows = daily_standings("North 40 9 2 0 17", "South 30 9 2 0 1", "East 20 9 2 0 1", first=5)

    def height(shown: int, own: int) -> int:
        board = daily_board((rows[shown],), DailyPeriod.ALL, rows[own], 7)
        return draw_daily_standings(board, rows[own].total.player.id).size[1]

    assert height(0, 1) == height(1, 0) < height(0, 2) == height(2, 0)


def test_broken_ties_are_explained() -> None:
    """If fewer turns break a tie, a line below the rows and the alt text say so."""
    tied, broken = (draw("North 32 9 2 0 17", f"South 32 {turns} 2 0 17") for turns in (9, 10))
    assert phrases.FEWER_TURNS_FIRST in broken.alt
    assert phrases.FEWER_TURNS_FIRST not in tied.alt
    assert broken.size[1] > tied.size[1]


def test_only_people_who_have_finished_a_deal_get_a_medal() -> None:
    """The places of people without a finished deal are numbers, even if they are among the first three."""
    medal_box = (40, 158, 90, 208)
    ambers: list[bool] = []
    for finished in (1, 0):
        with Image.open(BytesIO(draw(f"North -25 9 {finished} {1 - finished} 0").content)) as image:
            medal = image.convert("RGB").crop(medal_box).tobytes()
        ambers.append(any(red > 200 > 120 > blue for red, blue in zip(medal[::3], medal[2::3], strict=True)))
    assert ambers == [True, False]


def test_a_long_name_leaves_the_others_as_they_are() -> None:
    """A name that is cut off makes no other name smaller."""
    short, long = (draw("North 32 9 2 0 17", f"{name} 30 9 2 0 17") for name in ("South", "W" * 32))
    name_box = (180, 140, 420, 200)
    with Image.open(BytesIO(short.content)) as one, Image.open(BytesIO(long.content)) as other:
        assert one.convert("RGB").crop(name_box).tobytes() == other.convert("RGB").crop(name_box).tobytes()


def test_long_streaks_and_numbers_of_days_do_not_overlap() -> None:
    """A streak that differs in its last digit looks different, even next to the widest number of days."""
    first, second = (draw(f"North 99999 99999 9999 9999 999{last}") for last in "89")
    assert first.content != second.content


@pytest.mark.thorough
def test_ten_long_rows_fit() -> None:
    """A page of ten rows with the longest names has at most 40 KB, and its alt text fits."""
    rows = daily_standings(*[f"{'W' * 32} -999999 99999 9999 9999 9999"] * 10, first=9_990)
    own = daily_standings(f"{'W' * 32} 99999 99999 9999 9999 9999", first=1)[0]
    own = replace(own, total=replace(own.total, player=Player(PersonId(99), own.total.player.name)))
    picture = draw_daily_standings(daily_board(rows, DailyPeriod.ALL, own, 99_999), PersonId(99))
    assert len(picture.alt) <= 1024
    assert len(picture.content) <= 40 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    drawn = [draw_daily_standings(daily_board(_TWO_ROWS), appearance=Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
