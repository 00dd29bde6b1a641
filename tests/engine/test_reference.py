"""Whole matches of every preset and of many combinations of options, compared with the reference."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from bot.engine.errors import RulesError
from bot.engine.formats import FORMATS
from bot.engine.match import legal
from bot.engine.moves import Seat
from bot.engine.record import Record
from bot.engine.rules import OPTIONS, PRESETS, Rules, Value
from bot.engine.to_json import match_to_json
from tests.engine.decks import random_actions
from tests.engine.strategies import seeds
from tests.helpers.cases import nightly_after
from tests.helpers.examples import examples
from tests.reference.scores import PRESETS as TABLE
from tests.reference.scores import ReferenceMatch, options, reference_json

NUMBERS: dict[str, tuple[int, ...]] = {
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
"""Numbers that make for matches of some deals."""

each_table = pytest.mark.parametrize(
    ("preset", "seats"),
    [(name, seats) for name in PRESETS for seats in FORMATS[Rules.parse(name).format].seats],
)


def agree(rules: Rules, seats: int, seed: int, resigns: float = 0.0) -> None:
    """Play a match to its end; the replay of its printed record must say what the reference says."""
    *_, (_, _, match) = played = list(random_actions(seed, rules, resigns, seats))
    names = tuple(f"Seat {seat}" for seat in range(seats))
    text = str(Record(match.rules, tuple(action for _, action, _ in played), names, result=match.score.totals))
    assert match_to_json(Record.parse(text).replay()) == reference_json(text), text


def agree_at_each_step(rules: Rules, seats: int, seed: int) -> None:
    """Play a match to its end; before each action both list the same moves and come to the same summary."""
    slow = ReferenceMatch(str(rules), seats)
    for before, action, after in random_actions(seed, rules, 0.0005, seats):
        for seat in map(Seat, range(seats)):
            assert {str(move) for move in legal(before, seat)} == slow.legal(seat), (str(rules), seed, action)
        slow.apply(str(action).split())
        assert match_to_json(after) == slow.to_json(), (str(rules), seed, action)


def combination(seed: int) -> tuple[Rules, int]:
    """Rules with about ten options turned, and how many play."""
    rng = random.Random(seed)
    while True:
        turned: dict[str, Value] = {
            name: rng.choice((*option.named, *NUMBERS.get(name, ())))
            for name, option in OPTIONS.items()
            if rng.random() < 0.35
        }
        if turned.get("format") == "winner_stays":
            turned["next_dealer"] = "loser"
        if turned.get("format") == "penalty":
            turned |= {"game_bonus": 0, "line_bonus": 0, "shutout": False}
        try:
            rules = Rules.parse(
                " ".join(("classic", *(f"{name}={OPTIONS[name].print(turned[name])}" for name in turned)))
            )
        except RulesError:
            continue
        return rules, rng.choice(FORMATS[rules.format].seats)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_the_row_of_the_table(preset: str) -> None:
    """Every option of a preset stands where the table of presets, written down a second time, puts it."""
    rules = Rules.parse(preset)
    assert options(preset) == {name: option.print(getattr(rules, name)) for name, option in OPTIONS.items()}


def test_no_preset_is_left_out() -> None:
    """Both tables of presets have the same rows."""
    assert set(TABLE) == set(PRESETS)


@pytest.mark.slow
@each_table
@examples(1)
@given(seed=seeds)
def test_the_reference_agrees_with_each_preset(preset: str, seats: int, seed: int) -> None:
    """A short match of each preset and seat count scores what the reference says, deal by deal and in the end."""
    agree(Rules.parse(f"{preset} target=50"), seats, seed)


@pytest.mark.slow
@each_table
def test_both_list_the_same_moves(preset: str, seats: int) -> None:
    """Before each action of a short match, what is legal is what brute force finds, and the standing is the same."""
    agree_at_each_step(Rules.parse(f"{preset} target=20"), seats, 3)


@pytest.mark.slow
@examples(10)
@given(seed=seeds)
def test_the_reference_agrees_with_combinations(seed: int) -> None:
    """The same of options turned at random, some matches given up."""
    agree(*combination(seed), seed, resigns=0.002)


@pytest.mark.nightly
@pytest.mark.slow
@each_table
@examples(3)
@given(seed=seeds)
def test_the_reference_agrees_with_many_matches_of_each_preset(preset: str, seats: int, seed: int) -> None:
    """Several matches of each preset and seat count, some given up."""
    agree(Rules.parse(preset), seats, seed, resigns=0.001)


@pytest.mark.nightly
@pytest.mark.slow
@examples(40)
@given(seed=seeds)
def test_the_reference_agrees_with_many_combinations(seed: int) -> None:
    """The same over many combinations of options."""
    agree(*combination(seed), seed, resigns=0.001)


@pytest.mark.slow
@pytest.mark.parametrize("seed", nightly_after(3, range(15)))
def test_both_list_the_same_moves_whatever_the_options(seed: int) -> None:
    """Engine and reference list the same moves at each step of random combinations of options."""
    agree_at_each_step(*combination(seed), seed)
