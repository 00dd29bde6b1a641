"""Matches that are over, as people look back at them: one by one, or those of two people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.values.ids import MatchId
from bot.values.matches import MatchInfo
from bot.values.statistics import Category, Player, Results, SeatResult


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that is over, with the result of each seat."""

    match: MatchInfo
    results: tuple[SeatResult, ...]


@dataclass(frozen=True, slots=True)
class PageKey:
    """Where a page of matches begins: behind a match, by its end and its id, towards older ones or newer ones."""

    ended_at: datetime
    match_id: MatchId
    newer: bool = False


class Ending(StrEnum):
    """How a match ended for two people who played each other in it."""

    FIRST = "first"
    SECOND = "second"
    """The first or the second of them won."""
    DRAWN = "drawn"
    OTHERS = "others"
    """Somebody else won."""
    NONE = "none"
    """A forfeit left no result for the others."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match that is over in which two people played each other, with the points of their sides."""

    match_id: MatchId
    ended_at: datetime
    ending: Ending
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Versus:
    """How two people did against each other in a category on a server since its leaderboard was last reset.

    `categories` are those in which they did, most often first; `meetings` the matches, oldest first. `points` and
    `gins` are sums over these for each of them; partners' points are their sides'. `together` is how the matches ended
    in which they were partners.
    """

    players: tuple[Player, Player]
    category: Category
    categories: tuple[Category, ...]
    meetings: tuple[Meeting, ...]
    points: tuple[int, int]
    gins: tuple[int, int]
    together: Results

    def count(self, ending: Ending) -> int:
        """Return how many matches ended in a way."""
        return sum(meeting.ending is ending for meeting in self.meetings)

    @property
    def streaks(self) -> tuple[int, int]:
        """The most matches that each won in a row. A match without a result does not end a row."""
        return self._longest(Ending.FIRST), self._longest(Ending.SECOND)

    def _longest(self, won: Ending) -> int:
        best = row = 0
        for meeting in self.meetings:
            if meeting.ending is not Ending.NONE:
                row = row + 1 if meeting.ending is won else 0
            best = max(best, row)
        return best
