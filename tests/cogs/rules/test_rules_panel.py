"""The options of a challenge before it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, PRESETS, Rules, Value
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import NO_CLOCK
from bot.model.guilds import NamedRules
from bot.model.rule_texts import RULE_TEXTS, Menu
from cogs.rules import rules_panel as panels
from cogs.words import rules as rules_text
from tests.cogs.samples import MESSAGE_LIMIT, button_labels, challenge_by, length, person_id, text_of
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.message_parts import menus_in

OFFERED = tuple(NamedRules(name, Rules.parse(name), house=False) for name in PRESETS)
QUICK_RULESETS = ("classic", "penalty deals=3", "oklahoma spade_doubles=on oklahoma_boxes=on")
OTHER_RULESETS = ("classic target=none deals=7", *(preset for preset in PRESETS if preset != "classic"))
each_ruleset = pytest.mark.parametrize(
    "written", [*thorough_after(1, QUICK_RULESETS), *nightly_after(0, OTHER_RULESETS)]
)


def _draft_with(rules: str) -> Challenge:
    return challenge_by("North", rules=rules, status=ChallengeStatus.DRAFT)


def _with_option(rules: Rules, option: str, value: Value) -> Rules | None:
    changes: dict[str, Any] = {option: value}
    try:
        return replace(rules, **changes)
    except GinError:
        return None


def _menu_options(rules: Rules) -> Iterator[str]:
    """Yield the names of the options that a draft's menus offer to change."""
    for menu in menus_in(panels.draft(_draft_with(str(rules)), OFFERED))[1:-1]:
        yield from (option.value for option in menu.options)


@pytest.mark.thorough
@each_ruleset
def test_only_playable_values_are_offered(written: str) -> None:
    """Menus offer only values that make valid rules, and all of those with names. The current value is selected."""
    rules = Rules.parse(written)
    for name in _menu_options(rules):
        values = [*panels.allowed_values(rules, name)]
        assert len(values) > 1
        assert getattr(rules, name) in values
        assert all(_with_option(rules, name, value) is not None for value in values)
        left_out = [value for value in OPTIONS[name].named_values if value not in values]
        assert all(_with_option(rules, name, value) is None for value in left_out)
        shown = menus_in(panels.draft(_draft_with(written), OFFERED, name))
        menu = shown[2 if RULE_TEXTS[name].menu is Menu.PLAY else 3]
        assert [OPTIONS[name].parse(option.value) for option in menu.options] == values
        assert [option.value for option in menu.options if option.default] == [
            OPTIONS[name].print(getattr(rules, name))
        ]


@pytest.mark.thorough
@each_ruleset
def test_a_draft_respects_discords_limits(written: str) -> None:
    """A menu has at most 25 options with texts of at most 100 characters; a message has at most five menus."""
    rules = Rules.parse(written)
    for name in (None, *_menu_options(rules)):
        shown = panels.draft(_draft_with(written), OFFERED, name)
        assert length(shown) < MESSAGE_LIMIT / 2
        assert button_labels(shown) == ["Send the challenge", "Rules", "Cancel"]
        shown_menus = menus_in(shown)
        assert len(shown_menus) == (4 if name is None else 5)
        assert len({menu.custom_id for menu in shown_menus}) == len(shown_menus)
        for menu in shown_menus:
            options = menu.options
            assert 0 < len(options) <= 25
            assert len({option.value for option in options}) == len(options)
            assert sum(option.default for option in options) <= 1
            assert all(0 < len(option.label) <= 100 for option in options)
            assert all(0 < len(option.description or "…") <= 100 for option in options)


@pytest.mark.parametrize(
    ("preset", "absent"),
    [
        ("straight", {"lay_off", "undercut_bonus", "spade_doubles"}),
        ("penalty", {"line_bonus", "game_bonus", "shutout", "winner", "scoring"}),
        ("quick", {"lay_off_mode", "lay_off_chain"}),
        ("hollywood", {"deals", "line_credit", "winner"}),
        ("rotation", {"next_dealer", "scoring"}),
    ],
)
def test_options_without_effect_are_not_offered(preset: str, absent: set[str]) -> None:
    """Options that have no effect under the rules are not offered, such as line bonuses under penalty rules."""
    assert not absent & {*_menu_options(Rules.parse(preset))}


def test_a_draft_shows_its_rules_and_how_to_write_them() -> None:
    """A draft names its rules and opponents, and shows the rules as a text that the command accepts."""
    text = text_of(panels.draft(_draft_with("classic gin_bonus=30"), OFFERED, "gin_bonus"))
    assert f"For anyone: {rules_text.line(Rules(gin_bonus=30))}\n" in text
    assert "`/gin challenge rules: classic gin_bonus=30`" in text
    assert "rules: oklahoma`" in text_of(panels.draft(_draft_with("oklahoma"), OFFERED))
    named = challenge_by("North", named=("South", "East"), rules="penalty", status=ChallengeStatus.DRAFT)
    assert f"For <@{person_id(1)}> and <@{person_id(2)}>: **Penalty**" in text_of(panels.draft(named, OFFERED))


def test_a_preset_has_no_description_that_its_title_contains() -> None:
    """In the menu of rules, the differences from the usual rules are left out if the title has them already."""
    presets, *_ = menus_in(panels.draft(_draft_with("classic"), OFFERED))
    described = {option.value: option.description for option in presets.options}
    assert not [
        option for option in presets.options if (option.description or "…").casefold() in option.label.casefold()
    ]
    assert described["oklahoma"] is None
    assert described["traditional"]


def test_the_menu_of_clocks_says_what_they_do() -> None:
    """A clock's label is capitalized, and the description has its notation; *No clock* needs no description."""
    without, *others = panels.clock_options(NO_CLOCK)
    assert (without.label, without.description, without.default) == ("No clock", None, True)
    assert all(str(option.description).startswith(f"{option.value}: ") for option in others)
    assert all(option.label[0] == option.label[0].upper() for option in others)


def test_house_rules_have_their_own_menu() -> None:
    """A full menu of house rules does not displace presets, and presets do not displace house rules."""
    own = tuple(NamedRules(f"House {number}", Rules(), house=True) for number in range(25))
    presets, house, *_ = menus_in(panels.draft(_draft_with("classic"), (*OFFERED, *own)))
    assert [option.value for option in presets.options] == [named_rules.name for named_rules in OFFERED]
    assert [option.value for option in house.options] == [named_rules.name for named_rules in own]
