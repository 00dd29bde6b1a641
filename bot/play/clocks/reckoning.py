"""Reckoning of time that now and then stands still."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

Span = tuple[datetime, datetime]
"""From when until when time stands still."""


def elapsed(since: datetime, until: datetime, still: Iterable[Span]) -> timedelta:
    """Return how long time ran between two moments. The spans in which it stood still may overlap.

    Nothing has elapsed if `until` is the earlier one: the system's clock was set back.
    """
    ran = until - since
    for begins, ends in apart(since, still):
        ran -= max(min(ends, until) - begins, timedelta())
    return max(ran, timedelta())


def moment_after(since: datetime, span: timedelta, still: Iterable[Span]) -> datetime:
    """Return when time will have run for a span. The spans in which it stands still may lie ahead."""
    at = since + span
    for begins, ends in apart(since, still):
        if begins < at:
            at += ends - begins
    return at


def standing_until(now: datetime, still: Iterable[Span]) -> datetime | None:
    """Return until when time stands still; None if it runs."""
    return next((ends for begins, ends in apart(now, still) if begins <= now), None)


def apart(since: datetime, still: Iterable[Span]) -> list[Span]:
    """Return the spans after a moment in their order, those that meet as one."""
    apart: list[Span] = []
    for begins, ends in sorted((max(begins, since), ends) for begins, ends in still):
        if ends <= begins:
            continue
        if apart and begins <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], ends)
        else:
            apart.append((begins, ends))
    return apart
