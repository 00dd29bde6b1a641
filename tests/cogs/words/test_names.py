"""The names of people and seats."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.engine.deals.moves import Seat
from bot.model import statistics
from bot.model.ids import PersonId
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from cogs.words import names as people
from tests.cogs.samples import LONGEST_NAME, NAMES, match_between
from tests.helpers.markdown import split_markup

ODD_CASES = (
    *("North", "a", "", "   ", "a\nb", "שלום", "🃏👑", "\u202eabc", LONGEST_NAME),
    *("*bold* _it_ `code`", "@everyone <@123456789012345678>", "<#123456789012345678>", "[a](https://b.example)"),
)

ODD_NAMES = st.text(
    st.sampled_from("\\`*_~|[]()<>#:@/ a1é😀\u200b-&!") | st.characters(), max_size=40
) | st.sampled_from(("2", "22", "Иван", "李明", "2Fast", "A", "Á", "AB", "1", "3"))


@pytest.mark.parametrize("name", ODD_CASES)
def test_a_name_has_no_effect_outside_itself(name: str) -> None:
    """Markdown, mentions, line breaks and direction marks in a name have no effect, and no name is shown as empty."""
    shown = people.safe(name)
    assert shown.startswith("\u2068")
    assert shown.endswith("\u2069")
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert split_markup(shown)[1] == []
    assert len(shown) <= 2 * people.MAX_NAME_LENGTH + 4
    assert len(shown) > 2


@example("https://a||b||`", "[**x**](y)")
@example("[||](x", "https://||z")
@example("<@1> <#2> <t:3:R> </gin hand:4> <:a:5>", "@here http://x/__u__")
@given(ODD_NAMES, ODD_NAMES)
def test_names_are_shown_character_by_character(first: str, second: str) -> None:
    """All characters of a name are shown: they never become markup, not even together with another name on the line."""
    names = [Player(PersonId(1), name) for name in (first, second)]
    assume("someone" not in map(people.plain, names))
    shown, marked = split_markup(" vs ".join(map(people.name, names)))
    assert marked == []
    expected = " vs ".join(f"\u2068{people.plain(name)}\u2069" for name in names)
    # Names are shown with a zero-width space after each @, and can have such spaces of their own.
    assert shown.replace("\u200b", "") == expected.replace("\u200b", "")


def test_the_markdown_reader_finds_markup() -> None:
    """`split_markup`, which these tests use to read markdown, recognizes the markup that Discord would."""
    assert split_markup("a **b** ||c|| [d](https://e.example) <@5> @") == (
        "a     @",
        ["**b**", "||c||", "[d](https://e.example)", "<@5>"],
    )
    assert split_markup(r"\*b\* snake_case") == ("*b* snake_case", [])


def test_a_name_cannot_change_the_direction_of_writing() -> None:
    """Characters that change the direction of writing are removed."""
    assert "\u202e" not in people.safe("\u202eabc")
    assert "\u2066" not in people.safe("abc\u2066")
    assert people.safe("a\u2069b") == "\u2068ab\u2069"


def test_a_name_in_a_menu_is_never_empty() -> None:
    """A player without a name is *someone* in menus, and a mention in messages."""
    assert people.plain(Player(PersonId(1), "North")) == "North"
    assert people.plain(Player(PersonId(1), "  ")) == "someone"
    assert people.plain(Player(PersonId(1), None)) == "someone"
    assert people.plain(Player(None, None)) == people.FORGOTTEN
    assert people.name(Player(PersonId(5), None)) == "<@5>"


INVISIBLE = (
    *(
        "\u3164",
        "\u115f\u1160",
        "\uffa0\uffa0",
        "\u2800",
        "\u200b\u200d",
        "\u00ad",
        "\ufeff",
        "\u2060 \u2063",
        "\ufe0f",
    ),
    *(
        "\ufe0f",
        "\U000e0041",
        "\u034f\u0301",
        "\u180e\u17b5",
        "\U0001d159",
        "\u2065",
        "\U00013441",
        "\ue000",
        "\u3164" * 32 + "North",
    ),
)


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_a_name_that_cannot_be_seen_has_a_placeholder(name: str) -> None:
    """An invisible name is replaced by a word in messages and menus, and by a number in pictures."""
    assert people.name(Player(PersonId(1), name)) == "\u2068someone\u2069"
    assert people.plain(Player(PersonId(1), name)) == "someone"
    shown = people.monograms(match_between(name, name[:32]).players)
    assert shown[1] == "2"


@pytest.mark.parametrize("name", ["a\u3164", "李", "!", "🃏", "\u3164é", "ㄱ", "⠿"])
def test_a_name_with_anything_to_see_is_shown(name: str) -> None:
    """A name with at least one visible letter, digit or symbol is shown as it is."""
    assert people.plain(Player(PersonId(1), name)) == name


def test_monograms_differ() -> None:
    """A monogram is one letter of the name, or two if another player has that letter, or else a number."""
    assert people.monograms(match_between("North", "South").players) == ("N", "S")
    assert people.monograms(match_between("Anna", "Abel").players) == ("A", "AB")
    assert people.monograms(match_between("שלום", "🃏").players) == ("1", "2")
    assert people.monograms(match_between("A", "A").players) == ("A", "2")
    assert people.monograms(match_between("Émile", None).players) == ("E", "2")


def test_computers_have_numbered_monograms() -> None:
    """Two computers have different numbers; a person with the same name has letters."""
    computers = statistics.computers([Level.STRONG, Level.STRONG])
    assert people.monograms(computers) == ("S1", "S2")
    assert people.monograms(statistics.computers([Level.NOVICE])) == ("N",)
    assert people.monograms([Player(PersonId(1), "Strong computer 1"), *computers]) == ("S", "S1", "S2")


@example(["2Fast", "Иван"])
@example(["22", "2"])
@example(["4", "4", "", "3"])
@given(st.lists(ODD_NAMES, min_size=2, max_size=4))
def test_monograms_differ_whatever_the_names(names: list[str]) -> None:
    """Up to four seats always have distinct monograms of A-Z and 0-9."""
    monograms = people.monograms(match_between(*names).players)
    assert len({*monograms}) == len(names)
    assert all(re.fullmatch(r"[A-Z0-9]{1,2}", monogram) for monogram in monograms)


def test_a_match_is_named_by_its_sides() -> None:
    """Each player or team is one side, and a seat's partner is never among its opponents."""
    formats = ((2, "classic"), (3, "rotation"), (4, "partners"))
    duel, three, four = (match_between(*NAMES[:seats], rules=rules) for seats, rules in formats)
    assert people.versus(duel) == "⁨North⁩ vs ⁨South⁩"
    assert people.versus(three) == "⁨North⁩ vs ⁨South⁩ vs ⁨East⁩"
    assert people.versus(four) == "⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩"
    assert people.opponents(three, Seat(1)) == "⁨North⁩ and ⁨East⁩"
    assert people.opponents(four, Seat(0)) == "⁨South⁩ and ⁨West⁩"
    assert people.monogram_key(four) == "**N** ⁨North⁩ · **S** ⁨South⁩ · **E** ⁨East⁩ · **W** ⁨West⁩"


