"""The matches that are played to learn from."""

from __future__ import annotations

import pytest

from bot.opponent.school import School
from tests.opponent.helpers import trained_weights


@pytest.mark.slow
def test_knocks_that_were_not_made_are_learnt_from() -> None:
    """Where a knock was possible and something else was done, what it would have brought is a lesson too."""
    found = School(trained_weights(), "knocks", [("self", "patient")]).lessons(40)
    made = sum(1 for target in found.targets if target.max() == 1)
    assert made > found.deals
