"""The declarations of the rule options: types, values and notation."""

from __future__ import annotations

from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bot.engine.rules import OPTIONS, PRESETS, Rules, Value
from bot.engine.rules.rules import DEFAULTS

each_option = pytest.mark.parametrize("name", OPTIONS)


def sample_values(name: str) -> list[Value]:
    """Return each value of an option. Of a range, return the first two numbers and the last."""
    numbers = OPTIONS[name].numbers
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
    numbers = {"int"} if option.numbers else set[str]()
    assert typed_values(get_type_hints(Rules)[name]) == {repr(value) for value in option.named_values} | numbers
    assert option.allows(DEFAULTS[name])
    assert getattr(Rules(), name) == DEFAULTS[name]


@each_option
def test_declared_values_are_valid(name: str) -> None:
    """Each named value of an option is listed once, can be parsed, and is not among the option's numbers."""
    option = OPTIONS[name]
    written = [option.print(value) for value in option.named_values]
    assert len(set(written)) == len(written)
    assert not any(value in option.numbers for value in option.named_values)
    assert [option.parse(text) for text in written] == [*option.named_values]


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
