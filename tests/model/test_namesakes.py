"""People whose names look the same are shown with an addition to their names: the name of their account."""

from __future__ import annotations

import pytest

from bot.model.ids import PersonId
from bot.model.namesakes import with_ambiguity
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from cogs.words.names import name, plain


def player(number: int, shown: str | None, username: str | None = None) -> Player:
    """Return a person with a made-up id."""
    return Player(PersonId(4_000_000 + number), shown, username=username)


def accounts(*players: Player) -> list[str | None]:
    """Return the account shown after each player's name in a text about all of them, or None for unambiguous names."""
    return [player.account for player in with_ambiguity(players)]


@pytest.mark.parametrize(
    "other",
    [
        "sam smith",
        "Sam Smith",
        "SAM SMITH",
        "ｓａｍ ｓｍｉｔｈ",
        "𝓼𝓪𝓶 𝓼𝓶𝓲𝓽𝓱",
        "sam\u00a0smith",
        "sam\u3000smith",
        "sam\u2003smith",
        "sam\u1680smith",
        "sam\u2800smith",
        "sam\u3164smith",
        "sam  smith",
        " sam smith ",
        "sam\u200b smith",
        "s\u00adam smith",
        "sam smith\ufe0f",
        "sam\u034f smith",
        "\u202esam smith",
        "\u2067sam\u2069 smith",
        "sam smith\U000e0061",
        "sam smith\u3164",
        "sa\x00m smith",
    ],
)
def test_names_that_look_equal(other: str) -> None:
    """Names look the same if they differ only in case, width, kinds of spaces, or invisible characters."""
    assert accounts(player(1, "sam smith", "one"), player(2, other, "two")) == ["one", "two"]


@pytest.mark.parametrize("other", ["samsmith", "sam smith 2", "sám smith", "sam_smith", "Max"])
def test_names_that_look_different(other: str) -> None:
    """No account name is appended to names that look different."""
    assert accounts(player(1, "sam smith", "one"), player(2, other, "two")) == [None, None]


def test_apostrophes_and_dashes_look_equal() -> None:
    """Different forms of apostrophes and dashes look the same."""
    assert accounts(player(1, "Mary-Ann O'Neil", "one"), player(2, "Mary‑Ann O’Neil", "two")) == ["one", "two"]


def test_invisible_names_are_ambiguous() -> None:
    """Invisible names are ambiguous, and so is a name like the text that is shown instead of them."""
    found = accounts(player(1, "\u3164", "one"), player(2, "\u200b", "two"), player(3, "Someone", "three"))
    assert found == ["one", "two", "three"]


def test_names_like_those_of_computers_and_forgotten_people() -> None:
    """A person's account is shown if the person's name looks like that of a computer or a forgotten person.

    Nothing is added to the names of the computer and the forgotten person.
    """
    computer, forgotten = Player(None, "Computer", Level.CASUAL), Player(None, None)
    found = accounts(computer, player(1, "computer", "one"), forgotten, player(2, "Someone who left", "two"))
    assert found == [None, "one", None, "two"]


def test_a_name_equal_to_another_with_its_addition_is_ambiguous() -> None:
    """A person's account is also shown if their name looks like a name with an account added, such as `Sam (one)`."""
    found = accounts(player(1, "sam", "one"), player(2, "sam", "two"), player(3, "Sam (one)", "three"))
    assert found == ["one", "two", "three"]


def test_the_id_is_shown_without_an_account_name() -> None:
    """If the name of a person's account is unknown, the last digits of their id are added to their name."""
    assert accounts(player(21, "sam"), player(22, "sam", "two")) == ["…0021", "two"]


def test_people_without_a_name_get_no_addition() -> None:
    """People without a known name get no addition, because texts mention them instead."""
    assert accounts(player(1, None), player(2, None), player(3, "sam", "three")) == [None, None, None]


def test_one_person_is_not_ambiguous() -> None:
    """A person who appears twice in a list, even with different names, is not ambiguous."""
    assert accounts(player(1, "sam", "one"), player(1, "Sam", "one")) == [None, None]


def test_the_account_name_is_escaped_and_not_shortened() -> None:
    """The account's name is escaped, and shortening affects only the name before it."""
    (shown, _) = with_ambiguity([player(1, "A" * 32, "sam_1"), player(2, "a" * 32, "sam_2")])
    assert plain(shown, 10) == "AAAAAAAAA… (sam_1)"
    assert name(shown) == f"\u2068{'A' * 32} \\(sam\\_1\\)\u2069"
