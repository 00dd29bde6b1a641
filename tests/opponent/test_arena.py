"""Paired matches between two players."""

from __future__ import annotations

import math
from typing import Final

import pytest

from bot.engine.rules import Rules
from bot.opponent import arena
from bot.opponent.arena import compare, contender
from bot.opponent.levels import Level
from tests.opponent.helpers import RESEARCH

SHORT: Final = Rules.parse("research target=25")


def test_a_player_wins_half_against_itself() -> None:
    """With the same decks and swapped seats, a player's results against itself cancel out."""
    result = compare("patient", "patient", SHORT, 3, 1, "mirror")
    assert (result.share, result.share_error, result.points, result.points_error) == (0.5, 0, 0, 0)
    assert result.seconds > 0


@pytest.mark.thorough
@pytest.mark.parametrize("rules", ["research target=30", "penalty target=20"])
def test_whoever_wins_more_is_ahead_in_points(rules: str) -> None:
    """The expert beats the novice, also under rules in which the fewest points win."""
    result = compare(Level.EXPERT, Level.NOVICE, Rules.parse(rules), 2, 1, "ahead")
    assert result.share > 0.5
    assert result.points > 0


@pytest.mark.parametrize(("pairs", "jobs"), [(0, 1), (1, 0)])
def test_an_arena_needs_something_to_do(pairs: int, jobs: int) -> None:
    """Zero pairs or zero processes are refused."""
    with pytest.raises(ValueError, match="at least one"):
        compare("simple", "simple", RESEARCH, pairs, jobs, "none")


@pytest.mark.thorough
def test_the_same_arguments_give_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result does not depend on the number of processes, because a pair depends only on its number."""
    first = compare("patient", "simple", SHORT, 4, 1, "same")
    monkeypatch.setattr(arena, "AT_ONCE", 2)
    again = compare("patient", "simple", SHORT, 4, 2, "same")
    assert (first.share, first.points, first.share_error) == (again.share, again.points, again.share_error)
    assert math.isnan(again.seconds)


STRENGTHS: Final = {
    Level.NOVICE: (0.15, 0.30),
    Level.CASUAL: (0.42, 0.55),
    Level.STRONG: (0.62, 0.72),
    Level.EXPERT: (0.76, 1.0),
}
"""The expected win rate of each level against the simple player, as a range."""


@pytest.mark.nightly
@pytest.mark.parametrize("level", Level)
def test_levels_are_as_strong_as_they_are_called(level: Level) -> None:
    """Each level's win rate against the simple player is in its range, within twice the error."""
    least, most = STRENGTHS[level]
    result = compare(level, "simple", RESEARCH, 500, 1, "levels")
    assert least - 2 * result.share_error <= result.share <= most + 2 * result.share_error


def test_nobody_else_plays() -> None:
    """A name that is neither a level nor a baseline is refused."""
    with pytest.raises(ValueError, match="grandmaster"):
        contender("grandmaster")
