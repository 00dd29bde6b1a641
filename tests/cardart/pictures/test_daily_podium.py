"""The podium of a deal of the day shows up to three people, and how everybody's deal ended."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.appearance import Appearance
from bot.model.daily import DailyEndings, DailyScore
from bot.model.ids import PersonId
from cardart import Picture, draw_daily_podium
from cardart.drawing.canvas import Canvas
from cardart.drawing.palette import FELT, GOLD, RECESS
from cardart.drawing.themes import THEMES, Theme
from cardart.parts.badges import medal
from cardart.parts.celebration import crown
from cardart.parts.results import Endings
from cardart.text.phrases import DEAL_OF_THE_DAY, FEWER_TURNS_FIRST, LOST
from tests.cardart.card_reader import count_patch, pixel_colour
from tests.cardart.colour_vision import DEUTERANOPIA, NORMAL_VISION, PROTANOPIA, Matrix, colour_distance, contrast_ratio
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_daily import daily_podium
from tests.gallery.samples import daily_podiums

ROWS = ("North 54 6 gin", "South 32 1 undercut", "East -8 11 gin")
ALONE = ((14, (1, 0, 0, 0, 0)), (-14, (0, 0, 0, 1, 0)))
CROWN = crown(84).image.crop((32, 32, 52, 52))
"""A part of a crown that no face covers."""
MIN_PART_DISTANCE = 20
"""Minimum distance of the colours of two neighbouring parts of the bar."""
MIN_PART_CONTRAST = 3.0
"""Minimum contrast ratio of a part of the bar with its panel."""
SUBTITLE = f"{DEAL_OF_THE_DAY} · Mon 23 Nov 2026"
PANEL_RIGHT = 778
"""The right edge of the panel below the steps, without its outline."""


def draw(*rows: str, places: tuple[int, ...] = (1, 2, 3), players: int = 12) -> Picture:
    """Draw a podium with these rows, of a day with this number of players."""
    return draw_daily_podium(daily_podium(*rows, endings=(0, 1, 1, 1, players - 3), places=places))


def medals(picture: Picture) -> list[int]:
    """Return the number of gold, silver and bronze medals."""
    return [count_patch(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2, 3)]


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the day, each place with its result and its ending, and how all deals ended."""
    assert draw(*ROWS).alt == (
        f"Daily 327, {SUBTITLE}. 1. North: +54 points, gin · 6 turns. 2. South: +32 points, undercut · 1 turn. "
        "3. East: −8 points, lost · 11 turns. "
        "2 of 12 players beat the computer: won by gin 1, undercut 1; lost 1; not finished 9."
    )
    alone = draw_daily_podium(daily_podium("N 1 3 knock", endings=(1, 0, 0, 0, 0)))
    assert alone.alt == (
        f"Daily 327, {SUBTITLE}. 1. N: +1 point, knock · 3 turns. 1 of 1 player beat the computer: won by knock 1."
    )


@pytest.mark.parametrize("people", [2, 3])
def test_everybody_on_a_step_has_a_medal(people: int) -> None:
    """Each person on a step has the medal of their place."""
    assert medals(draw(*ROWS[:people])) == [int(place <= people) for place in (1, 2, 3)]


def test_a_person_without_rivals_has_no_medal() -> None:
    """The only person has a crown if they beat the computer, but not if they lost. They never have a medal."""
    won, lost = (draw_daily_podium(daily_podium(f"North {points} 9 knock", endings=ends)) for points, ends in ALONE)
    assert [medals(picture) for picture in (won, lost)] == [[0, 0, 0], [0, 0, 0]]
    assert [count_patch(picture, CROWN) for picture in (won, lost)] == [1, 0]


def test_equal_results_share_a_place() -> None:
    """People with equal results have the same medal and a crown each, and the picture shows at most three people."""
    tied = draw(ROWS[0], ROWS[0], ROWS[2], places=(1, 1, 3))
    assert medals(tied) == [2, 0, 1]
    assert [count_patch(picture, CROWN) for picture in (tied, draw(*ROWS))] == [2, 1]
    assert draw(*ROWS, ROWS[2], places=(1, 2, 3, 3)).content == draw(*ROWS).content


