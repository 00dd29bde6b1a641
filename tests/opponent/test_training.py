"""The program that trains the networks."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bot.opponent import learner, school, training
from bot.opponent.judge import Judge
from bot.opponent.training import OPPONENTS, save, train
from tests.opponent.helpers import RESEARCH, positions, trained_weights


@pytest.mark.slow
def test_the_same_arguments_give_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of training is a function of its seed, and the file that is written is what the judge reads."""
    monkeypatch.setattr(school, "TABLES", 16)
    monkeypatch.setattr(training, "DEALS", 60)
    monkeypatch.setattr(learner, "BATCH", 64)
    first, again = (next(islice(train(1000, 1, 7), 1, 2)) for _ in range(2))
    assert all((first[0][name] == again[0][name]).all() for name in first[0])
    save(first[0], tmp_path / "weights.npz")
    kept = dict(np.load(tmp_path / "weights.npz"))
    assert kept.keys() == first[0].keys() == trained_weights().keys()
    assert all(one.dtype == np.float16 for one in kept.values())
    assert [one.shape for one in kept.values()] == [first[0][name].shape for name in kept]
    assert all(Judge.of(kept).options([next(position for *_, position in positions(RESEARCH, 2, "kept"))]))


def test_the_weights_that_come_with_the_project_are_small() -> None:
    """At most 2 MB, as many opponents as named."""
    assert Path(training.__file__).with_name("weights.npz").stat().st_size <= 2 * 1024 * 1024
    assert {player for pair in OPPONENTS for player in pair} == {"self", "simple", "patient"}
