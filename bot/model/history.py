"""Finished matches: single ones, and the head-to-head record of two people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.model.ids import MatchId
from bot.model.matches import MatchInfo
from bot.model.statistics import Category, Player, Results, SeatResult


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A finished match, with the result of each seat. `has_deals` is False if none of its deals was finished."""

    match: MatchInfo
    results: tuple[SeatResult, ...]
    has_deals: bool = True


@dataclass(frozen=True, slots=True)
class PageKey:
    """The place of a page in a list of matches: next to the match with this id and end time.

    If `newer` is True, the page has newer matches than this one, otherwise older matches.
    """

    ended_at: datetime
    match_id: MatchId
    newer: bool = False


class Ending(StrEnum):
    """The result of a match between two people."""

    FIRST = "first"
    SECOND = "second"
    """`FIRST` or `SECOND`: the first or the second of the two people won."""
    DRAWN = "drawn"
    OTHERS = "others"
    """Another player won."""
    NONE = "none"
    """Another player's forfeit ended the match without a result."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A finished match between two people, with the points of their sides."""

    match_id: MatchId
    ended_at: datetime
    ending: Ending
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Versus:
    """The head-to-head record of two people in a category on a server, since the leaderboard was last reset.

    `categories` are the categories in which they met, most frequent first; `meetings` are the matches, oldest first.
    `points` and `gins` are each person's sums over these matches; `points` includes the points of a partner. `together`
    are the results of matches in which the two people were partners.
    """

    players: tuple[Player, Player]
    category: Category
    categories: tuple[Category, ...]
    meetings: tuple[Meeting, ...]
    points: tuple[int, int]
    gins: tuple[int, int]
    together: Results

    def count(self, ending: Ending) -> int:
        """Return the number of matches with this ending."""
        return sum(meeting.ending is ending for meeting in self.meetings)

    @property
    def longest_streaks(self) -> tuple[int, int]:
        """Each person's longest winning streak. A match without a result does not end a streak."""
        return self._longest_streak(Ending.FIRST), self._longest_streak(Ending.SECOND)

    @property
    def current_streak(self) -> tuple[int, int] | None:
        """The index of the person who won the last match with a result, and how many matches they have won in a row.

        None if neither of them won it.
        """
        endings = [meeting.ending for meeting in reversed(self.meetings) if meeting.ending is not Ending.NONE]
        winning = next(iter(endings), Ending.NONE)
        if winning not in (Ending.FIRST, Ending.SECOND):
            return None
        number = next((index for index, ending in enumerate(endings) if ending is not winning), len(endings))
        return int(winning is Ending.SECOND), number

    def _longest_streak(self, winning: Ending) -> int:
        longest = current = 0
        for meeting in self.meetings:
            if meeting.ending is not Ending.NONE:
                current = current + 1 if meeting.ending is winning else 0
            longest = max(longest, current)
        return longest
