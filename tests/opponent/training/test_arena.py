"""Paired matches between two players."""

from __future__ import annotations

import math
from typing import Final

import pytest

from bot.engine.rules import Rules
from bot.opponent.play.levels import Level
from bot.opponent.training import arena
from bot.opponent.training.arena import compare, contender
from tests.opponent.helpers import RESEARCH

SHORT: Final = Rules.parse("research target=25")


def test_a_player_wins_half_against_itself() -> None:
    """A player wins half of the matches against itself, because it plays both seats with the same decks."""
    result = compare("patient", "patient", SHORT, 3, 1, "mirror")
    assert (result.win_rate, result.win_rate_error, result.points_per_deal, result.points_error) == (0.5, 0, 0, 0)
    assert result.seconds_per_decision > 0


@pytest.mark.nightly
@pytest.mark.parametrize("rules", ["research target=30", "penalty target=20"])
def test_the_stronger_player_is_ahead_in_points(rules: str) -> None:
    """The expert is ahead of the novice in points, also under rules in which the fewest points win."""
    result = compare(Level.EXPERT, Level.NOVICE, Rules.parse(rules), 2, 1, "ahead")
    assert result.win_rate > 0.5
    assert result.points_per_deal > 0


@pytest.mark.parametrize(("pairs", "jobs"), [(0, 1), (1, 0)])
def test_an_arena_needs_pairs_and_processes(pairs: int, jobs: int) -> None:
    """Zero pairs or zero processes are refused."""
    with pytest.raises(ValueError, match="at least one"):
        compare("simple", "simple", RESEARCH, pairs, jobs, "none")


@pytest.mark.nightly
def test_the_same_arguments_give_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result does not depend on the number of processes: the cards and moves of a pair depend only on its index."""
    first = compare("patient", "simple", SHORT, 4, 1, "same")
    monkeypatch.setattr(arena, "BATCH_SIZE", 2)
    again = compare("patient", "simple", SHORT, 4, 2, "same")
    assert (first.win_rate, first.points_per_deal, first.win_rate_error) == (
        again.win_rate,
        again.points_per_deal,
        again.win_rate_error,
    )
    assert math.isnan(again.seconds_per_decision)


EXPECTED_WIN_RATES: Final = {
    Level.NOVICE: (0.15, 0.30),
    Level.CASUAL: (0.42, 0.55),
    Level.STRONG: (0.62, 0.72),
    Level.EXPERT: (0.76, 1.0),
}
"""The range of each level's expected win rate against the simple player."""


@pytest.mark.nightly
@pytest.mark.parametrize("level", Level)
def test_levels_have_their_expected_strength(level: Level) -> None:
    """Each level's win rate against the simple player is in its range, give or take two standard errors."""
    lower, upper = EXPECTED_WIN_RATES[level]
    result = compare(level, "simple", RESEARCH, 500, 1, "levels")
    assert lower - 2 * result.win_rate_error <= result.win_rate <= upper + 2 * result.win_rate_error


def test_unknown_players_are_refused() -> None:
    """A name that is neither a level nor a baseline is refused."""
    with pytest.raises(ValueError, match="grandmaster"):
        contender("grandmaster")
