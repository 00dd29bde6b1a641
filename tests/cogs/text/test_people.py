"""How people and seats are named."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.engine.moves import Seat
from bot.values.statistics import Player
from cogs.text import people
from tests.cogs.text.samples import LONGEST, PEOPLE, card_of
from tests.helpers.markdown import read

NAMES = (
    *("North", "a", "", "   ", "a\nb", "שלום", "🃏👑", "\u202eabc", LONGEST),
    *("*bold* _it_ `code`", "@everyone <@123456789012345678>", "<#123456789012345678>", "[a](https://b.example)"),
)

ODD_NAMES = st.text(
    st.sampled_from("\\`*_~|[]()<>#:@/ a1é😀\u200b-&!") | st.characters(), max_size=40
) | st.sampled_from(("2", "22", "Иван", "李明", "2Fast", "A", "Á", "AB", "1", "3"))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_plain_text_that_cannot_reach_out_of_its_line(name: str) -> None:
    """Markdown, mentions, line ends and turned writing stay without effect, and something is always there."""
    shown = people.safe(name)
    assert shown.startswith("\u2068")
    assert shown.endswith("\u2069")
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert read(shown)[1] == []
    assert len(shown) <= 2 * people.LONGEST + 4
    assert len(shown) > 2


@example("https://a||b||`", "[**x**](y)")
@example("[||](x", "https://||z")
@example("<@1> <#2> <t:3:R> </gin hand:4> <:a:5>", "@here http://x/__u__")
@given(ODD_NAMES, ODD_NAMES)
def test_names_are_shown_as_they_are(first: str, second: str) -> None:
    """Side by side in one line any two names are shown sign by sign, and nothing in them is markup."""
    names = [Player(1, name) for name in (first, second)]
    assume("someone" not in map(people.plain, names))
    shown, marked = read(" vs ".join(map(people.name, names)))
    assert marked == []
    expected = " vs ".join(f"\u2068{people.plain(name)}\u2069" for name in names)
    assert shown.replace("@\u200b", "@") == expected.replace("@\u200b", "@")


def test_markup_is_found_where_there_is_some() -> None:
    """The reader that the test above relies on sees what Discord would: else nothing would be proved."""
    assert read("a **b** ||c|| [d](https://e.example) <@5> @") == (
        "a     @",
        ["**b**", "||c||", "[d](https://e.example)", "<@5>"],
    )
    assert read(r"\*b\* snake_case") == ("*b* snake_case", [])


def test_a_name_with_open_turns_of_writing_closes_them() -> None:
    """Signs that turn the direction of writing are closed, or taken out, before the name ends."""
    assert "\u202e" not in people.safe("\u202eabc")
    assert "\u2066" not in people.safe("abc\u2066")
    assert people.safe("a\u2069b") == "\u2068ab\u2069"


def test_a_name_has_words_where_markdown_does_not_apply() -> None:
    """On menus a name is never empty, and someone without one is called so."""
    assert people.plain(Player(1, "North")) == "North"
    assert people.plain(Player(1, "  ")) == "someone"
    assert people.plain(Player(1, None)) == "someone"
    assert people.plain(Player(None, None)) == people.FORGOTTEN
    assert people.name(Player(5, None)) == "<@5>"


def test_monograms_differ() -> None:
    """Seats carry a letter each, two where the first is taken, and a number where there are none."""
    assert people.marks(card_of("North", "South")) == ("N", "S")
    assert people.marks(card_of("Anna", "Abel")) == ("A", "AB")
    assert people.marks(card_of("שלום", "🃏")) == ("1", "2")
    assert people.marks(card_of("A", "A")) == ("A", "2")
    assert people.marks(card_of("Émile", None)) == ("E", "2")


@example(["2Fast", "Иван"])
@example(["22", "2"])
@example(["4", "4", "", "3"])
@given(st.lists(ODD_NAMES, min_size=2, max_size=4))
def test_monograms_differ_whatever_the_names(names: list[str]) -> None:
    """Up to four seats always have one each, of A-Z and 0-9."""
    found = people.marks(card_of(*names))
    assert len({*found}) == len(names)
    assert all(re.fullmatch(r"[A-Z0-9]{1,2}", mark) for mark in found)


def test_a_match_is_named_by_its_sides() -> None:
    """Each for themselves or team against team; whom a seat plays against are never its partners."""
    duel, three, four = (
        card_of(*PEOPLE[:seats], rules=rules) for seats, rules in ((2, "classic"), (3, "rotation"), (4, "partners"))
    )
    assert people.versus(duel) == "⁨North⁩ vs ⁨South⁩"
    assert people.versus(three) == "⁨North⁩ vs ⁨South⁩ vs ⁨East⁩"
    assert people.versus(four) == "⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩"
    assert people.rivals(three, Seat(1)) == "⁨North⁩ and ⁨East⁩"
    assert people.rivals(four, Seat(0)) == "⁨South⁩ and ⁨West⁩"
    assert people.sheet_key(four) == "**N** ⁨North⁩ · **S** ⁨South⁩ · **E** ⁨East⁩ · **W** ⁨West⁩"


@pytest.mark.parametrize(
    ("several", "told"),
    [("", ""), ("a", "a"), ("a b", "a and b"), ("a b c", "a, b and c"), ("a b c d", "a, b, c and d")],
)
def test_words_in_a_row(several: str, told: str) -> None:
    """Commas, and an `and` before the last."""
    assert people.joined(several.split()) == told
