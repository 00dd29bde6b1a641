"""Arithmetic for clocks that stand still at times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

Span = tuple[datetime, datetime]
"""The start and end of a standstill."""


def elapsed(since: datetime, until: datetime, still: Iterable[Span]) -> timedelta:
    """Return the time that a clock ran between two moments. The standstills may overlap.

    The result is zero if `until` is earlier than `since`, because the system clock was set back.
    """
    ran = until - since
    for begins, ends in apart(since, still):
        ran -= max(min(ends, until) - begins, timedelta())
    return max(ran, timedelta())


def moment_after(since: datetime, span: timedelta, still: Iterable[Span]) -> datetime:
    """Return the moment at which a clock will have run for a span. Standstills may lie in the future."""
    at = since + span
    for begins, ends in apart(since, still):
        if begins < at:
            at += ends - begins
    return at


def standing_until(now: datetime, still: Iterable[Span]) -> datetime | None:
    """Return the end of the current standstill; None if the clock runs."""
    return next((ends for begins, ends in apart(now, still) if begins <= now), None)


def apart(since: datetime, still: Iterable[Span]) -> list[Span]:
    """Return the standstills after a moment, sorted, with overlapping and adjacent ones merged."""
    apart: list[Span] = []
    for begins, ends in sorted((max(begins, since), ends) for begins, ends in still):
        if ends <= begins:
            continue
        if apart and begins <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], ends)
        else:
            apart.append((begins, ends))
    return apart
