"""The slowest answer of the last minute is known, the answers in progress among them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.kit import answer_times
from cogs.kit.answer_times import PERIOD, AnswerTimes
from cogs.kit.answers import Answer, Refusals, Screen


class Stopwatch:
    """A clock that goes on when the test says so, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    """Measure answers by a clock of the test."""
    stopwatch = Stopwatch()
    monkeypatch.setattr(answer_times, "time", stopwatch)
    return stopwatch


def answer() -> Answer:
    """Return the answer to a command."""
    return Answer(cast(Any, SimpleNamespace(message=None)), Screen(), Refusals().of(None))


def take(times: AnswerTimes, watch: Stopwatch, seconds: float, *, is_long: bool = False) -> None:
    """Measure an answer that takes some seconds."""
    one = answer()
    one.is_long = is_long
    with times.measure(one, "hand"):
        watch.now += seconds


def test_the_slowest_answer_of_a_minute_counts(watch: Stopwatch) -> None:
    """Quicker answers after it change nothing, and a minute later it is forgotten."""
    times = AnswerTimes()
    assert times.slowest() == 0
    take(times, watch, 3)
    take(times, watch, 1)
    assert times.slowest() == 3
    watch.now += PERIOD - 1
    assert times.slowest() == 3
    watch.now += 1
    assert times.slowest() == 1


def test_an_answer_in_progress_counts_for_the_time_so_far(watch: Stopwatch) -> None:
    """So one that hangs is noticed before it ends."""
    times = AnswerTimes()
    take(times, watch, 3)
    with times.measure(answer(), "hand"):
        watch.now += 5
        assert times.slowest() == 5


def test_long_work_does_not_count(watch: Stopwatch) -> None:
    """It is expected to take its time, while it lasts and afterwards."""
    times = AnswerTimes()
    take(times, watch, 30, is_long=True)
    assert times.slowest() == 0
    one = answer()
    one.is_long = True
    with times.measure(one, "export"):
        watch.now += 30
        assert times.slowest() == 0
