"""The matches that are played to learn from."""

from __future__ import annotations

import pytest

from bot.opponent import school
from bot.opponent.school import School
from tests.opponent.helpers import trained_weights


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a few matches at a time."""
    monkeypatch.setattr(school, "TABLES", 4)


def test_knocks_that_were_not_made_are_learnt_from() -> None:
    """Where a knock was possible and something else was done, what it would have brought is a lesson too."""
    found = School(trained_weights(), "knocks", [("self", "patient")], 1.0).lessons(4)
    made = sum(1 for target in found.targets if target.max() == 1)
    assert made > found.deals


@pytest.mark.thorough
def test_the_choices_of_others_teach_nothing() -> None:
    """Only what the networks chose is learnt from, and so there is half as much to learn from a deal with another."""
    alone, both = (
        School(trained_weights(), "others", [pair], 1.0).lessons(4) for pair in (("self", "simple"), ("self", "self"))
    )
    assert len(alone.suits) / alone.moves < 0.7 * len(both.suits) / both.moves
