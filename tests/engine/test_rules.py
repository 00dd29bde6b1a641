"""The knobs of the rules, their ranges, what is played of them, and the presets."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given

from bot.engine.errors import NotationError, RulesError
from bot.engine.record import Record, RecordError
from bot.engine.rules import KNOBS, PRESETS, Rules, Value, playable_presets
from tests.engine.strategies import rules

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

NOT_PLAYED: dict[str, str] = {
    "format=rotation": "",
    "format=winner_stays": "",
    "format=partners": "",
    "format=penalty": "",
    "cards_dealt=7": "format=penalty",
    "first_dealer=random": "",
    "first_dealer=challenged": "",
    "first_dealer=challenger": "",
    "next_dealer=loser": "",
    "next_dealer=winner": "",
    "void_redeal=deal_passes": "",
    "knock_limit=upcard": "",
    "oklahoma_ace=1": "",
    "spade_doubles=on": "knock_limit=upcard",
    "oklahoma_boxes=on": "knock_limit=upcard",
    "discard_drawn=free": "",
    "discard_drawn=never": "",
    "big_gin_bonus=30": "",
    "undercut_on_tie=off": "",
    "lay_off=off": "",
    "lay_off_mode=manual": "",
    "lay_off_chain=off": "",
    "last_discard=may_go_out": "",
    "stock_out=reshuffle": "",
    "line_credit=at_once": "",
    "shutout=plus_100": "",
    "shutout=game_bonus_doubled": "",
    "shutout=double_deals": "",
    "shutout=double_score": "",
    "shutout_needs=winner_won_all": "",
    "winner=first_to_target": "",
    "scoring=hollywood": "",
    "aces=high_low": "",
    "aces=round_the_corner": "",
}
"""Each value that is not played yet, with what else it needs to make sense."""

PLAYED = (
    "cards_dealt=10",
    "knock_limit=0",
    "knock_limit=7",
    "gin_bonus=20",
    "undercut_bonus=20",
    "undercut_bonus=10",
    "target=150",
    "target=10",
    "target=none deals=1",
    "deals=12",
    "game_bonus=0",
    "line_bonus=25",
)


def test_every_knob_is_a_field_in_the_same_order() -> None:
    """The table of knobs and the rules' fields name the same things, and the defaults are allowed and played."""
    assert [field.name for field in fields(Rules)] == [*KNOBS, "preset"]
    Rules().require_playable()


@pytest.mark.parametrize("name", KNOBS)
def test_a_value_out_of_range_is_refused(name: str) -> None:
    """A knob takes none of the values outside its range, neither in code nor in text, and the message names it."""
    values: tuple[Any, ...] = (*OUT_OF_RANGE.get(name, ()), "nonsense")
    for value in values:
        with pytest.raises(RulesError, match=f"^{name}="):
            Rules(**{name: value})
    for text in ("nonsense", "", "-1", "99999", "1.5", "²", "0x10", "9" * 5000):
        with pytest.raises(NotationError, match=f"^'{name}="):
            Rules.parse(f"classic {name}={text}")


@pytest.mark.parametrize("setting", NOT_PLAYED)
def test_a_value_that_is_not_played_yet_is_sound_but_refused(setting: str) -> None:
    """Rules with the value can be made and printed; playing and replaying them is refused, naming knob and value."""
    chosen = Rules.parse(f"classic {setting} {NOT_PLAYED[setting]}")
    assert Rules.parse(str(chosen)) == chosen
    named = (NOT_PLAYED[setting] or setting) if setting.split("=")[0] != "cards_dealt" else NOT_PLAYED[setting]
    with pytest.raises(RulesError, match=f"^{named} is not played yet"):
        chosen.require_playable()
    with pytest.raises(RecordError, match=f"^line 2: {named} is not played yet"):
        Record.parse(f'[Record "1"]\n[Rules "{chosen}"]').replay()


def test_every_value_is_known_as_played_or_not() -> None:
    """Every named value of every knob is either the default or among those listed here."""
    for name, knob in KNOBS.items():
        for value in knob.names:
            played = knob.plays(value)
            assert played == (f"{name}={knob.print(value)}" not in NOT_PLAYED), (name, value)


@pytest.mark.parametrize("settings", PLAYED)
def test_a_value_that_is_played_may_be_agreed(settings: str) -> None:
    """Limits, bonuses, targets and numbers of deals may be chosen today."""
    Rules.parse(f"classic {settings}").require_playable()


@pytest.mark.parametrize(
    "settings",
    [
        "target=none",
        "target=none winner=first_to_target deals=3",
        "cards_dealt=7",
        "spade_doubles=on",
        "oklahoma_boxes=on",
        "stock_out=reshuffle last_discard=may_go_out",
        "lay_off=off lay_off_mode=manual",
        "scoring=hollywood format=rotation",
        "scoring=hollywood target=none deals=3",
        "scoring=hollywood deals=3",
        "scoring=hollywood line_credit=at_once",
    ],
)
def test_values_that_make_no_sense_together_are_refused(settings: str) -> None:
    """A match without an end, and knobs that lack what they change, are errors of the rules."""
    with pytest.raises(RulesError):
        Rules.parse(f"classic {settings}")


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
def test_what_is_no_rules_text_is_refused(text: str) -> None:
    """An unknown preset or knob, a knob twice and a preset left out are notation errors."""
    with pytest.raises(NotationError):
        Rules.parse(text)


@given(rules)
def test_rules_survive_printing(chosen: Rules) -> None:
    """Every sound value of the rules is read from its text."""
    assert Rules.parse(str(chosen)) == chosen


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_survives_printing_without_its_name(preset: str) -> None:
    """A preset prints what sets it apart from the defaults, so that no later change of the preset alters a record."""
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
            "big_gin_bonus=31 lay_off_mode=manual line_bonus=25 shutout=double_deals shutout_needs=winner_won_all",
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
        ("partners", "format=partners target=125"),
    ],
)
def test_a_preset_plays_as_its_source_says(preset: str, differences: str) -> None:
    """What sets each preset apart is what its source document says."""
    assert str(Rules.parse(preset)) == f"{preset} {differences}".strip()


def test_a_preset_may_be_changed_back() -> None:
    """A knob that a preset sets can be set to the default again, and printing says so."""
    changed = Rules.parse("low gin_bonus=25")
    assert changed.gin_bonus == 25
    assert str(changed) == "low gin_bonus=25 undercut_bonus=10"


def test_the_presets_that_can_be_played_today() -> None:
    """Only presets whose every knob is played are offered."""
    assert playable_presets() == ("classic", "low", "even", "research", "straight")


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("cards_dealt", "7 or 10"),
        ("oklahoma_ace", "1 or gin_only"),
        ("knock_limit", "0 to 100 or upcard"),
        ("lay_off", "off or on"),
        ("deals", "1 to 1000 or none"),
    ],
)
def test_a_knob_says_what_it_may_be(name: str, choices: str) -> None:
    """The values of a knob are told in words."""
    assert KNOBS[name].choices == choices
