"""The training of the networks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bot.opponent import training
from bot.opponent.estimate import FEATURES
from bot.opponent.features import GENERAL, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.judge import Judge, trained
from bot.opponent.many_hands import SUITS, Floats
from bot.opponent.outcomes import CLASSES
from bot.opponent.training import FIRST, OPPONENTS, Learner, School, Weights, new_weights, save, train
from tests.opponent.helpers import RESEARCH, positions


def _weights() -> Weights:
    """Return weights in double precision, in which small differences show; the last layers say something."""
    random = np.random.default_rng(3)
    weights = {name: one.astype(np.float64) for name, one in new_weights(1).items()}
    for name in ("values.2.weights", "estimate.2.weights"):
        weights[name] = random.standard_normal(weights[name].shape) * 0.1
    return weights  # type: ignore[return-value]


def _check(loss: Callable[[Weights], tuple[float, Weights]]) -> None:
    """Fail unless gradients are what small changes of single weights do to the loss."""
    weights, random = _weights(), np.random.default_rng(4)
    _, gradients = loss(weights)
    for name, gradient in gradients.items():
        assert gradient.shape == weights[name].shape
        flat, expected = weights[name].ravel(), gradient.ravel()
        for place in random.choice(flat.size, min(6, flat.size), replace=False):
            kept, step = flat[place], 1e-6
            flat[place] = kept + step
            more, _ = loss(weights)
            flat[place] = kept - step
            less, _ = loss(weights)
            flat[place] = kept
            assert (more - less) / (2 * step) == pytest.approx(expected[place], rel=1e-3, abs=1e-7), name


def test_gradients_of_the_values() -> None:
    """They are those of the cross-entropy with the targets."""
    random = np.random.default_rng(5)
    suits = random.random((7, SUITS, SUIT_INPUTS))
    others = random.random((7, RANK_INPUTS + GENERAL))
    targets = random.dirichlet(np.ones(CLASSES), 7)
    _check(lambda weights: training.value_gradients(weights, suits, others, targets))  # type: ignore[arg-type]


def test_gradients_of_the_estimate() -> None:
    """They are those of the cross-entropy with who holds which card."""
    random = np.random.default_rng(6)
    described, priors = random.random((50, FEATURES)), random.standard_normal(50)
    holders = (random.random(50) < 0.3).astype(np.float64)
    _check(lambda weights: training.estimate_gradients(weights, described, priors, holders))  # type: ignore[arg-type]


def test_what_is_learnt_is_what_the_judge_uses() -> None:
    """The loss of the training is that of the chances that the judge gives."""
    weights = new_weights(2)
    asked = [position for *_, position in positions(RESEARCH, 2, "loss", most=9)]
    layout = Judge.of(weights).lay_out(asked)
    chances = Judge.of(weights).values.chances(layout.choices)
    targets = np.zeros_like(chances)
    targets[:, 3] = 1
    loss, _ = training.value_gradients(weights, *layout.choices.inputs(), targets)
    assert loss == pytest.approx(float(-np.log(chances[:, 3]).mean()), rel=1e-4)


@pytest.mark.slow
def test_learning_lowers_the_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learnt from some deals is known better in others, outcomes and hidden hands alike."""
    monkeypatch.setattr(training, "TABLES", 24)
    learner, random = Learner(new_weights(1)), np.random.default_rng(1)
    lessons = (School(learner.weights, f"lessons {number}", FIRST).lessons(250) for number in range(3))
    losses = [learner.learn(some, 1e-3, random) for some in lessons]
    assert losses[-1][0] < losses[0][0] - 0.1
    assert losses[-1][1] < losses[0][1]


@pytest.mark.slow
def test_knocks_that_were_not_made_are_learnt_from() -> None:
    """Where a knock was possible and something else was done, what it would have brought is a lesson too."""
    weights = {name: np.asarray(one, dtype=np.float32) for name, one in _trained_weights().items()}
    found = School(weights, "knocks", [("self", "patient")]).lessons(40)
    made = sum(1 for target in found.targets if target.max() == 1)
    assert made > found.deals


def _trained_weights() -> dict[str, Floats]:
    values, estimate = trained().values, trained().estimate
    layers = {"suits": (values.suits,), "values": values.layers, "estimate": estimate.layers}
    return {
        f"{name}.{place}.{part}": getattr(layer, part)
        for name, group in layers.items()
        for place, layer in enumerate(group)
        for part in ("weights", "bias")
    }


@pytest.mark.slow
def test_the_same_arguments_give_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of training is a function of its seed, and the file that is written is what the judge reads."""
    monkeypatch.setattr(training, "TABLES", 16)
    monkeypatch.setattr(training, "DEALS", 60)
    monkeypatch.setattr(training, "BATCH", 64)
    first, again = (next(islice(train(1000, 1, 7), 1, 2)) for _ in range(2))
    assert all((first[0][name] == again[0][name]).all() for name in first[0])
    save(first[0], tmp_path / "weights.npz")
    kept = dict(np.load(tmp_path / "weights.npz"))
    assert kept.keys() == first[0].keys() == _trained_weights().keys()
    assert all(one.dtype == np.float16 for one in kept.values())
    assert [one.shape for one in kept.values()] == [first[0][name].shape for name in kept]
    assert all(Judge.of(kept).options([next(position for *_, position in positions(RESEARCH, 2, "kept"))]))


def test_the_weights_that_come_with_the_project_are_small() -> None:
    """At most 2 MB, as many opponents as named."""
    assert Path(training.__file__).with_name("weights.npz").stat().st_size <= 2 * 1024 * 1024
    assert {player for pair in OPPONENTS for player in pair} == {"self", "simple", "patient"}
