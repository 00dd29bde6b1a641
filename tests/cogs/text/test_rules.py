"""The rules in plain words."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from cogs.help import explained

from bot.engine.rules import OPTIONS, PRESETS, Rules
from cogs.text import rules as words
from tests.cogs.text.samples import MOST, length
from tests.engine.test_options import sample_values


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_of_a_preset_are_told_in_one_message(preset: str) -> None:
    """Within Discord's limit, by their name; what the preset sets is said first, and its numbers are there."""
    rules = Rules.parse(preset)
    told = words.explained(rules)
    assert length(explained(rules, preset)) < MOST
    assert words.line(rules).startswith(f"**{preset}** rules to {rules.target}")
    different, _, _ = told.partition("**As in classic**")
    for option, value in PRESETS[preset].values.items():
        if option in words.changed(rules):
            assert OPTIONS[option].text(value).long in different
    assert ("**Not as in classic**" in told) == (preset != "classic")
    assert f"gin bonus is **{rules.gin_bonus}**" in told


def test_no_two_presets_are_told_alike() -> None:
    """Neither in full nor in the few words of a menu."""
    everyone = [Rules.parse(preset) for preset in PRESETS]
    assert len({words.explained(rules) for rules in everyone}) == len(everyone)
    assert len({(words.differences(rules), rules.target) for rules in everyone}) == len(everyone)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_change_that_matters_is_told(option: str) -> None:
    """Beside other rules another value of an option is explained by its words, unless it has no effect there."""
    for preset in ("classic", "strict", "oklahoma", "hollywood", "partners", "penalty"):
        rules = Rules.parse(preset)
        for value in sample_values(option):
            try:
                changed = replace(rules, **cast(dict[str, str], {option: value}))
            except ValueError:
                continue
            matters = OPTIONS[option].matters
            if matters(changed) and matters(rules) and value != getattr(rules, option):
                assert OPTIONS[option].text(value).long in words.explained(changed) or value == getattr(Rules(), option)
                assert words.explained(changed) != words.explained(rules)


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("straight", "lay_off lay_off_mode lay_off_chain undercut_bonus undercut_on_tie oklahoma_ace"),
        ("quick", "lay_off_mode lay_off_chain spade_doubles oklahoma_boxes"),
        ("penalty", "game_bonus line_bonus line_credit winner next_dealer last_discard shutout_needs"),
        ("research", "line_credit shutout_needs"),
    ],
)
def test_what_has_no_effect_is_not_told(rules: str, options: str) -> None:
    """Gin only knows no lay-offs, penalty points no lines, and so on: nothing is said of them."""
    agreed = Rules.parse(rules)
    for option in options.split():
        assert not OPTIONS[option].matters(agreed)
        assert words.meaning(agreed, option).long not in words.explained(agreed).split("\n- ")


def test_the_end_of_a_match_is_named() -> None:
    """By points, by deals, or by whichever comes first."""
    for rules, told in (
        ("classic", "**classic** rules to 100"),
        ("classic deals=5", "**classic** rules to 100 or for 5 scored deals"),
        ("classic target=none deals=5", "**classic** rules for 5 scored deals"),
    ):
        assert words.name(Rules.parse(rules)) == told
    assert words.line(Rules(), "Friday night") == "**Friday night** rules to 100 · the usual rules"
