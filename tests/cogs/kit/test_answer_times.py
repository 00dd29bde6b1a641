"""`AnswerTimes` knows the slowest answer of the last minute, including answers in progress."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from cogs.kit.answer_times import PERIOD, AnswerTimes
from cogs.kit.answers import Answer, Refusals, Screen


class Stopwatch:
    """A clock, in seconds, that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def answer(*, is_long: bool = False) -> Answer:
    """Return the answer to a command."""
    made = Answer(cast(Any, SimpleNamespace(message=None)), Screen(), Refusals().of(None))
    made.is_long = is_long
    return made


def take(times: AnswerTimes, watch: Stopwatch, seconds: float, *, is_long: bool = False) -> None:
    """Measure an answer that takes this many seconds."""
    with times.measure(answer(is_long=is_long), "hand"):
        watch.now += seconds


def test_the_slowest_answer_of_a_minute_counts() -> None:
    """Later, quicker answers do not replace the slowest one; a minute later it is dropped."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    assert times.slowest() == 0
    take(times, watch, 3)
    take(times, watch, 1)
    assert times.slowest() == 3
    watch.now += PERIOD - 1
    assert times.slowest() == 3
    watch.now += 1
    assert times.slowest() == 1


def test_an_answer_in_progress_counts_for_the_time_so_far() -> None:
    """An answer that hangs counts before it ends."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    take(times, watch, 3)
    with times.measure(answer(), "hand"):
        watch.now += 5
        assert times.slowest() == 5


def test_long_work_does_not_count() -> None:
    """Work that is marked as long never counts, neither in progress nor afterwards."""
    watch = Stopwatch()
    times = AnswerTimes(watch)
    take(times, watch, 30, is_long=True)
    assert times.slowest() == 0
    with times.measure(answer(is_long=True), "export"):
        watch.now += 30
        assert times.slowest() == 0
