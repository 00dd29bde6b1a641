"""The declarations of the rule options: types, values, texts and menus."""

from __future__ import annotations

import re
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bot.engine.rules import OPTIONS, PRESETS, Menu, Rules, Value
from bot.engine.rules.rules import DEFAULTS

each_option = pytest.mark.parametrize("name", OPTIONS)


def sample_values(name: str) -> list[Value]:
    """Return each value of an option. Of a range, return the first two numbers and the last."""
    numbers = OPTIONS[name].numbers.range
    return [*OPTIONS[name].named_values, *sorted({*numbers[:2], *numbers[-1:]})]


def typed_values(hint: Any) -> set[str]:
    """Return the values that a type allows, as Python literals. For numbers, return only the text `int`."""
    if get_origin(hint) is Literal:
        return {repr(value) for value in get_args(hint)}
    if get_args(hint):
        return set[str]().union(*(typed_values(part) for part in get_args(hint)))
    return {bool: {"False", "True"}, NoneType: {"None"}, int: {"int"}}[hint]


@each_option
def test_the_type_of_a_field_and_its_declaration_agree(name: str) -> None:
    """The type of a field of `Rules` allows exactly the option's declared values, and the default is one of them."""
    option = OPTIONS[name]
    numbers = {"int"} if option.numbers.range else set[str]()
    assert typed_values(get_type_hints(Rules)[name]) == {repr(value) for value in option.named_values} | numbers
    assert option.allows(DEFAULTS[name])
    assert getattr(Rules(), name) == DEFAULTS[name]


@each_option
def test_every_value_has_texts_of_its_own(name: str) -> None:
    """Each value of an option has its own short and long text, without identifiers. A number's texts contain it."""
    option = OPTIONS[name]
    texts = [option.text(value) for value in sample_values(name)]
    for text in texts:
        assert 0 < len(text.short) <= 100, "a menu shows at most 100 characters"
        assert text.long.endswith(".")
        for words in (text.short, text.long):
            assert not re.search("_|None|{", words)
    assert len({text.short for text in texts}) == len({text.long for text in texts}) == len(texts)
    for number in option.numbers.range[-1:]:
        assert str(number) in option.text(number).short
        assert str(number) in option.text(number).long


@each_option
def test_declared_values_are_valid(name: str) -> None:
    """An option declares each value once, each can be parsed, and menus offer only numbers in the option's range."""
    option = OPTIONS[name]
    chosen = [option.print(value.value) for value in option.values]
    assert len(set(chosen)) == len(chosen)
    assert set(option.numbers.usual) <= set(option.numbers.range)
    assert bool(option.numbers.usual) == bool(option.numbers.range)
    assert all(option.parse(text) in [value.value for value in option.values] for text in chosen)


def test_titles_tell_options_apart() -> None:
    """No two options have the same title."""
    assert len({option.title for option in OPTIONS.values()}) == len(OPTIONS)


def test_only_presets_set_the_format() -> None:
    """Every option except the format and the cards dealt is in a menu, and both menus fit Discord's limit."""
    menus = {menu: [name for name, option in OPTIONS.items() if option.menu is menu] for menu in (None, *Menu)}
    assert menus[None] == ["format", "cards_dealt"]
    assert all(0 < len(menus[menu]) <= 25 for menu in Menu), "Discord shows at most 25 entries"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_says_only_what_sets_it_apart(preset: str) -> None:
    """Presets list only values that differ from the defaults."""
    assert all(value != DEFAULTS[name] for name, value in PRESETS[preset].values.items())


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("cards_dealt", "10 or 7"),
        ("oklahoma_ace", "1 or gin_only"),
        ("knock_limit", "0 to 100 or upcard"),
        ("lay_off", "on or off"),
        ("deals", "1 to 1000 or none"),
    ],
)
def test_an_option_names_its_choices(name: str, choices: str) -> None:
    """`choices`, which error messages quote, lists the values of an option."""
    assert OPTIONS[name].allowed_text == choices
