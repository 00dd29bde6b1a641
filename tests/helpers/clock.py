"""A clock that goes only when told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """Call it for the time; `pass_by` moves it on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.now

    def pass_by(self, span: timedelta) -> None:
        """Let time pass."""
        self.now += span
