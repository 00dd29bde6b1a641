"""The podium of a deal of the day shows up to three people, and how everybody's deal ended."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.appearance import Appearance
from bot.model.daily import DailyEndings, DailyScore
from bot.model.ids import PersonId
from cardart import Picture, draw_daily_podium
from cardart.drawing.canvas import LABEL_CAP
from cardart.drawing.lettering import text_width
from cardart.drawing.palette import GOLD, MIST, RECESS
from cardart.drawing.themes import THEMES, Theme
from cardart.parts.badges import medal
from cardart.parts.celebration import crown
from cardart.parts.results import Endings
from cardart.text.daily import day_and_players
from tests.cardart.card_reader import count_patch, pixel_colour
from tests.cardart.colour_vision import DEUTERANOPIA, NORMAL_VISION, PROTANOPIA, Matrix, colour_distance
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_daily import daily_podium
from tests.gallery.samples import daily_podiums

ROWS = ("North 54 6 gin", "South 32 1 undercut", "East -8 11 gin")
MIN_PART_DISTANCE = 20
"""Minimum distance of the colours of two neighbouring parts of the bar."""
PANEL_RIGHT = 778
"""The right edge of the panel below the steps, without its outline."""


def draw(*rows: str, places: tuple[int, ...] = (1, 2, 3), players: int = 12) -> Picture:
    """Draw a podium with these rows, of a day with this number of players."""
    return draw_daily_podium(daily_podium(*rows, endings=(0, 1, 1, 1, players - 3), places=places))


def medals(picture: Picture) -> list[int]:
    """Return the number of gold, silver and bronze medals."""
    return [count_patch(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2, 3)]


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the day, the number of players, each place with its result, and how all deals ended."""
    assert draw(*ROWS).alt == (
        "Daily 327, Mon 23 Nov 2026 · 12 players. 1. North: +54 in 6 turns, gin. 2. South: +32 in 1 turn. "
        "3. East: −8 in 11 turns. Beat the computer: 2 of 12; 1 gin, 1 undercut, 1 lost, 9 not finished."
    )
    alone = draw_daily_podium(daily_podium("N 5 3 knock", endings=(1, 0, 0, 0, 0)))
    assert alone.alt == (
        "Daily 327, Mon 23 Nov 2026 · 1 player. 1. N: +5 in 3 turns. Beat the computer: 1 of 1; 1 knock."
    )


@pytest.mark.parametrize("people", [1, 2, 3])
def test_everybody_has_a_medal(people: int) -> None:
    """Each person has the medal of their place, whether there are one, two or three."""
    assert medals(draw(*ROWS[:people])) == [int(place <= people) for place in (1, 2, 3)]


def test_equal_results_share_a_place() -> None:
    """People with equal results have the same medal and a crown each, and the picture shows at most three people."""
    tied = draw(ROWS[0], ROWS[0], ROWS[2], places=(1, 1, 3))
    assert medals(tied) == [2, 0, 1]
    gold = crown(84).image.crop((32, 32, 52, 52))
    assert [count_patch(picture, gold) for picture in (tied, draw(*ROWS))] == [2, 1]
    assert draw(*ROWS, ROWS[2], places=(1, 2, 3, 3)).content == draw(*ROWS).content


def test_points_turns_and_gin_are_shown() -> None:
    """Other points, other turns and gin each change the picture; a gin of the computer is not shown as one."""
    rows = ("North 54 6 gin", "North 53 6 gin", "North 54 7 gin", "North 54 6 knock")
    assert len({draw(row).content for row in rows}) == len(rows)
    assert draw("North -54 6 gin").content == draw("North -54 6 knock").content


def test_a_defeat_of_everybody_is_not_celebrated() -> None:
    """If nobody beat the computer, the title says so, and there is no crown and no golden rail or result."""
    lost = draw_daily_podium(daily_podium("North -14 9 knock", "South -20 9 knock", endings=(0, 0, 0, 2, 0)))
    won = draw_daily_podium(daily_podium("North 14 9 knock", "South -20 9 knock", endings=(1, 0, 0, 1, 0)))
    assert lost.alt.startswith("The computer won Daily 327, ")
    assert won.alt.startswith("Daily 327, ")
    gold = crown(84).image.crop((32, 32, 52, 52))
    assert [count_patch(picture, gold) for picture in (lost, won)] == [0, 1]
    assert [pixel_colour(picture, 400, 2) == GOLD for picture in (lost, won)] == [False, True]


