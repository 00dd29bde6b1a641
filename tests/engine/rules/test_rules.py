"""The options of the rules, their ranges and conflicts, and the presets."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given

from bot.engine.errors import NotationError, RulesError
from bot.engine.rules import OPTIONS, PRESETS, Rules, Value
from tests.engine.strategies import rules
from tests.helpers.examples import examples

OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "cards_dealt": (8, 9, 11),
    "knock_limit": (-1, 101, "downcard"),
    "oklahoma_ace": (0, 2, 11),
    "gin_bonus": (-1, 1001, None),
    "undercut_bonus": (-1, 1001),
    "big_gin_bonus": (0, 1001, False),
    "target": (0, 10_001, "some"),
    "deals": (0, 1001),
    "game_bonus": (-1, 1001),
    "line_bonus": (-1, 1001),
    "shutout": (True, None, 100),
}


def test_every_option_is_a_field_in_the_same_order() -> None:
    """The table of options and the fields of `Rules` have the same names and order. The defaults are `classic`."""
    assert [field.name for field in fields(Rules)] == [*OPTIONS, "preset"]
    assert Rules() == Rules.parse("classic")


@pytest.mark.parametrize("name", OPTIONS)
def test_a_value_out_of_range_is_refused(name: str) -> None:
    """An option refuses values outside its range, in code and in text, and the error names the option."""
    values: tuple[Any, ...] = (*OUT_OF_RANGE.get(name, ()), "nonsense")
    for value in values:
        with pytest.raises(RulesError, match=f"^{name}="):
            Rules(**{name: value})
    for text in ("nonsense", "", "-1", "99999", "1.5", "²", "0x10", "9" * 5000):
        with pytest.raises(NotationError, match=f"^'{name}="):
            Rules.parse(f"classic {name}={text}")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("classic target=none", "deals=N"),
        ("classic target=none winner=first_to_target deals=3", "first_to_target needs a target"),
        ("classic cards_dealt=7", "three or four at one table"),
        ("rotation cards_dealt=7", "three or four at one table"),
        ("classic spade_doubles=on", "knock_limit=upcard"),
        ("classic oklahoma_boxes=on", "knock_limit=upcard"),
        ("classic oklahoma_ace=1", "knock_limit=upcard"),
        ("classic stock_out=reshuffle last_discard=may_go_out", "needs last_discard=void"),
        ("penalty stock_out=void last_discard=may_go_out", "two at a table"),
        ("classic lay_off=off lay_off_mode=manual", "needs lay_off=on"),
        ("rotation first_dealer=challenger", "first_dealer=challenger is for two"),
        ("penalty first_dealer=challenged", "first_dealer=challenged is for two"),
        ("winner_stays next_dealer=alternate", "the loser deals"),
        ("winner_stays void_redeal=deal_passes", "who deals after a void deal"),
        ("partners void_redeal=deal_passes", "who deals after a void deal"),
        ("rotation next_dealer=loser", "the deal passes on"),
        ("partners next_dealer=winner", "the deal passes on"),
        ("penalty next_dealer=loser", "the deal passes on"),
        ("partners knock_limit=upcard oklahoma_boxes=on", "needs oklahoma_boxes=off"),
        ("hollywood format=rotation", "is for format=duel"),
        ("hollywood target=none deals=3", "by its target alone"),
        ("hollywood deals=3", "by its target alone"),
        ("hollywood line_credit=at_once", "lines at the end"),
        ("hollywood winner=first_to_target", "sum of its columns"),
        ("penalty game_bonus=100", "no game, line or shutout"),
        ("penalty line_bonus=20", "no game, line or shutout"),
        ("penalty shutout=plus_100", "no game, line or shutout"),
        ("penalty knock_limit=upcard oklahoma_boxes=on", "no game, line or shutout"),
        ("penalty winner=first_to_target", "the fewest points win"),
    ],
)
def test_conflicting_values_are_refused_with_the_reason(settings: str, reason: str) -> None:
    """Conflicting options are refused with the reason."""
    with pytest.raises(RulesError, match=reason) as caught:
        Rules.parse(settings)
    assert caught.value.code == "knobs-conflict"


@pytest.mark.parametrize(
    "settings",
    [
        "oklahoma oklahoma_ace=1 spade_doubles=on oklahoma_boxes=on",
        "strict last_discard=may_go_out",
        "penalty cards_dealt=10",
        "penalty knock_limit=upcard spade_doubles=on lay_off_mode=manual big_gin_bonus=31",
        "partners lay_off_mode=manual stock_out=reshuffle",
        "hollywood knock_limit=upcard shutout=double_score",
        "rotation deals=6 target=none",
        "classic first_dealer=random void_redeal=deal_passes line_credit=at_once line_bonus=10",
    ],
)
def test_compatible_values_are_accepted(settings: str) -> None:
    """Compatible options can be combined on top of any preset."""
    chosen = Rules.parse(settings)
    assert Rules.parse(str(chosen)) == chosen


@pytest.mark.parametrize(
    "text",
    [
        "",
        "clasic",
        "classic target",
        "classic gin=25",
        "classic target=100 target=150",
        "classic preset=low",
        "target=150",
    ],
)
def test_text_that_is_not_rules_is_refused(text: str) -> None:
    """Unknown presets and options, duplicate options and a missing preset are notation errors."""
    with pytest.raises(NotationError):
        Rules.parse(text)


@pytest.mark.thorough
@given(rules)
def test_rules_round_trip(chosen: Rules) -> None:
    """Valid rules round-trip through their text."""
    assert Rules.parse(str(chosen)) == chosen


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_round_trips_without_its_name(preset: str) -> None:
    """A preset is printed with its differences from the defaults, so that changing the preset alters no old record."""
    chosen = Rules.parse(preset)
    assert Rules.parse(str(chosen)) == chosen
    name, *differences = str(chosen).split()
    assert name == preset
    bare: dict[str, Value] = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    from_defaults = Rules.parse(" ".join(("classic", *differences)))
    assert {field.name: getattr(from_defaults, field.name) for field in fields(chosen)} | {"preset": preset} == bare


@pytest.mark.parametrize(
    ("preset", "differences"),
    [
        ("classic", ""),
        ("standard", "lay_off_mode=manual"),
        (
            "strict",
            "next_dealer=loser discard_drawn=never undercut_on_tie=off lay_off_mode=manual line_bonus=25"
            " shutout=plus_100",
        ),
        ("express", "big_gin_bonus=30"),
        (
            "big",
            "opening=offer_then_free big_gin_bonus=31 lay_off_mode=manual line_bonus=25 shutout=double_deals"
            " shutout_needs=winner_won_all",
        ),
        (
            "penalty",
            "format=penalty cards_dealt=7 opening=free undercut_on_tie=off lay_off_chain=off stock_out=reshuffle"
            " game_bonus=0 line_bonus=0",
        ),
        ("oklahoma", "knock_limit=upcard target=150"),
        ("quick", "lay_off=off"),
        ("free_discard", "discard_drawn=free"),
        ("low", "gin_bonus=20 undercut_bonus=10"),
        ("even", "gin_bonus=20 undercut_bonus=20"),
        ("blitz", "shutout=double_score"),
        (
            "traditional",
            "next_dealer=winner gin_bonus=20 undercut_bonus=10 shutout=game_bonus_doubled winner=first_to_target",
        ),
        ("tournament", "discard_drawn=free last_discard=may_go_out"),
        ("research", "game_bonus=0 line_bonus=0"),
        ("straight", "knock_limit=0"),
        ("hollywood", "target=150 scoring=hollywood"),
        ("round_the_corner", "aces=round_the_corner"),
        ("rotation", "format=rotation"),
        (
            "strict_rotation",
            "format=rotation discard_drawn=never undercut_on_tie=off lay_off_mode=manual line_bonus=25"
            " shutout=plus_100",
        ),
        ("winner_stays", "format=winner_stays next_dealer=loser"),
        ("partners", "format=partners target=125"),
        (
            "strict_partners",
            "format=partners discard_drawn=never undercut_on_tie=off lay_off_mode=manual line_bonus=25"
            " shutout=plus_100",
        ),
    ],
)
def test_a_preset_plays_as_its_source_says(preset: str, differences: str) -> None:
    """Each preset differs from the defaults exactly as its source says."""
    assert str(Rules.parse(preset)) == f"{preset} {differences}".strip()


@pytest.mark.parametrize(("preset", "now"), [("big", "offer_then_free"), ("penalty", "free")])
def test_a_preset_of_version_1_opened_with_an_offer(preset: str, now: str) -> None:
    """In version 1, `big` and `penalty` have their old `opening`. Their other options have not changed."""
    before = Rules.parse(preset, version=1)
    assert (before.opening, Rules.parse(preset).opening) == ("offer", now)
    assert replace(before, opening=Rules.parse(preset).opening) == Rules.parse(preset)
    assert Rules.parse(str(before)) == before
    assert Rules.parse(f"{preset} opening=free", version=1).opening == "free"


def test_a_preset_may_be_changed_back() -> None:
    """An option that a preset sets can be reset to the default, and the printed rules show it."""
    changed = Rules.parse("low gin_bonus=25")
    assert changed.gin_bonus == 25
    assert str(changed) == "low gin_bonus=25 undercut_bonus=10"


@examples(25, nightly=2600)
@given(rules)
def test_a_preset_is_only_a_name(chosen: Rules) -> None:
    """Rules stay valid under any other preset's name, and changing the name changes no option."""
    for preset in PRESETS:
        assert replace(replace(chosen, preset=preset), preset=chosen.preset) == chosen
