"""Streaks: days in a row on which a person finished the deal of the day."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Streaks:
    """The lengths of a person's current and longest streak, in days."""

    current: int
    longest: int

    @staticmethod
    def of(finished: Collection[date], missable: Collection[date]) -> Streaks:
        """Return a person's streaks, given the days that they finished and the days that end a streak if missed.

        All other days, such as one that is not over yet, do not count and end no streak.
        """
        done = {*finished}
        current = longest = 0
        for day in sorted(done.union(missable)):
            current = current + 1 if day in done else 0
            longest = max(longest, current)
        return Streaks(current, longest)


NO_STREAKS: Final = Streaks(0, 0)