def test_ties_that_turns_break_are_explained() -> None:
    """Equal points in different places get an explanation below the title; other results have none."""
    rows = ("North 54 6 gin", "South 32 9 knock", "East 32 9 knock"), ("North 54 6 gin", "South 32 9 knock", ROWS[2])
    tied, apart = (draw_daily_podium(daily_podium(*each, endings=(1, 1, 1, 4, 0))) for each in rows)
    width = max(text_width(day_and_players(daily_podium(*ROWS, endings=(1, 1, 1, 4, 0))), LABEL_CAP), 1)
    beside = [
        any(pixel_colour(picture, x, y) == MIST for x in range(400 + width // 2 + 4, 660) for y in range(80, 100))
        for picture in (tied, apart)
    ]
    assert beside == [True, False]


def test_endings_are_shown_if_somebody_is_on_no_step() -> None:
    """How all deals ended is shown below the steps, but only if there are more people than steps."""
    low, high = draw(*ROWS, players=3), draw(*ROWS, players=4)
    assert low.size[1] < high.size[1]
    assert draw(*ROWS, players=5).content != high.content


def test_ways_that_did_not_occur_are_left_out() -> None:
    """A way in which no deal ended is not in the legend, which has a second line only if it is long."""
    endings = (40, 0, 0, 40, 0), (40, 40, 40, 40, 40)
    few, many = (draw_daily_podium(daily_podium(*ROWS, endings=each)) for each in endings)
    assert few.size[1] < many.size[1]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_endings_are_told_apart_by_all_eyes(theme: Theme, eyes: Matrix) -> None:
    """The parts of the bar differ from their neighbours and from the panel, even for colour-blind people."""
    colours = [colour for colour, *_ in Endings((1, 1, 1), 1, 1).parts if colour is not None]
    shown = [theme.colours.get(colour, colour) for colour in (*colours, RECESS)]
    assert all(colour_distance(one, other, eyes) >= MIN_PART_DISTANCE for one, other in pairwise(shown))


def test_endings_are_counted() -> None:
    """Wins are counted by the way in which they were won, losses and unfinished tries apart from them."""
    scores = [DailyScore(30, 9, kind) for kind in (OutcomeKind.KNOCK, OutcomeKind.GIN, OutcomeKind.BIG_GIN)]
    lost = [DailyScore(-30, 9, kind) for kind in (OutcomeKind.KNOCK, OutcomeKind.UNDERCUT)]
    endings = DailyEndings.of([*scores, *lost, None])
    assert endings == DailyEndings(knocks=1, gins=2, undercuts=0, lost=2, unfinished=1)
    assert endings.players == 6


@pytest.mark.parametrize("number", [1, 123, 12_345])
def test_large_numbers_fit(number: int) -> None:
    """The legend of the endings stays within its panel, however large the numbers are."""
    picture = draw_daily_podium(daily_podium(*ROWS, endings=(number, number, number, number, number)))
    rows = range(picture.size[1] - 80, picture.size[1] - 36)
    assert {pixel_colour(picture, x, y) for x in range(PANEL_RIGHT - 14, PANEL_RIGHT) for y in rows} == {RECESS}


def test_faces_replace_shields() -> None:
    """Each avatar changes the picture, but neither its size nor the alt text."""
    shown = daily_podium(*ROWS, endings=(1, 1, 1, 0, 0))
    avatars = [{PersonId(person): sample_avatar("cat")} for person in (1, 2, 3)]
    drawn = [draw_daily_podium(shown, avatars=chosen) for chosen in ({}, *avatars)]
    assert len({picture.content for picture in drawn}) == len(drawn)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1


@pytest.mark.thorough
def test_every_podium_is_small_enough() -> None:
    """The alt text and the file of every sample are within their limits, even with the longest names."""
    for _, shown in daily_podiums():
        picture = draw_daily_podium(shown)
        assert len(picture.alt) <= 1024
        assert len(picture.content) <= 30 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    shown = daily_podium(*ROWS, endings=(1, 1, 1, 4, 0))
    drawn = [draw_daily_podium(shown, Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
