"""The texts of the rule options: none is missing, and menus fit Discord's limits."""

from __future__ import annotations

import re

import pytest

from bot.engine.rules import OPTIONS
from bot.model.rule_texts import RULE_TEXTS, Menu
from tests.engine.rules.test_options import sample_values

each_option = pytest.mark.parametrize("name", OPTIONS)


def test_every_option_has_texts() -> None:
    """The options of the rules and the entries of the texts have the same names and order."""
    assert [*RULE_TEXTS] == [*OPTIONS]


@each_option
def test_every_value_has_texts(name: str) -> None:
    """An option has texts for its named values, in the same order, and for its numbers. Invalid values have no text."""
    option, texts = OPTIONS[name], RULE_TEXTS[name]
    assert all(map(option.allows, texts.values))
    named = [value for value in texts.values if value not in option.numbers]
    assert [*map(repr, named)] == [*map(repr, option.named_values)]
    assert (texts.numbers is not None) == bool(option.numbers)


@each_option
def test_every_value_has_texts_of_its_own(name: str) -> None:
    """Each value of an option has its own short and long text, without identifiers. A number's texts contain it."""
    texts = [RULE_TEXTS[name].text(value) for value in sample_values(name)]
    for text in texts:
        assert 0 < len(text.short) <= 100, "a menu shows at most 100 characters"
        assert text.long.endswith(".")
        for words in (text.short, text.long):
            assert not re.search("_|None|{", words)
    assert len({text.short for text in texts}) == len({text.long for text in texts}) == len(texts)
    for number in OPTIONS[name].numbers[-1:]:
        assert str(number) in RULE_TEXTS[name].text(number).short
        assert str(number) in RULE_TEXTS[name].text(number).long


@each_option
def test_menus_offer_valid_numbers(name: str) -> None:
    """The usual numbers, which menus offer, are in the option's range. Every option with a range has usual numbers."""
    option, usual = OPTIONS[name], RULE_TEXTS[name].usual
    assert set(usual) <= set(option.numbers)
    assert bool(usual) == bool(option.numbers)


def test_titles_tell_options_apart() -> None:
    """No two options have the same title."""
    assert len({texts.title for texts in RULE_TEXTS.values()}) == len(RULE_TEXTS)


def test_only_presets_set_the_format() -> None:
    """All options except the format and the cards dealt are in one of two menus. Each menu fits Discord's limit."""
    menus = {menu: [name for name, texts in RULE_TEXTS.items() if texts.menu is menu] for menu in (None, *Menu)}
    assert menus[None] == ["format", "cards_dealt"]
    assert all(0 < len(menus[menu]) <= 25 for menu in Menu), "Discord shows at most 25 entries"
