"""How people and seats are named."""

from __future__ import annotations

import re

import pytest

from bot.engine.moves import Seat
from bot.play.values import Player
from cogs.words import people
from tests.cogs.words.samples import LONGEST, PEOPLE, card_of

NAMES = (
    *("North", "a", "", "   ", "a\nb", "שלום", "🃏👑", "\u202eabc", LONGEST),
    *("*bold* _it_ `code`", "@everyone <@123456789012345678>", "<#123456789012345678>", "[a](https://b.example)"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_plain_text_that_cannot_reach_out_of_its_line(name: str) -> None:
    """Markdown, mentions, line ends and turned writing stay without effect, and something is always there."""
    shown = people.safe(name)
    assert shown.startswith("\u2068")
    assert shown.endswith("\u2069")
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert not re.search(r"(?<!\\)<|(?<!\\)[*_`]|://", shown)
    assert len(shown) <= 2 * people.LONGEST + 4
    assert len(shown) > 2


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
