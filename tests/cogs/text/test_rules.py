"""The rules in plain texts."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from bot.engine.rules import KNOBS, PRESETS, Rules
from cogs.features.help import explained
from cogs.text import rules as texts
from cogs.text.knobs import said
from tests.cogs.text.samples import MOST, length
from tests.cogs.text.test_knobs import values_of


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_of_a_preset_are_told_in_one_message(preset: str) -> None:
    """Within Discord's limit, by their name; what the preset sets is said first, and its numbers are there."""
    rules = Rules.parse(preset)
    told = texts.explained(rules)
    assert length(explained(rules, preset)) < MOST
    assert texts.line(rules).startswith(f"**{preset}** rules to {rules.target}")
    different, _, _ = told.partition("**As in classic**")
    for knob, value in PRESETS[preset].items():
        if knob in texts.changed(rules):
            assert said(knob, value).long in different
    assert ("**Not as in classic**" in told) == (preset != "classic")
    assert f"gin bonus is **{rules.gin_bonus}**" in told


def test_no_two_presets_are_told_alike() -> None:
    """Neither in full nor in the few words of a menu."""
    everyone = [Rules.parse(preset) for preset in PRESETS]
    assert len({texts.explained(rules) for rules in everyone}) == len(everyone)
    assert len({(texts.differences(rules), rules.target) for rules in everyone}) == len(everyone)


@pytest.mark.parametrize("knob", KNOBS)
def test_every_change_of_a_knob_that_matters_is_told(knob: str) -> None:
    """Beside other rules another value of a knob is explained by its words, unless it has no effect there."""
    for preset in ("classic", "strict", "oklahoma", "hollywood", "partners", "penalty"):
        rules = Rules.parse(preset)
        for value in values_of(knob):
            try:
                changed = replace(rules, **cast(dict[str, str], {knob: value}))
            except ValueError:
                continue
            if texts.matters(changed, knob) and texts.matters(rules, knob) and value != getattr(rules, knob):
                assert said(knob, value).long in texts.explained(changed) or value == getattr(Rules(), knob)
                assert texts.explained(changed) != texts.explained(rules)


@pytest.mark.parametrize(
    ("rules", "knobs"),
    [
        ("straight", "lay_off lay_off_mode lay_off_chain undercut_bonus undercut_on_tie oklahoma_ace"),
        ("quick", "lay_off_mode lay_off_chain spade_doubles oklahoma_boxes"),
        ("penalty", "game_bonus line_bonus line_credit winner next_dealer last_discard shutout_needs"),
        ("research", "line_credit shutout_needs"),
    ],
)
def test_what_has_no_effect_is_not_told(rules: str, knobs: str) -> None:
    """Gin only knows no lay-offs, penalty points no lines, and so on: nothing is said of them."""
    agreed = Rules.parse(rules)
    for knob in knobs.split():
        assert not texts.matters(agreed, knob)
        assert said(knob, getattr(agreed, knob)).long not in texts.explained(agreed).split("\n- ")


def test_the_end_of_a_match_is_named() -> None:
    """By points, by deals, or by whichever comes first."""
    for rules, told in (
        ("classic", "**classic** rules to 100"),
        ("classic deals=5", "**classic** rules to 100 or for 5 scored deals"),
        ("classic target=none deals=5", "**classic** rules for 5 scored deals"),
    ):
        assert texts.name(Rules.parse(rules)) == told
    assert texts.line(Rules(), "Friday night") == "**Friday night** rules to 100 · the usual rules"
