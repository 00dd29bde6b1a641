"""Names as people type them."""

from __future__ import annotations

import pytest

from bot.values.names import find_named, searchable


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
    assert searchable(typed) == searchable(other)


@pytest.mark.parametrize(("typed", "other"), [("か", "が"), ("कि", "का"), ("a", "b"), ("7♠", "7♥")])
def test_other_letters_and_symbols_matter(typed: str, other: str) -> None:
    """Letters with marks other than accents, and symbols, stay different."""
    assert searchable(typed) != searchable(other)


def test_the_closest_of_some_names_is_found() -> None:
    """An exact match wins over one that ignores case, then accents; an ambiguous name finds nothing."""
    names = ["Ours", "Oürs", "Mum's rules", "Big-Game", "big game 2"]
    assert find_named("ours", names) == "Ours"
    assert find_named("OÜRS", names) == "Oürs"
    assert find_named("mums rules", names) == "Mum's rules"
    assert find_named("big game", names) == "Big-Game"
    assert find_named("öurs", names) is None
    assert [find_named(one, names) for one in ("", "-", "our", "?")] == [None] * 4
