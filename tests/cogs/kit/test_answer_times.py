"""`AnswerTimes` reports the slowest answer of the last minute, including answers in progress."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from cogs.kit.answer_times import WINDOW_SECONDS, AnswerTimes
from cogs.kit.answers import Answer, Refusals, Screen


class Stopwatch:
    """A clock, in seconds, that moves only when the test sets it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def new_answer(*, is_long: bool = False) -> Answer:
    """Return an answer that is not connected to any command."""
    new = Answer(cast(Any, SimpleNamespace(message=None)), Screen(), Refusals().of(None))
    new.is_long = is_long
    return new


def measure_answer(times: AnswerTimes, watch: Stopwatch, seconds: float, *, is_long: bool = False) -> None:
    """Measure an answer that takes this many seconds."""
    with times.measure(new_answer(is_long=is_long), "hand"):
        watch.now += seconds


def test_the_slowest_answer_of_a_minute_counts() -> None:
    """The slowest answer of the last minute is reported, even if later answers were quicker."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    assert times.slowest() == 0
    measure_answer(times, watch, 3)
    measure_answer(times, watch, 1)
    assert times.slowest() == 3
    watch.now += WINDOW_SECONDS - 1
    assert times.slowest() == 3
    watch.now += 1
    assert times.slowest() == 1


def test_an_answer_in_progress_counts_for_the_time_so_far() -> None:
    """An answer in progress counts with the time that it has taken so far."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    measure_answer(times, watch, 3)
    with times.measure(new_answer(), "hand"):
        watch.now += 5
        assert times.slowest() == 5


def test_long_work_does_not_count() -> None:
    """Work that is marked as long never counts, neither in progress nor afterwards."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    measure_answer(times, watch, 30, is_long=True)
    assert times.slowest() == 0
    with times.measure(new_answer(is_long=True), "export"):
        watch.now += 30
        assert times.slowest() == 0
