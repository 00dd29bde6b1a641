"""Statistics: the results of people on a server, and the activity there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from bot.engine.rules import Rules
from bot.luck.measures import NO_LUCK, Luck
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.model.ratings import Rating
from bot.opponent.play.levels import Level


class Category(StrEnum):
    """A group of comparable matches: players score points, teams score points, or players collect penalty points."""

    POINTS = "points"
    TEAMS = "teams"
    PENALTY = "penalty"

    @staticmethod
    def of(rules: Rules) -> Category:
        """Return the category of a match with these rules."""
        return _BY_FORMAT.get(rules.format, Category.POINTS)


_BY_FORMAT: Final = {"partners": Category.TEAMS, "penalty": Category.PENALTY}


@dataclass(frozen=True, slots=True)
class Player:
    """A person, with their id and latest names, or a computer of some level, which has no id.

    Id and names are None after a person asked to be forgotten. `username` is the name of the account. The player is
    `ambiguous` if another name in the same text looks the same (`bot.model.namesakes`). `avatar` is the hash of the
    picture to show for the person. It always comes from the database, where it is empty if they do not want it shown.
    """

    id: PersonId | None
    name: str | None
    computer: Level | None = None
    username: str | None = None
    ambiguous: bool = False
    avatar: str | None = None

    @staticmethod
    def of(person: Person) -> Player:
        """Return a person as a player without an avatar."""
        return Player(person.id, person.name, username=person.username)

    @property
    def account(self) -> str | None:
        """The addition to an ambiguous name: the name of the account, or the last digits of its id.

        None if the name needs no addition.
        """
        if not self.ambiguous or self.id is None or self.name is None:
            return None
        return self.username or f"…{self.id % 10_000:04}"


def computers(levels: Sequence[Level]) -> list[Player]:
    """Return computer players with names that say their levels. Several of a level are numbered."""
    players: list[Player] = []
    for index, level in enumerate(levels):
        number = f" {levels[: index + 1].count(level)}" if levels.count(level) > 1 else ""
        players.append(Player(None, f"{level.capitalize()} computer{number}", level))
    return players


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's counts in one match, or the sums over several. Big gins count as gins."""

    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int


@dataclass(frozen=True, slots=True)
class SeatResult(Tally):
    """The result of a seat in a finished match.

    `won` is None for a draw and for a match without a result. See `Results`.
    """

    won: bool | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class Results:
    """Numbers of matches by result.

    If one of three or more sides forfeits, the match has no result for the others, and is in `matches` only.
    """

    matches: int
    won: int
    lost: int
    drawn: int

    @property
    def decided_matches(self) -> int:
        """The number of matches with a result."""
        return self.won + self.lost + self.drawn

    @property
    def win_percentage(self) -> int | None:
        """The percentage of wins among matches with a result, rounded half up. None if no match has a result."""
        return (200 * self.won + self.decided_matches) // (2 * self.decided_matches) if self.decided_matches else None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A person's result in a finished match.

    `net` is the lead of the person's side over the best other side, in deal scores or penalty points. The lead is
    negative if another side did better. `won` is None for a draw and for a match without a result. See `Results`.
    """

    ended_at: datetime
    won: bool | None
    drawn: bool
    net: int


@dataclass(frozen=True, slots=True)
class Rival:
    """A person's most frequent opponent, and the results against them."""

    player: Player
    matches: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A rating, and its place among all settled ratings.

    `place` is None until the rating is settled.
    """

    rating: Rating
    place: int | None
    people: int


@dataclass(frozen=True, slots=True)
class Title:
    """A title: the key of a season, and the category that a person won in it."""

    season: str
    category: Category


@dataclass(frozen=True, slots=True)
class Profile(Tally):
    """A person's results in one category on a server, since the leaderboard was last reset.

    `categories` are the categories of their finished matches, most played first; `played_matches` are the matches,
    oldest first. `practice` are all their practice results on any server, by computer level. `rank` is None before
    their first rated match; `titles` cover all categories, newest first. `luck` is the luck of the cards in their
    measured deals.
    """

    player: Player
    category: Category
    categories: tuple[Category, ...]
    played_matches: tuple[PlayedMatch, ...]
    rival: Rival | None
    practice: Mapping[Level, Results]
    rank: Rank | None = None
    titles: tuple[Title, ...] = ()
    luck: Luck = NO_LUCK

    @property
    def results(self) -> Results:
        won, lost = [sum(match.won is value for match in self.played_matches) for value in (True, False)]
        return Results(len(self.played_matches), won, lost, sum(match.drawn for match in self.played_matches))

    @property
    def net(self) -> int:
        """The sum of the net points of all matches. See `PlayedMatch`."""
        return sum(match.net for match in self.played_matches)

    @property
    def streak(self) -> int:
        """The longest winning streak. A match without a result does not end a streak."""
        longest = current = 0
        for match in self.played_matches:
            if match.won is not None or match.drawn:
                current = current + 1 if match.won else 0
            longest = max(longest, current)
        return longest


@dataclass(frozen=True, slots=True)
class ActivitySpan:
    """The activity in the day or week that begins on `begins`, in UTC: the numbers of ended matches and players."""

    begins: date
    matches: int
    players: int


@dataclass(frozen=True, slots=True)
class Activity:
    """The recent activity of a server: days if `is_daily`, else weeks from Monday, oldest first, without gaps.

    The last day or week is not over. `deals` and `players` are the numbers of finished deals and of different players
    in all of them.
    """

    spans: tuple[ActivitySpan, ...]
    is_daily: bool
    deals: int
    players: int

    @property
    def matches(self) -> int:
        """The number of ended matches."""
        return sum(span.matches for span in self.spans)

    @property
    def busiest(self) -> ActivitySpan | None:
        """The day or week with the most matches, the earliest if there are several; None if there is only one span."""
        return max(self.spans, key=lambda span: span.matches) if len(self.spans) > 1 else None