def test_points_turns_and_endings_are_shown() -> None:
    """Other points, other turns and another ending each change the picture, but not the way in which a deal is lost."""
    rows = ("North 54 6 gin", "North 53 6 gin", "North 54 7 gin", "North 54 6 knock", "North 54 6 undercut")
    assert len({draw(row).content for row in rows}) == len(rows)
    for same in (("North 54 6 gin", "North 54 6 big_gin"), ("North -54 6 gin", "North -54 6 knock")):
        assert len({draw(row).content for row in same}) == 1


def test_equal_points_look_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points have the same size on all steps, and the lines below them the same baseline."""
    lines = dict[str, tuple[int, int]]()

    def record(self: Canvas, x: int, y: int, text: str, cap: int, **style: object) -> int:
        lines[text] = y, cap
        return 0

    monkeypatch.setattr(Canvas, "text", record)
    draw("North 32 6 gin", "South -32 7 knock", "East -33 8 knock")
    assert lines["+32"][1] == lines["−32"][1] == lines["−33"][1]
    notes = ("gin · 6 turns", f"{LOST} · 7 turns", f"{LOST} · 8 turns")
    assert len({lines[note][0] for note in notes}) == 1


def test_a_defeat_of_everybody_is_not_celebrated() -> None:
    """If nobody beat the computer, the title says so, and there is no crown and no golden rail or result."""
    lost = draw_daily_podium(daily_podium("North -14 9 knock", "South -20 9 knock", endings=(0, 0, 0, 2, 0)))
    won = draw_daily_podium(daily_podium("North 14 9 knock", "South -20 9 knock", endings=(1, 0, 0, 1, 0)))
    assert lost.alt.startswith("The computer won Daily 327, ")
    assert won.alt.startswith("Daily 327, ")
    assert [count_patch(picture, CROWN) for picture in (lost, won)] == [0, 1]
    assert [pixel_colour(picture, 400, 2) == GOLD for picture in (lost, won)] == [False, True]


def test_ties_that_turns_break_are_explained() -> None:
    """Equal points in different places get an explanation below the steps; other results have none."""
    broken = draw("North 54 6 gin", "South 32 9 knock", "East 32 11 knock")
    apart = draw("North 54 6 gin", "South 32 9 knock", ROWS[2])
    shared = draw("North 54 6 gin", "South 32 9 knock", "East 32 9 knock", places=(1, 2, 2))
    assert [FEWER_TURNS_FIRST in picture.alt for picture in (broken, apart, shared)] == [True, False, False]
    assert broken.size[1] > apart.size[1] == shared.size[1]


def test_endings_are_shown_if_somebody_is_on_no_step() -> None:
    """How all deals ended is shown below the steps, but only if there are more people than steps."""
    low, high = draw(*ROWS, players=3), draw(*ROWS, players=4)
    assert low.size[1] < high.size[1]
    assert draw(*ROWS, players=5).content != high.content


def test_ways_that_did_not_occur_are_left_out() -> None:
    """A way in which no deal ended is not in the legend, which has a line for wins and one for other deals."""
    endings = (40, 0, 0, 0, 0), (0, 0, 0, 40, 40), (40, 0, 0, 40, 0), (40, 40, 40, 40, 40)
    assert [[len(group) for group in Endings(each[:3], *each[3:]).groups] for each in endings] == [
        [1],
        [2],
        [1, 1],
        [3, 2],
    ]
    assert len({Endings(each[:3], *each[3:]).height for each in endings[:2]}) == 1
    assert len({Endings(each[:3], *each[3:]).height for each in endings}) == 2


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_endings_are_told_apart_by_all_eyes(theme: Theme, eyes: Matrix) -> None:
    """The parts of the bar differ from their neighbours and from the panel, even for colour-blind people."""
    colours = [colour for colour, *_ in Endings((1, 1, 1), 1, 1).parts if colour is not None]
    *won, mist, panel, felt = (theme.colours.get(colour, colour) for colour in (*colours, RECESS, FELT))
    red, green, blue = ((one + other) // 2 for one, other in zip(felt, mist, strict=True))
    shown = [*won, (red, green, blue), panel]
    assert all(colour_distance(one, other, eyes) >= MIN_PART_DISTANCE for one, other in pairwise(shown))
    assert all(contrast_ratio(colour, panel) >= MIN_PART_CONTRAST for colour in shown[:-1])


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
