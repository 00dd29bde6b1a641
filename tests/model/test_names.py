"""The search keys of names that people type, and finding the closest name."""

from __future__ import annotations

import pytest

from bot.model.names import find_name, search_key


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("São Paulo", "sao_paulo"),
        ("Zürich", "ZURICH"),
        ("Mum's rules", "mums-rules"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
        ("Kraków", "ｋｒａｋｏｗ"),
        ("no\u200bthing", "nothing"),
        ("İzmir", "izmir"),
    ],
)
def test_case_accents_and_punctuation_do_not_matter(typed: str, other: str) -> None:
    """Names that differ only in case, accents, spaces and punctuation have the same search key."""
    assert search_key(typed) == search_key(other)


@pytest.mark.parametrize(("typed", "other"), [("か", "が"), ("कि", "का"), ("a", "b"), ("7♠", "7♥")])
def test_other_letters_and_symbols_matter(typed: str, other: str) -> None:
    """Names have different search keys if their letters, their marks other than accents, or their symbols differ."""
    assert search_key(typed) != search_key(other)


def test_the_closest_name_is_found() -> None:
    """An exact match is preferred to one that ignores case, which is preferred to one that ignores accents.

    A text that matches several names equally well finds nothing.
    """
    names = ["Ours", "Oürs", "Mum's rules", "Big-Game", "big game 2"]
    assert find_name("ours", names) == "Ours"
    assert find_name("OÜRS", names) == "Oürs"
    assert find_name("mums rules", names) == "Mum's rules"
    assert find_name("big game", names) == "Big-Game"
    assert find_name("öurs", names) is None
    assert [find_name(text, names) for text in ("", "-", "our", "?")] == [None] * 4
