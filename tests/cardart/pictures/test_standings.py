"""The standings show places, names and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.appearance import Appearance
from bot.model.ids import PersonId
from bot.model.standings import Order, Ranked
from bot.model.statistics import Category
from bot.play.standing.movements import MAX_PEOPLE
from cardart import draw_standings, read_avatar
from cardart.drawing.lettering import can_write
from cardart.drawing.themes import THEMES
from cardart.parts.badges import crest, crest_colour
from tests.cardart.card_reader import count_patch
from tests.gallery.sample_avatars import avatar_file, sample_avatar
from tests.gallery.sample_profiles import moved, standings

_TWO_ROWS = standings("North 24 15 612", "South 20 11 -85")


def changed(row: Ranked, **values: int) -> Ranked:
    """Return the row with these values of its standing changed."""
    return replace(row, standing=replace(row.standing, **values))


def test_the_alt_text_has_every_number() -> None:
    """The alt text has each place, name, result and sum, also those not drawn, and the viewer's own place."""
    two = standings("North 24 15 612", "South 20 11 -85", first=11)
    alt = draw_standings(two, own_id=PersonId(2)).alt
    assert alt == (
        "Most matches won. 11. North: 24 matches, 15 won (63%), 9 lost, 1950 points, net +612, deals 60–72. "
        "12. South: 20 matches, 11 won (55%), 9 lost, 1430 points, net −85, deals 44–60. Your place: 12."
    )
    assert "Your place" not in draw_standings(two, own_id=PersonId(3)).alt


def test_every_movement_is_in_the_picture_and_the_alt_text() -> None:
    """Movements up and down, new people and unchanged places differ in the picture, and are words in the alt text."""
    words = {2: ", up 2", 3: ", up 3", -2: ", down 2", 0: "", None: ", new"}
    pictures = {places: draw_standings(moved(_TWO_ROWS, places, 0)) for places in words}
    for places, movement in words.items():
        assert f"1. North{movement}: 24 matches" in pictures[places].alt
        assert "2. South: 20 matches" in pictures[places].alt
        assert ("Up, down and new: in the last 7 days." in pictures[places].alt) == (places != 0)
    not_compared = draw_standings(_TWO_ROWS)
    assert len({picture.content for picture in (*pictures.values(), not_compared)}) == len(words) + 1
    assert {picture.size for picture in pictures.values()} == {not_compared.size}


@pytest.mark.parametrize(
    ("order", "category"), [*((order, Category.POINTS) for order in Order), (Order.POINTS, Category.PENALTY)]
)
def test_sixteen_wide_letters_of_a_name_are_shown(order: Order, category: Category) -> None:
    """Names that differ only in the last of 16 wide letters look different, even next to the widest numbers."""
    rows = [standings(f"{'W' * 15}{last} 10000 9999 -999999") for last in "WM"]
    first, second = [draw_standings(row, order, category) for row in rows]
    assert first.content != second.content


def test_the_last_column_depends_on_the_sort_order() -> None:
    """The last column shows ratings, points or, in categories with penalty points, net points, as the order asks."""
    assert draw_standings(_TWO_ROWS[:1], Order.RATING).alt == (
        "Highest rating. 1. North: 24 matches, 15 won (63%), 9 lost, rating 2112, 1950 points, net +612, deals 60–72."
    )
    by_rating = draw_standings(_TWO_ROWS, Order.RATING)
    assert "South: 20 matches, 11 won (55%), 9 lost, rating 1415, 1430 points, net −85, deals 44–60." in by_rating.alt
    by_points = draw_standings(_TWO_ROWS, Order.POINTS)
    assert by_points.alt.startswith(
        "Most points. 1. North: 24 matches, 15 won (63%), 9 lost, 1950 points, net +612, deals 60–72."
    )
    penalty = draw_standings(_TWO_ROWS, Order.POINTS, Category.PENALTY)
    assert penalty.alt.startswith(
        "Best net points. 1. North: 24 matches, 15 won (63%), 9 lost, net +612, 1950 penalty points, deals 60–72."
    )
    drawn = {draw_standings(_TWO_ROWS, order).content for order in Order} | {penalty.content}
    assert len(drawn) == 4


def test_equal_results_share_a_place() -> None:
    """People with equal results have the same place in the picture and the alt text."""
    north, south = _TWO_ROWS
    alt = draw_standings((north, replace(south, place=1))).alt
    assert "1. North" in alt
    assert "1. South" in alt


def test_undecided_matches_do_not_count() -> None:
    """Matches without a result do not count in texts, numbers or bars. Drawn matches count."""
    (north,) = standings("North 3 2 9")
    picture = draw_standings((changed(north, lost=0),))
    assert "2 matches, 2 won (100%)" in picture.alt
    assert picture.content == draw_standings(standings("North 2 2 9")).content
    (all_won,) = standings("North 3 3 9")
    drawn = draw_standings((changed(all_won, won=2, drawn=1),))
    assert "3 matches, 2 won (67%)" in drawn.alt
    assert picture.content != drawn.content


