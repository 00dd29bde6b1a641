"""Training matches."""

from __future__ import annotations

import pytest

from bot.opponent import school
from bot.opponent.school import School
from tests.opponent.helpers import trained_weights


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play few matches simultaneously."""
    monkeypatch.setattr(school, "TABLES", 4)


def test_knocks_that_were_not_made_are_learnt_from() -> None:
    """A possible knock that was not made becomes a training example with its outcome."""
    found = School(trained_weights(), "knocks", [("self", "patient")], 1.0).lessons(4)
    made = sum(1 for target in found.targets if target.max() == 1)
    assert made > found.deals


@pytest.mark.thorough
def test_the_choices_of_others_teach_nothing() -> None:
    """Only the networks' own choices become examples, about half as many if another player has the other seat."""
    alone, both = (
        School(trained_weights(), "others", [pair], 1.0).lessons(4) for pair in (("self", "simple"), ("self", "self"))
    )
    assert len(alone.suits) / alone.moves < 0.7 * len(both.suits) / both.moves
