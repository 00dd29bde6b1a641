"""Matches between two players in pairs."""

from __future__ import annotations

import math
from typing import Final

import pytest

from bot.engine.rules import Rules
from bot.opponent.arena import compare, contender
from bot.opponent.levels import Level
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import RESEARCH


@pytest.mark.slow
def test_a_player_wins_half_against_itself() -> None:
    """With the same decks and the seats changed, what one wins in one match the other wins in the other."""
    result = compare("patient", "patient", RESEARCH, 6, 1, "mirror")
    assert (result.share, result.share_error, result.points, result.points_error) == (0.5, 0, 0, 0)
    assert result.seconds > 0


@pytest.mark.slow
def test_whoever_wins_more_is_ahead_in_points() -> None:
    """That holds too where the fewest points win."""
    for rules in ("research target=60", "penalty target=40"):
        result = compare("simple", Level.NOVICE, Rules.parse(rules), 6, 1, "ahead")
        assert result.share > 0.5
        assert result.points > 0


@pytest.mark.parametrize(("pairs", "jobs"), [(0, 1), (1, 0)])
def test_an_arena_needs_something_to_do(pairs: int, jobs: int) -> None:
    """Neither no pairs nor no processes are taken."""
    with pytest.raises(ValueError, match="at least one"):
        compare("simple", "simple", RESEARCH, pairs, jobs, "none")


@pytest.mark.slow
def test_the_same_arguments_give_the_same_result() -> None:
    """In any number of processes: a pair depends on its number alone."""
    first, again = (compare("patient", "simple", RESEARCH, 8, jobs, "same") for jobs in (1, 2))
    assert (first.share, first.points, first.share_error) == (again.share, again.points, again.share_error)
    assert math.isnan(again.seconds)


STRENGTHS: Final = {
    Level.NOVICE: (0.15, 0.30),
    Level.CASUAL: (0.42, 0.55),
    Level.STRONG: (0.62, 0.72),
    Level.EXPERT: (0.76, 1.0),
}
"""The shares of matches that each level should win against the simple player."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "pairs"),
    [*((level, 8) for level in (Level.NOVICE, Level.EXPERT)), *nightly_after(0, ((level, 500) for level in Level))],
)
def test_levels_are_as_strong_as_they_are_called(level: Level, pairs: int) -> None:
    """Against the simple player, each wins the share of matches that it should, within twice the error."""
    least, most = STRENGTHS[level]
    result = compare(level, "simple", RESEARCH, pairs, 1, "levels")
    assert least - 2 * result.share_error <= result.share <= most + 2 * result.share_error


def test_nobody_else_plays() -> None:
    """A name that is no level and no yardstick is refused."""
    with pytest.raises(ValueError, match="grandmaster"):
        contender("grandmaster")