def test_every_fact_is_in_the_picture() -> None:
    """Different places, names or numbers change the picture, and so does the viewer's own place."""
    north, south = "North 24 15 612", "South 20 11 -85"
    rows = [
        standings(north, line)
        for line in (south, "Sauth 20 11 -85", "South 21 11 -85", "South 20 12 -85", "South 20 11 85")
    ]
    drawn = {draw_standings(row).content for row in rows}
    drawn.add(draw_standings(standings(north, south, first=2)).content)
    drawn.update(draw_standings(_TWO_ROWS, own_id=PersonId(own)).content for own in (1, 2))
    assert len(drawn) == len(rows) + 3


def test_names_of_every_script_have_a_row() -> None:
    """A name that the font cannot write is in the alt text, and its row is as high as any other."""
    han = draw_standings(standings("李明 3 1 -40"))
    assert "1. 李明: 3 matches" in han.alt
    assert han.size == draw_standings(standings("Anna 3 1 -40")).size


@pytest.mark.parametrize(
    ("name", "shown", "sign"),
    [
        ("Østergård", "Østergård", "Ø"),
        ("иван", "иван", "И"),
        ("_x_", "_x_", "X"),
        ("7up", "7up", "7"),
        ("李明", "li.ming", "L"),
        ("…", "Player", "P"),
    ],
)
def test_a_shield_has_the_first_letter_of_the_shown_name(name: str, shown: str, sign: str) -> None:
    """A shield has the first letter or digit of the name, of the account's name, or of the stand-in."""
    patch = crest(sign, crest_colour(shown), 58).image.crop((15, 15, 43, 43))
    assert count_patch(draw_standings(standings(f"{name} 3 1 -40", first=4)), patch) == 1


@pytest.mark.parametrize("text", ["North", "Østergård", "Иван", "Ελένη", "a_b-c", "Nguyễn", "2 Fast"])
def test_european_names_can_be_written(text: str) -> None:
    """The font can write Latin, Greek and Cyrillic names."""
    assert can_write(text)


@pytest.mark.parametrize("text", ["李明", "שלום", "مرحبا", "🃏", "a\u0301", "日本", "\u202eabc", "A🃏"])
def test_other_names_cannot_be_written(text: str) -> None:
    """Names with scripts that the font lacks, right-to-left text, emojis or combining marks cannot be written."""
    assert not can_write(text)


@pytest.mark.thorough
def test_ten_long_rows_fit() -> None:
    """A page of ten rows with the longest names has at most 30 KB, and its alt text fits."""
    lines = [f"{'W' * 32} {10**4} {10**4} {-(10**7)}" for _ in range(10)]
    # Only the places on small boards have movements.
    for rows in (standings(*lines, first=999_990), moved(standings(*lines, first=490), -MAX_PEOPLE)):
        for order in Order:
            picture = draw_standings(rows, order, own_id=PersonId(1))
            assert len(picture.alt) <= 1024
            assert len(picture.content) <= 30 * 1024


def test_a_long_page_is_described_as_drawn() -> None:
    """If a page has too many long rows for all numbers, its alt text has those of the picture. Each is a sentence."""
    for names, numbers in ((["Zoe"] * 10, "net +612, deals"), (["W" * 32] * 10, "24 matches, 15 won (63%), net +612.")):
        alt = draw_standings(standings(*(f"{name} 24 15 612" for name in names))).alt
        assert len(alt) <= 1024
        assert alt.count(numbers) == 10


def test_faces_replace_shields() -> None:
    """Each avatar changes the picture, but neither its size nor the alt text."""
    chosen = [{PersonId(person): sample_avatar("cat") for person in people} for people in ((), (1,), (2,), (1, 2))]
    drawn = [draw_standings(_TWO_ROWS, avatars=avatars) for avatars in chosen]
    assert len({picture.content for picture in drawn}) == len(drawn)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1


@pytest.mark.thorough
def test_ten_faces_are_small_enough() -> None:
    """A page of ten rows with ten different avatars has at most 60 KB."""
    names = ("cat", "woman", "orbit", "sunset")
    avatars = {PersonId(place): read_avatar(avatar_file(names[place % 4])) for place in range(1, 11)}
    rows = standings(*(f"Somebody{place} 40 {20 - place} 100" for place in range(10)))
    assert len(draw_standings(rows, avatars=avatars).content) <= 60 * 1024


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    drawn = [draw_standings(_TWO_ROWS, appearance=Appearance(theme)) for theme in THEMES]
    assert len({picture.content for picture in drawn}) == len(THEMES)
    assert len({(picture.alt, picture.size) for picture in drawn}) == 1
