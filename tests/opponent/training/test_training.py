"""The training program."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bot.child_processes import process_pool
from bot.opponent.play.judge import Judge
from bot.opponent.training import learner, training, training_matches
from bot.opponent.training.learner import new_weights
from bot.opponent.training.training import PLAYER_PAIRS, Plan, load, save, train
from tests.helpers.cases import nightly_after
from tests.opponent.helpers import RESEARCH, positions, trained_weights


@contextmanager
def threads(jobs: int) -> Generator[Executor]:
    """Yield a pool of threads, which start faster than processes."""
    with ThreadPoolExecutor(jobs) as pool:
        yield pool


@pytest.mark.nightly
@pytest.mark.parametrize("pool", [threads, *nightly_after(0, [process_pool])])
def test_the_same_arguments_give_the_same_weights(
    pool: Callable[[int], AbstractContextManager[Executor]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights after a round of training depend only on its arguments, and a `Judge` can use the saved weights."""
    monkeypatch.setattr(training_matches, "SIMULTANEOUS_MATCHES", 4)
    monkeypatch.setattr(training, "DEALS_PER_ROUND", 4)
    monkeypatch.setattr(training, "process_pool", pool)
    monkeypatch.setattr(learner, "BATCH", 64)
    plan = Plan(deals=1000, deals_played=0, jobs=1, seed=7)
    first, again = (next(islice(train(new_weights(7), plan), 1, 2)) for _ in range(2))
    assert all((first[0][name] == again[0][name]).all() for name in first[0])
    save(first[0], tmp_path / "weights.npz")
    saved = dict(np.load(tmp_path / "weights.npz"))
    assert all((load(tmp_path / "weights.npz")[name] == array).all() for name, array in saved.items())
    assert saved.keys() == first[0].keys() == trained_weights().keys()
    assert all(array.dtype == np.float16 for array in saved.values())
    assert [array.shape for array in saved.values()] == [first[0][name].shape for name in saved]
    assert all(Judge.of(saved).options([next(position for *_, position in positions(RESEARCH, 2, "kept"))]))


def test_the_bundled_weights() -> None:
    """The bundled weights file has at most 2 MB. Training uses exactly the players `self`, `simple` and `patient`."""
    assert len(files("bot.opponent").joinpath("weights.npz").read_bytes()) <= 2 * 1024 * 1024
    assert {player for pair in PLAYER_PAIRS for player in pair} == {"self", "simple", "patient"}


def test_schedules_interpolate() -> None:
    """A schedule interpolates geometrically from its first to its last number, which it reaches after all deals."""
    plan = Plan(deals=100, deals_played=50, jobs=1, seed=1)
    assert [round(plan.interpolate((1.0, 0.01), played), 3) for played in (0, 50, 100, 150)] == [1.0, 0.1, 0.01, 0.01]
