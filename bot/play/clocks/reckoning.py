"""Arithmetic for clocks that stop and run again. A standstill is a time span in which a clock is stopped."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

Span = tuple[datetime, datetime]
"""The start and end of a standstill."""


def elapsed(since: datetime, until: datetime, standstills: Iterable[Span]) -> timedelta:
    """Return the time that a clock ran between two moments. The standstills can overlap.

    The result is zero if `until` is earlier than `since`, because the system clock was set back.
    """
    ran = until - since
    for begins, ends in merged_spans(since, standstills):
        ran -= max(min(ends, until) - begins, timedelta())
    return max(ran, timedelta())


def moment_after(since: datetime, span: timedelta, standstills: Iterable[Span]) -> datetime:
    """Return the moment at which a clock that starts at `since` will have run for `span`, not counting standstills."""
    at = since + span
    for begins, ends in merged_spans(since, standstills):
        if begins < at:
            at += ends - begins
    return at


def standstill_end(now: datetime, standstills: Iterable[Span]) -> datetime | None:
    """Return the end of the current standstill; None if the clock runs."""
    return next((ends for begins, ends in merged_spans(now, standstills) if begins <= now), None)


def merged_spans(since: datetime, standstills: Iterable[Span]) -> list[Span]:
    """Return the standstills after `since`, sorted, with overlapping and adjacent ones merged."""
    merged: list[Span] = []
    for begins, ends in sorted((max(begins, since), ends) for begins, ends in standstills):
        if ends <= begins:
            continue
        if merged and begins <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], ends)
        else:
            merged.append((begins, ends))
    return merged
