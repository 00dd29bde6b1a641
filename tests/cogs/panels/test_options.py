"""The options of a challenge before it goes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from bot.play.values import ChallengeStatus, Invitation, Offer

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, PRESETS, Menu, Rules, Value
from cogs.panels import options as panels
from cogs.text import rules as rules_words
from tests.cogs.text.samples import MOST, buttons, invited, length, menus, words

OFFERS = tuple(Offer(name, Rules.parse(name), house=False) for name in PRESETS)
FEW = ("classic", "penalty deals=3", "oklahoma spade_doubles=on oklahoma_boxes=on")
MANY = ("classic target=none deals=7", *(preset for preset in PRESETS if preset != "classic"))
systems = pytest.mark.parametrize("written", [*FEW, *(pytest.param(one, marks=pytest.mark.slow) for one in MANY)])


def _draft(rules: str) -> Invitation:
    return invited("North", rules=rules, status=ChallengeStatus.DRAFT)


def _changed(rules: Rules, option: str, value: Value) -> Rules | None:
    changes: dict[str, Any] = {option: value}
    try:
        return replace(rules, **changes)
    except GinError:
        return None


def _open(rules: Rules) -> Iterator[str]:
    """The options that the panel lets one change."""
    for menu in menus(panels.options(_draft(str(rules)), OFFERS))[1:]:
        yield from (option.value for option in menu.options)


@systems
def test_only_what_can_be_played_is_offered(written: str) -> None:
    """Each value on offer makes sound rules, the present one is marked, and no name that would be sound is left out."""
    rules = Rules.parse(written)
    for name in _open(rules):
        values = [*panels.allowed(rules, name)]
        assert len(values) > 1
        assert getattr(rules, name) in values
        assert all(_changed(rules, name, value) is not None for value in values)
        left_out = [value for value in OPTIONS[name].named if value not in values]
        assert all(_changed(rules, name, value) is None for value in left_out)
        shown = menus(panels.options(_draft(written), OFFERS, name))
        menu = shown[2 if OPTIONS[name].menu is Menu.PLAY else 3]
        assert [OPTIONS[name].parse(option.value) for option in menu.options] == values
        assert [option.value for option in menu.options if option.default] == [
            OPTIONS[name].print(getattr(rules, name))
        ]


@systems
def test_the_panel_is_as_discord_takes_it(written: str) -> None:
    """At most 25 options with texts of at most 100 characters in a menu, five menus and rows, and one message."""
    rules = Rules.parse(written)
    for name in (None, *_open(rules)):
        shown = panels.options(_draft(written), OFFERS, name)
        assert length(shown) < MOST / 2
        assert buttons(shown) == ["Send the challenge", "Rules", "Forget it"]
        found = menus(shown)
        assert len(found) == (3 if name is None else 4)
        assert len({menu.custom_id for menu in found}) == len(found)
        for menu in found:
            options = menu.options
            assert 0 < len(options) <= 25
            assert len({option.value for option in options}) == len(options)
            assert sum(option.default for option in options) <= 1
            assert all(0 < len(option.label) <= 100 for option in options)
            assert all(0 < len(option.description or "…") <= 100 for option in options)


def test_what_has_no_effect_cannot_be_changed() -> None:
    """Gin only has no lay-offs to set, penalty points no lines, express no lay-offs by hand."""
    for preset, absent in (
        ("straight", {"lay_off", "undercut_bonus", "spade_doubles"}),
        ("penalty", {"line_bonus", "game_bonus", "shutout", "winner", "scoring"}),
        ("express", {"lay_off_mode"}),
        ("hollywood", {"deals", "line_credit", "winner"}),
        ("rotation", {"next_dealer", "scoring"}),
    ):
        assert not absent & {*_open(Rules.parse(preset))}


def test_the_draft_is_told_in_words_and_written_out() -> None:
    """The line of the invitation to come, whom it is for, and the text that a command would take."""
    shown = words(panels.options(_draft("classic gin_bonus=30"), OFFERS, "gin_bonus"))
    assert f"For anyone: {rules_words.line(Rules(gin_bonus=30))}." in shown
    assert "Written out: `classic gin_bonus=30`, as" in shown
    assert "Written out: `oklahoma`, as" in words(panels.options(_draft("oklahoma"), OFFERS))
    named = invited("North", named=("South", "East"), rules="penalty", status=ChallengeStatus.DRAFT)
    assert "For ⁨South⁩ and ⁨East⁩: **penalty** rules" in words(panels.options(named, OFFERS))


def test_house_rules_have_a_menu_of_their_own() -> None:
    """Neither a server's own rules nor the presets push the others out, however many it has."""
    own = tuple(Offer(f"House {number}", Rules(), house=True) for number in range(25))
    presets, house, *_ = menus(panels.options(_draft("classic"), (*OFFERS, *own)))
    assert [option.value for option in presets.options] == [offer.name for offer in OFFERS]
    assert [option.value for option in house.options] == [offer.name for offer in own]
