"""Training matches."""

from __future__ import annotations

import pytest

from bot.opponent.training import training_matches
from bot.opponent.training.training_matches import SelfPlay
from tests.opponent.helpers import trained_weights


@pytest.fixture(autouse=True)
def few_simultaneous_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play only four matches simultaneously, so that the tests are fast."""
    monkeypatch.setattr(training_matches, "SIMULTANEOUS_MATCHES", 4)


def test_possible_knocks_become_examples() -> None:
    """A possible knock that was not made becomes a training example with its outcome."""
    found = SelfPlay(trained_weights(), "knocks", [("self", "patient")], 1.0).examples(4)
    made = sum(1 for target in found.targets if target.max() == 1)
    assert made > found.deals


@pytest.mark.thorough
def test_only_own_choices_become_examples() -> None:
    """The networks learn only from their own choices: a seat with another kind of player gives no examples."""
    alone, both = (
        SelfPlay(trained_weights(), "others", [pair], 1.0).examples(4)
        for pair in (("self", "simple"), ("self", "self"))
    )
    assert len(alone.suits) / alone.moves < 0.7 * len(both.suits) / both.moves
