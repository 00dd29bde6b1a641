"""The training of the networks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bot.opponent.play.estimate import FEATURE_COUNT
from bot.opponent.play.features import GENERAL_INPUTS, RANK_INPUTS, SUIT_INPUTS
from bot.opponent.play.hand_arrays import SUITS, Floats
from bot.opponent.play.judge import Judge
from bot.opponent.play.network import Weights
from bot.opponent.play.outcomes import CLASS_COUNT
from bot.opponent.training import training_matches
from bot.opponent.training.learner import BATCH, Learner, ReplayBuffer, estimate_gradients, new_weights, value_gradients
from bot.opponent.training.training import BASELINE_PAIRS
from bot.opponent.training.training_matches import Examples, SelfPlay
from tests.opponent.helpers import RESEARCH, positions


def _weights() -> Weights:
    """Return weights in double precision, so that small differences show. The last layers are not near zero."""
    random = np.random.default_rng(3)
    weights = {name: array.astype(np.float64) for name, array in new_weights(1).items()}
    for name in ("values.2.weights", "estimate.2.weights"):
        weights[name] = random.standard_normal(weights[name].shape) * 0.1
    return weights  # type: ignore[return-value]


def _check_gradients(loss: Callable[[Weights], tuple[float, Weights]]) -> None:
    """Fail unless the gradients equal the numerical derivatives of the loss."""
    weights, random = _weights(), np.random.default_rng(4)
    _, gradients = loss(weights)
    for name, gradient in gradients.items():
        assert gradient.shape == weights[name].shape
        flat, expected = weights[name].ravel(), gradient.ravel()
        for index in random.choice(flat.size, min(6, flat.size), replace=False):
            original, step = flat[index], 1e-6
            flat[index] = original + step
            loss_above, _ = loss(weights)
            flat[index] = original - step
            loss_below, _ = loss(weights)
            flat[index] = original
            assert (loss_above - loss_below) / (2 * step) == pytest.approx(expected[index], rel=1e-3, abs=1e-7), name


def test_gradients_of_the_values() -> None:
    """The gradients of the value network match numerical derivatives of its loss."""
    random = np.random.default_rng(5)
    suits = random.random((7, SUITS, SUIT_INPUTS))
    others = random.random((7, RANK_INPUTS + GENERAL_INPUTS))
    targets = random.dirichlet(np.ones(CLASS_COUNT), 7)
    _check_gradients(lambda weights: value_gradients(weights, suits, others, targets))  # type: ignore[arg-type]


def test_gradients_of_the_estimate() -> None:
    """The gradients of the estimate match numerical derivatives of its loss."""
    random = np.random.default_rng(6)
    described, priors = random.random((50, FEATURE_COUNT)), random.standard_normal(50)
    holders = (random.random(50) < 0.3).astype(np.float64)
    _check_gradients(lambda weights: estimate_gradients(weights, described, priors, holders))  # type: ignore[arg-type]


def test_the_loss_uses_the_judges_probabilities() -> None:
    """The training loss is computed from the probabilities that the judge gives."""
    weights = new_weights(2)
    asked = [position for *_, position in positions(RESEARCH, 2, "loss", limit=9)]
    layout = Judge.of(weights).lay_out(asked)
    chances = Judge.of(weights).values.probabilities(layout.choices)
    targets = np.zeros_like(chances)
    targets[:, 3] = 1
    loss, _ = value_gradients(weights, *layout.choices.inputs(), targets)
    assert loss == pytest.approx(float(-np.log(chances[:, 3]).mean()), rel=1e-4)


@pytest.fixture(scope="module")
def lessons() -> Examples:
    """Return training examples of a few deals between simple players."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(training_matches, "SIMULTANEOUS_MATCHES", 4)
        return SelfPlay(new_weights(1), "lessons", BASELINE_PAIRS, 1.0).examples(4)


def test_training_lowers_the_losses(lessons: Examples) -> None:
    """A few training steps lower both losses on the same examples."""
    learner, replay_buffer, random = Learner(new_weights(1)), ReplayBuffer(len(lessons.suits)), np.random.default_rng(1)
    replay_buffer.add(lessons)
    value, _ = value_gradients(learner.weights, *_in_single_precision(lessons))
    estimate, *_, later = (learner.learn_estimate(lessons, 1e-3, random) for _ in range(8))
    learner.learn_values(replay_buffer, 8, 1e-3, random)
    assert value_gradients(learner.weights, *_in_single_precision(lessons))[0] < value - 0.2
    assert later < estimate


@pytest.mark.nightly
def test_training_generalises(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training on some deals lowers the losses on others, for outcomes and hidden hands alike."""
    monkeypatch.setattr(training_matches, "SIMULTANEOUS_MATCHES", 12)
    learner, replay_buffer, random = Learner(new_weights(1)), ReplayBuffer(20_000), np.random.default_rng(1)
    losses: list[tuple[float, float]] = []
    for number in range(3):
        lessons = SelfPlay(learner.weights, f"lessons {number}", BASELINE_PAIRS, 1.0).examples(80)
        value, _ = value_gradients(learner.weights, *_in_single_precision(lessons))
        replay_buffer.add(lessons)
        learner.learn_values(replay_buffer, 20, 1e-3, random)
        losses.append((value, learner.learn_estimate(lessons, 1e-3, random)))
    assert losses[-1][0] < losses[0][0] - 0.1
    assert losses[-1][1] < losses[0][1]


def _in_single_precision(lessons: Examples) -> tuple[Floats, Floats, Floats]:
    return lessons.suits.astype(np.float32), lessons.others.astype(np.float32), lessons.targets.astype(np.float32)


def test_the_replay_buffer_keeps_the_newest_examples() -> None:
    """A full buffer replaces its oldest examples with new ones."""
    replay_buffer, random = ReplayBuffer(3 * BATCH), np.random.default_rng(2)
    for number in range(5):
        replay_buffer.add(_constant_examples(BATCH, number))
    suits, others, targets = replay_buffer.batch(random)
    assert suits.shape == (BATCH, SUITS, SUIT_INPUTS)
    assert set(suits.ravel()) == set(others.ravel()) == set(targets.ravel()) == {2, 3, 4}


def _constant_examples(count: int, value: float) -> Examples:
    """Return examples in which all numbers are equal."""
    shapes = (
        (count, SUITS, SUIT_INPUTS),
        (count, RANK_INPUTS + GENERAL_INPUTS),
        (count, CLASS_COUNT),
        (0, FEATURE_COUNT),
        (0,),
        (0,),
    )
    return Examples(*(np.full(shape, value, dtype=np.float16) for shape in shapes), deals=1, gins=0, moves=1)  # type: ignore[arg-type]


def test_average_weights_follow() -> None:
    """The moving average moves slowly towards the weights."""
    learner, replay_buffer, random = Learner(new_weights(1)), ReplayBuffer(BATCH), np.random.default_rng(3)
    replay_buffer.add(_constant_examples(BATCH, 1 / CLASS_COUNT))
    before = learner.average_weights["values.2.bias"].copy()
    learner.learn_values(replay_buffer, 5, 1e-2, random)
    moved, average = (
        np.abs(weights["values.2.bias"] - before).sum() for weights in (learner.weights, learner.average_weights)
    )
    assert 0 < average < moved / 50