def test_the_only_computer_of_a_level_has_no_name_in_a_sentence() -> None:
    """In a sentence, the only computer of its level is named by the level; people and numbered computers by name."""
    novice, first, second = statistics.computers([Level.NOVICE, Level.STRONG, Level.STRONG])
    namesake = Player(PersonId(1), "Strong computer")
    told = [people.in_sentence(player) for player in (novice, first, second, namesake)]
    assert told == ["the novice computer", *(people.name(player) for player in (first, second, namesake))]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("", ""), ("a", "a"), ("a b", "a and b"), ("a b c", "a, b and c"), ("a b c d", "a, b, c and d")],
)
def test_lists_are_joined_with_and(words: str, expected: str) -> None:
    """The items of a list are separated by commas, with *and* before the last one."""
    assert people.joined(words.split()) == expected


@pytest.mark.parametrize(
    ("rules", "names", "expected"),
    [
        ("classic", ("North", "South"), "North vs South"),
        ("rotation", ("North", "South", "East"), "North, South and East"),
        ("penalty", ("North", "South"), "North vs South"),
        ("partners", NAMES, "North and East vs South and West"),
        ("classic", ("*bold*", "<@12>\n李明"), "*bold* vs <@12>李明"),
        ("classic", ("North", None), "North vs someone who left"),
    ],
)
def test_a_title_names_all_players(rules: str, names: tuple[str | None, ...], expected: str) -> None:
    """Two sides are joined with *vs*; three or more single players form a list; nothing is escaped."""
    match = match_between(*names, rules=rules)
    assert people.title(match.players, match.sides) == expected
    assert people.title(match.players, match.sides, 12) == f"{expected}, match 12"


@pytest.mark.parametrize("rules", ["partners", "penalty"])
def test_a_long_title_shortens_every_name(rules: str) -> None:
    """A title with long names fits, and each name keeps its beginning."""
    match = match_between(*(f"{name}{'x' * 30}" for name in NAMES), rules=rules)
    title = people.title(match.players, match.sides, 1234)
    assert 90 < len(title) <= people.MAX_TITLE_LENGTH
    assert title.endswith(", match 1234")
    assert all(f"{name}xxx" in title for name in NAMES)
    assert title.count("…") == 4
