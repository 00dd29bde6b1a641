"""The texts of rules."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from bot.engine.rules import OPTIONS, PRESETS, Rules
from bot.model.rule_texts import RULE_TEXTS
from cogs.rules.rules_panel import rules_page
from cogs.words import rules as texts
from tests.cogs.samples import MESSAGE_LIMIT, length
from tests.engine.rules.test_options import sample_values


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_of_a_preset_fit_a_message(preset: str) -> None:
    """The text begins with the preset's differences from `classic`, has its gin bonus, and fits into a message."""
    rules = Rules.parse(preset)
    text = texts.explained(rules)
    assert length(rules_page(rules, preset)) < MESSAGE_LIMIT
    assert texts.line(rules).startswith(f"{texts.name(rules)}")
    different, _, _ = text.partition(texts.SAME)
    for option, value in PRESETS[preset].values.items():
        if option in texts.changed(rules):
            assert RULE_TEXTS[option].text(value).long in different
    assert (f"### {texts.DIFFERENT}" in text) == (preset != "classic")
    headings = [line for line in text.splitlines() if not line.startswith("- ")]
    assert len(headings) >= 7
    assert f"gin bonus is **{rules.gin_bonus}**" in text


@pytest.mark.parametrize("preset", PRESETS)
def test_only_rules_with_teams_mention_them(preset: str) -> None:
    """The text of a preset mentions teams only if its format has teams."""
    rules = Rules.parse(preset)
    assert ("team" in texts.explained(rules)) == (rules.format == "partners")


def test_no_two_presets_have_the_same_text() -> None:
    """All presets have different texts, both the full ones and the short ones in menus."""
    presets = [Rules.parse(preset) for preset in PRESETS]
    assert len({texts.explained(rules) for rules in presets}) == len(presets)
    assert len({(texts.differences(rules), rules.target) for rules in presets}) == len(presets)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_change_that_matters_is_in_the_text(option: str) -> None:
    """Changing an option changes the text of the rules, unless the option has no effect under them."""
    for preset in ("classic", "strict", "oklahoma", "hollywood", "partners", "penalty"):
        rules = Rules.parse(preset)
        for value in sample_values(option):
            try:
                changed = replace(rules, **cast(dict[str, str], {option: value}))
            except ValueError:
                continue
            matters = OPTIONS[option].matters
            if matters(changed) and matters(rules) and value != getattr(rules, option):
                meaning = RULE_TEXTS[option].text(value).long
                assert meaning in texts.explained(changed) or value == getattr(Rules(), option)
                assert texts.explained(changed) != texts.explained(rules)


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("straight", "lay_off lay_off_mode lay_off_chain undercut_bonus undercut_on_tie oklahoma_ace"),
        ("quick", "lay_off_mode lay_off_chain spade_doubles oklahoma_boxes"),
        ("penalty", "game_bonus line_bonus line_credit winner next_dealer last_discard shutout_needs"),
        ("research", "line_credit shutout_needs"),
    ],
)
def test_options_without_effect_are_not_in_the_text(rules: str, options: str) -> None:
    """Options without effect are not mentioned, such as layoffs under gin-only rules."""
    agreed = Rules.parse(rules)
    for option in options.split():
        assert not OPTIONS[option].matters(agreed)
        assert texts.meaning(agreed, option).long not in texts.explained(agreed).split("\n- ")


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("classic", "**Classic**, first to 100"),
        ("classic deals=5", "**Classic**, first to 100 or 5 deals"),
        ("classic target=none deals=5", "**Classic**, 5 deals"),
    ],
)
def test_the_name_says_when_a_match_ends(rules: str, name: str) -> None:
    """The rules' name says if a match ends at a score, after a number of deals, or at whichever comes first."""
    assert texts.name(Rules.parse(rules)) == name


def test_a_changed_preset_is_marked_as_changed() -> None:
    """A preset is marked as changed unless only its target or number of deals was changed. House rules never are."""
    changed = Rules.parse("classic gin_bonus=20")
    assert texts.name(changed, "classic") == texts.name(changed) == "**Classic** (changed), first to 100"
    assert texts.name(changed, "Friday night") == "**Friday night**, first to 100"
    assert texts.name(Rules.parse("straight target=30"), "straight") == "**Straight**, first to 30"


def test_house_rules_use_their_own_name() -> None:
    """The line about house rules begins with their name."""
    assert texts.line(Rules(), "Friday night") == "**Friday night**, first to 100"


def test_a_preset_is_named_where_its_rules_can_be_looked_up() -> None:
    """A short line has only the name and the end of a preset, but the differences of changed and of house rules."""
    strict = Rules.parse("strict target=30")
    assert texts.short_line(strict, "strict") == texts.short_line(strict) == texts.name(strict)
    for rules, ruleset in ((Rules.parse("strict gin_bonus=30"), "strict"), (strict, "Friday night")):
        assert texts.short_line(rules, ruleset) == texts.line(rules, ruleset) != texts.name(rules, ruleset)


def test_every_option_has_its_topic() -> None:
    """In the text of the rules, each option is under one heading, and no heading has more than six options."""
    listed = [option for options in texts.TOPICS.values() for option in options]
    assert sorted(listed) == sorted(OPTIONS)
    assert max(map(len, texts.TOPICS.values())) <= 6
