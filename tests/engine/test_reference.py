"""Complete matches of every preset and of random option combinations, compared with the reference implementation."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given

from bot.engine.deals.moves import Seat
from bot.engine.errors import RulesError
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import legal
from bot.engine.records.record import Record
from bot.engine.rules import OPTIONS, PRESETS, Rules, Value
from bot.engine.to_json import match_to_json
from tests.engine.decks import TABLES, random_actions, random_finished_match
from tests.engine.strategies import seeds
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.examples import examples
from tests.reference.scores import PRESETS as TABLE
from tests.reference.scores import ReferenceMatch, expected_json, options

SAMPLE_NUMBERS: dict[str, tuple[int, ...]] = {
    "cards_dealt": (7, 10),
    "knock_limit": (0, 1, 5, 15, 40),
    "oklahoma_ace": (1,),
    "gin_bonus": (0, 20, 50),
    "undercut_bonus": (0, 10, 20),
    "big_gin_bonus": (30, 31, 50),
    "target": (20, 60, 100),
    "deals": (1, 2, 5),
    "game_bonus": (0, 50),
    "line_bonus": (0, 10, 25),
}
"""By option, the numbers that random rules choose from. With them, matches have several deals."""

DISSIMILAR = ("classic", 2), ("big", 2), ("penalty", 3), ("winner_stays", 3), ("partners", 4)
"""Dissimilar presets, used in the quick tests."""
each_table = pytest.mark.parametrize(
    ("preset", "seats"), thorough_after(len(DISSIMILAR), sorted(TABLES, key=lambda table: table not in DISSIMILAR))
)


def check_agreement(rules: Rules, seats: int, seed: int, resign_probability: float = 0.0) -> None:
    """Play a random match. Its record must round-trip, and replay to the reference's result."""
    actions, match = random_finished_match(seed, rules, seats, resign_probability)
    names = tuple(f"Seat {seat}" for seat in range(seats))
    record = Record(rules, tuple(actions), names, date(2026, 11, 21), match.score.totals)
    text, again = str(record), Record.parse(str(record))
    assert str(again) == text
    assert again == record or match.format.boards > 1
    assert record.replay() == match
    assert match_to_json(again.replay()) == match_to_json(match) == expected_json(text), text


def check_each_step(rules: Rules, seats: int, seed: int) -> None:
    """Play a random match. At each action, engine and reference must have the same legal moves and results."""
    reference = ReferenceMatch(str(rules), seats)
    for before, action, after in random_actions(seed, rules, 0.0005, seats):
        for seat in map(Seat, range(seats)):
            assert {str(move) for move in legal(before, seat)} == reference.legal(seat), (str(rules), seed, action)
        reference.apply(str(action).split())
        assert match_to_json(after) == reference.to_json(), (str(rules), seed, action)


def random_options(seed: int) -> tuple[Rules, int]:
    """Return rules with about ten random options, and the number of players."""
    rng = random.Random(seed)
    while True:
        chosen: dict[str, Value] = {
            name: rng.choice((*option.named_values, *SAMPLE_NUMBERS.get(name, ())))
            for name, option in OPTIONS.items()
            if rng.random() < 0.35
        }
        if chosen.get("format") == "winner_stays":
            chosen["next_dealer"] = "loser"
        if chosen.get("format") == "penalty":
            chosen |= {"game_bonus": 0, "line_bonus": 0, "shutout": False}
        try:
            rules = Rules.parse(
                " ".join(("classic", *(f"{name}={OPTIONS[name].print(chosen[name])}" for name in chosen)))
            )
        except RulesError:
            continue
        return rules, rng.choice(FORMATS[rules.format].seats)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_equals_the_reference(preset: str) -> None:
    """Every preset has the same options in the engine and in the reference implementation's own table."""
    rules = Rules.parse(preset)
    assert options(preset) == {name: option.print(getattr(rules, name)) for name, option in OPTIONS.items()}


def test_both_tables_have_the_same_presets() -> None:
    """Engine and reference have the same presets."""
    assert set(TABLE) == set(PRESETS)


@each_table
@examples(1)
@given(seed=seeds)
def test_the_reference_agrees_with_each_preset(preset: str, seats: int, seed: int) -> None:
    """In a short match of each preset and seat count, scores equal the reference's, deal by deal and in total."""
    check_agreement(Rules.parse(f"{preset} target=50"), seats, seed, resign_probability=0.002)


@pytest.mark.parametrize("seed", [3, *nightly_after(0, range(1000, 1004))])
@each_table
def test_both_list_the_same_moves(preset: str, seats: int, seed: int) -> None:
    """At each action of a short match, engine and reference have the same legal moves and results."""
    check_each_step(Rules.parse(f"{preset} target=20"), seats, seed)


@pytest.mark.thorough
@examples(10)
@given(seed=seeds)
def test_the_reference_agrees_with_combinations(seed: int) -> None:
    """Engine and reference agree on random option combinations, with some resignations."""
    check_agreement(*random_options(seed), seed, resign_probability=0.002)


@pytest.mark.nightly
@pytest.mark.thorough
@each_table
@examples(3)
@given(seed=seeds)
def test_the_reference_agrees_with_many_matches_of_each_preset(preset: str, seats: int, seed: int) -> None:
    """Engine and reference agree on many matches of each preset, with some resignations."""
    check_agreement(Rules.parse(preset), seats, seed, resign_probability=0.001)


@pytest.mark.nightly
@pytest.mark.thorough
@examples(40)
@given(seed=seeds)
def test_the_reference_agrees_with_many_combinations(seed: int) -> None:
    """Engine and reference agree on many random option combinations."""
    check_agreement(*random_options(seed), seed, resign_probability=0.001)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", nightly_after(3, range(15)))
def test_both_list_the_same_moves_with_random_options(seed: int) -> None:
    """With random options, engine and reference have the same legal moves and results at each action."""
    check_each_step(*random_options(seed), seed)
