"""The podium shows up to three people and the superlatives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.seasons import Award
from cardart import Picture, draw_podium
from cardart.drawing.themes import THEMES
from cardart.parts.badges import medal
from cardart.parts.celebration import crown
from tests.cardart.card_reader import count_patch
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_profiles import podium, standings, superlative
from tests.gallery.samples import podiums

_ROWS = standings("North 24 15 612", "South 20 1 -85", "East 9 7 -204")
_SUPERLATIVES = (
    superlative(Award.GINS, "North", 12),
    superlative(Award.STREAK, "East", 3),
    superlative(Award.DEAL, "South", 1),
)


def draw_rows(*rows: int, **changed: int) -> Picture:
    """Draw a podium with these rows of `_ROWS`. `changed` has new field values for the last of these rows."""
    shown = [_ROWS[row] for row in rows]
    shown[-1] = replace(shown[-1], **changed)
    return draw_podium("May 2026", "Matches for points", podium(*shown), _SUPERLATIVES)


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the season, the category, each place with its name and result, and the superlatives."""
    assert draw_rows(0, 1).alt == (
        "May 2026, Matches for points. 1. North: 15 matches won, 9 lost. 2. South: 1 match won, 19 lost. "
        "Most gins: North, 12 gins. Best streak: East, 3 won. Largest deal: South, 1 point."
    )
    alone = draw_podium("4th quarter of 2026", "Team matches", podium(*standings("N 5 3 9")), ())
    assert alone.alt == "4th quarter of 2026, Team matches. 1. N: 3 matches won, 2 lost."


def test_people_share_a_superlative() -> None:
    """A shared superlative has one panel. The alt text names its holders, and the picture shows their number."""
    gins = [superlative(Award.GINS, name, 2, person) for person, name in enumerate(("North", "South", "East"), 1)]
    alone, two, three = (draw_podium("May 2026", "Team matches", podium(*_ROWS), gins[:number]) for number in (1, 2, 3))
    assert three.alt.endswith("Most gins: North, South and East, 2 gins each.")
    assert alone.size == three.size
    assert len({picture.content for picture in (alone, two, three)}) == 3


@pytest.mark.parametrize("rows", [(0,), (0, 1), (0, 1, 2)])
def test_everybody_with_rivals_has_a_medal(rows: tuple[int, ...]) -> None:
    """Each person on a step has the medal of their place. A person alone has none."""
    picture = draw_rows(*rows)
    assert [count_patch(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2, 3)] == [
        int(1 < len(rows) >= place) for place in (1, 2, 3)
    ]


def test_equal_results_stand_equally_high() -> None:
    """People with equal results have the same medal and stand equally high. The picture shows at most three people."""
    picture = draw_rows(0, 1, place=1)
    assert [count_patch(picture, medal(place).image.crop((16, 12, 34, 38))) for place in (1, 2)] == [2, 0]
    assert picture.content != draw_rows(0, 1).content
    fourth = draw_rows(0, 1, 2, 2, place=3)
    assert fourth.content == draw_rows(0, 1, 2).content
    assert fourth.alt.count("3. East") == 2


@pytest.mark.thorough
def test_every_podium_is_small_enough() -> None:
    """The alt text and the file of every sample are within their limits, even with the longest names."""
    for _, shown in podiums():
        picture = draw_podium(*shown)
        assert len(picture.alt) <= 1024
        assert len(picture.content) <= 30 * 1024


def test_crowns_are_for_first_places() -> None:
    """Each first place has a crown, and nobody else has one."""
    gold = crown(84).image.crop((32, 32, 52, 52))
    assert [count_patch(picture, gold) for picture in (draw_rows(0, 1, 2), draw_rows(0, 1, place=1))] == [1, 2]


def test_faces_replace_shields() -> None:
    """Each avatar changes the picture, but neither its size nor the alt text."""
    some = podium(*_ROWS)
    avatars = [{PersonId(person): sample_avatar("cat")} for person in (1, 2, 3)]
    drawn = [draw_podium("May 2026", "Team matches", some, _SUPERLATIVES, avatars=chosen) for chosen in ({}, *avatars)]
    assert len({picture.content for picture in drawn}) == len(drawn)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1


def test_losses_and_draws_are_shown() -> None:
    """The losses and draws of each person are in the picture and in the alt text."""
    (plain,) = standings("North 24 15 612")
    drawn = draw_podium("May 2026", "", podium(replace(plain, standing=replace(plain.standing, lost=7, drawn=2))), ())
    assert drawn.alt.endswith("1. North: 15 matches won, 7 lost, 2 drawn.")
    assert drawn.content != draw_podium("May 2026", "", podium(plain), ()).content


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    shown = podium(*_ROWS)
    drawn = [draw_podium("May 2026", "Team matches", shown, _SUPERLATIVES, Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
