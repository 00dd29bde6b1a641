"""Elapsed time and deadlines. Standstills, which are spans in which time stands still, do not count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.play.clocks.reckoning import Span, elapsed, moment_after, standstill_end

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def at(minutes: int) -> datetime:
    """Return the time that is this number of minutes after noon."""
    return NOON + timedelta(minutes=minutes)


def span(begins: int, ends: int) -> Span:
    """Return a time span whose ends are given in minutes after noon."""
    return at(begins), at(ends)


SPANS = st.lists(st.tuples(st.integers(-30, 90), st.integers(-30, 90)).map(lambda pair: span(*pair)), max_size=5)


def test_without_standstills_all_time_counts() -> None:
    """Without standstills, the elapsed time is the difference between the times, or zero if the clock was set back."""
    assert elapsed(at(0), at(10), ()) == timedelta(minutes=10)
    assert elapsed(at(10), at(0), ()) == timedelta()
    assert moment_after(at(0), timedelta(minutes=10), ()) == at(10)


def test_spans_that_overlap_count_once() -> None:
    """Time in overlapping standstills is subtracted only once, and only between the two given times."""
    still = (span(5, 8), span(-3, 2), span(7, 9), span(20, 30))
    assert elapsed(at(0), at(10), still) == timedelta(minutes=10 - 2 - 4)
    assert moment_after(at(0), timedelta(minutes=4), still) == at(10)
    assert moment_after(at(0), timedelta(minutes=15), still) == at(31)


def test_end_of_a_standstill() -> None:
    """Adjoining spans form one standstill, which ends with the last span. Outside a standstill, the end is None."""
    still = (span(0, 5), span(5, 9), span(20, 30))
    assert standstill_end(at(2), still) == at(9)
    assert standstill_end(at(9), still) is None
    assert standstill_end(at(10), still) is None


@given(SPANS, st.integers(0, 60))
def test_elapsed_and_moment_after_agree(still: list[Span], minutes: int) -> None:
    """`elapsed` counts only time outside standstills, and `moment_after` is its inverse."""
    running_minutes = sum(not any(begins <= at(minute) < ends for begins, ends in still) for minute in range(minutes))
    assert elapsed(at(0), at(minutes), still) == timedelta(minutes=running_minutes)
    length = timedelta(minutes=minutes)
    assert elapsed(at(0), moment_after(at(0), length, still), still) == length
