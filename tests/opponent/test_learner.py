"""The training of the networks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bot.opponent import school
from bot.opponent.estimate import FEATURES
from bot.opponent.features import GENERAL, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.judge import Judge
from bot.opponent.learner import BATCH, Learner, Memory, estimate_gradients, new_weights, value_gradients
from bot.opponent.many_hands import SUITS, Floats
from bot.opponent.network import Weights
from bot.opponent.outcomes import CLASSES
from bot.opponent.school import Lessons, School
from bot.opponent.training import FIRST
from tests.opponent.helpers import RESEARCH, positions


def _weights() -> Weights:
    """Return weights in double precision, so that small differences show, with last layers that are not near zero."""
    random = np.random.default_rng(3)
    weights = {name: one.astype(np.float64) for name, one in new_weights(1).items()}
    for name in ("values.2.weights", "estimate.2.weights"):
        weights[name] = random.standard_normal(weights[name].shape) * 0.1
    return weights  # type: ignore[return-value]


def _check(loss: Callable[[Weights], tuple[float, Weights]]) -> None:
    """Fail unless the gradients equal the numerical derivatives of the loss."""
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
    """The gradients of the values match the cross-entropy with the targets."""
    random = np.random.default_rng(5)
    suits = random.random((7, SUITS, SUIT_INPUTS))
    others = random.random((7, RANK_INPUTS + GENERAL))
    targets = random.dirichlet(np.ones(CLASSES), 7)
    _check(lambda weights: value_gradients(weights, suits, others, targets))  # type: ignore[arg-type]


def test_gradients_of_the_estimate() -> None:
    """The gradients of the estimate match the cross-entropy with the card holders."""
    random = np.random.default_rng(6)
    described, priors = random.random((50, FEATURES)), random.standard_normal(50)
    holders = (random.random(50) < 0.3).astype(np.float64)
    _check(lambda weights: estimate_gradients(weights, described, priors, holders))  # type: ignore[arg-type]


def test_what_is_learnt_is_what_the_judge_uses() -> None:
    """The training loss is computed from the probabilities that the judge gives."""
    weights = new_weights(2)
    asked = [position for *_, position in positions(RESEARCH, 2, "loss", most=9)]
    layout = Judge.of(weights).lay_out(asked)
    chances = Judge.of(weights).values.chances(layout.choices)
    targets = np.zeros_like(chances)
    targets[:, 3] = 1
    loss, _ = value_gradients(weights, *layout.choices.inputs(), targets)
    assert loss == pytest.approx(float(-np.log(chances[:, 3]).mean()), rel=1e-4)


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    """Return training examples of a few deals between simple players."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(school, "TABLES", 4)
        return School(new_weights(1), "lessons", FIRST, 1.0).lessons(4)


def test_lessons_are_learnt(lessons: Lessons) -> None:
    """A few training steps lower both losses on the same examples."""
    learner, memory, random = Learner(new_weights(1)), Memory(len(lessons.suits)), np.random.default_rng(1)
    memory.add(lessons)
    value, _ = value_gradients(learner.weights, *_in_full(lessons))
    estimate, *_, later = (learner.learn_estimate(lessons, 1e-3, random) for _ in range(8))
    learner.learn_values(memory, 8, 1e-3, random)
    assert value_gradients(learner.weights, *_in_full(lessons))[0] < value - 0.2
    assert later < estimate


@pytest.mark.nightly
def test_learning_lowers_the_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training on some deals lowers the losses on others, for outcomes and hidden hands alike."""
    monkeypatch.setattr(school, "TABLES", 12)
    learner, memory, random = Learner(new_weights(1)), Memory(20_000), np.random.default_rng(1)
    losses: list[tuple[float, float]] = []
    for number in range(3):
        lessons = School(learner.weights, f"lessons {number}", FIRST, 1.0).lessons(80)
        value, _ = value_gradients(learner.weights, *_in_full(lessons))
        memory.add(lessons)
        learner.learn_values(memory, 20, 1e-3, random)
        losses.append((value, learner.learn_estimate(lessons, 1e-3, random)))
    assert losses[-1][0] < losses[0][0] - 0.1
    assert losses[-1][1] < losses[0][1]


def _in_full(lessons: Lessons) -> tuple[Floats, Floats, Floats]:
    return lessons.suits.astype(np.float32), lessons.others.astype(np.float32), lessons.targets.astype(np.float32)


def test_the_memory_keeps_the_last_lessons() -> None:
    """A full buffer replaces its oldest examples with new ones."""
    memory, random = Memory(3 * BATCH), np.random.default_rng(2)
    for number in range(5):
        memory.add(_lessons(BATCH, number))
    suits, others, targets = memory.batch(random)
    assert suits.shape == (BATCH, SUITS, SUIT_INPUTS)
    assert set(suits.ravel()) == set(others.ravel()) == set(targets.ravel()) == {2, 3, 4}


def _lessons(count: int, value: float) -> Lessons:
    """Return examples in which all numbers are equal."""
    shapes = (count, SUITS, SUIT_INPUTS), (count, RANK_INPUTS + GENERAL), (count, CLASSES), (0, FEATURES), (0,), (0,)
    return Lessons(*(np.full(shape, value, dtype=np.float16) for shape in shapes), deals=1, gins=0, moves=1)  # type: ignore[arg-type]


def test_smooth_weights_follow() -> None:
    """The moving average moves slowly towards the weights."""
    learner, memory, random = Learner(new_weights(1)), Memory(BATCH), np.random.default_rng(3)
    memory.add(_lessons(BATCH, 1 / CLASSES))
    before = learner.smooth["values.2.bias"].copy()
    learner.learn_values(memory, 5, 1e-2, random)
    moved, smooth = (np.abs(one["values.2.bias"] - before).sum() for one in (learner.weights, learner.smooth))
    assert 0 < smooth < moved / 50
