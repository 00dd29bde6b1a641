"""Time that stands still in spans: what elapsed, and when it will have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.play.clocks.reckoning import Span, elapsed, moment_after, standing_until

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def at(minutes: int) -> datetime:
    """Return the moment so many minutes after noon."""
    return NOON + timedelta(minutes=minutes)


def span(begins: int, ends: int) -> Span:
    """Return a span of minutes after noon."""
    return at(begins), at(ends)


SPANS = st.lists(st.tuples(st.integers(-30, 90), st.integers(-30, 90)).map(lambda pair: span(*pair)), max_size=5)


def test_without_standstills_all_time_counts() -> None:
    """What elapsed is the difference, and nothing if the clock was set back."""
    assert elapsed(at(0), at(10), ()) == timedelta(minutes=10)
    assert elapsed(at(10), at(0), ()) == timedelta()
    assert moment_after(at(0), timedelta(minutes=10), ()) == at(10)


def test_spans_that_overlap_count_once() -> None:
    """Only their parts between the two moments are left out."""
    still = (span(5, 8), span(-3, 2), span(7, 9), span(20, 30))
    assert elapsed(at(0), at(10), still) == timedelta(minutes=10 - 2 - 4)
    assert moment_after(at(0), timedelta(minutes=4), still) == at(10)
    assert moment_after(at(0), timedelta(minutes=15), still) == at(31)


def test_until_when_time_stands_still() -> None:
    """That is the end of all spans that meet, and nothing while time runs."""
    still = (span(0, 5), span(5, 9), span(20, 30))
    assert standing_until(at(2), still) == at(9)
    assert standing_until(at(9), still) is None
    assert standing_until(at(10), still) is None


@given(SPANS, st.integers(0, 60))
def test_both_ways_agree(still: list[Span], minutes: int) -> None:
    """Minute by minute as many as were counted ran, and by the moment after a length that length has elapsed."""
    ran = sum(not any(begins <= at(minute) < ends for begins, ends in still) for minute in range(minutes))
    assert elapsed(at(0), at(minutes), still) == timedelta(minutes=ran)
    length = timedelta(minutes=minutes)
    assert elapsed(at(0), moment_after(at(0), length, still), still) == length
