"""How people do on a server, and how much is played there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from bot.engine.rules import Rules
from bot.luck.measures import NOTHING, Luck
from bot.opponent.levels import Level
from bot.values.ids import PersonId
from bot.values.people import Person


class Category(StrEnum):
    """Which matches are compared with each other: a player's own points, a team's, or penalty points."""

    POINTS = "points"
    TEAMS = "teams"
    PENALTY = "penalty"

    @staticmethod
    def of(rules: Rules) -> Category:
        """Return the category in which a match with these rules counts."""
        return _BY_FORMAT.get(rules.format, Category.POINTS)


_BY_FORMAT: Final = {"partners": Category.TEAMS, "penalty": Category.PENALTY}


@dataclass(frozen=True, slots=True)
class Player:
    """A person by id, with the names they last had, or a computer of some level, which has no id.

    All three are None once a person asked to be forgotten. `username` is the name of the account. The player is
    `ambiguous` if another name in the same text looks equal (`bot.values.namesakes`).
    """

    id: PersonId | None
    name: str | None
    computer: Level | None = None
    username: str | None = None
    ambiguous: bool = False

    @staticmethod
    def of(person: Person) -> Player:
        """Return a person as a player."""
        return Player(person.id, person.name, username=person.username)

    @property
    def account(self) -> str | None:
        """The addition to an ambiguous name: the account's name, or else the last digits of its id; else None."""
        if not self.ambiguous or self.id is None or self.name is None:
            return None
        return self.username or f"…{self.id % 10_000:04}"


def computers(levels: Sequence[Level]) -> list[Player]:
    """Return computers of these levels, with numbers if there are several."""
    names = ["Computer"] if len(levels) == 1 else [f"Computer {number}" for number, _ in enumerate(levels, 1)]
    return [Player(None, name, level) for name, level in zip(names, levels, strict=True)]


@dataclass(frozen=True, slots=True)
class Tally:
    """What someone did in one match, or the sums over several. Big gins count as gins."""

    deals_won: int
    deals_lost: int
    points: int
    gins: int
    undercuts: int


@dataclass(frozen=True, slots=True)
class SeatResult(Tally):
    """How a seat did in a finished match. `won` is None for a draw and where there is no result."""

    won: bool | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class Results:
    """How matches ended. One that another player's forfeit left without a result is in `matches` alone."""

    matches: int
    won: int
    lost: int
    drawn: int

    @property
    def decided(self) -> int:
        """Matches with a result."""
        return self.won + self.lost + self.drawn

    @property
    def share(self) -> int | None:
        """The percentage of matches won among those with a result, halves rounded up; None without any."""
        return (200 * self.won + self.decided) // (2 * self.decided) if self.decided else None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """How a finished match went for a person.

    `net` is what their side's deals scored, less what the best other side's scored; for penalty points, how many
    fewer they have than the best other. `won` is None for a draw, and where another player's forfeit left no
    result.
    """

    ended_at: datetime
    won: bool | None
    drawn: bool
    net: int


@dataclass(frozen=True, slots=True)
class Rival:
    """The opponent a person met most often, and how those matches went."""

    player: Player
    matches: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A rating as people see it, and its place among those who have one; None before there are enough matches."""

    rating: str
    place: int | None
    people: int


@dataclass(frozen=True, slots=True)
class Title:
    """A season, by its key, of which somebody is champion in a category."""

    season: str
    category: Category


@dataclass(frozen=True, slots=True)
class Profile(Tally):
    """How a person did in one category on a server since its leaderboard was last reset.

    `categories` are those in which they finished a match, most played first; `played` their matches, oldest first.
    `practice` is how their practice went, anywhere and ever, by the level of the computers. `rank` is None before their
    first rated match; `titles` are those of all categories, the newest first. `luck` is how the cards fell in those of
    their deals that are measured.
    """

    player: Player
    category: Category
    categories: tuple[Category, ...]
    played: tuple[PlayedMatch, ...]
    rival: Rival | None
    practice: Mapping[Level, Results]
    rank: Rank | None = None
    titles: tuple[Title, ...] = ()
    luck: Luck = NOTHING

    @property
    def results(self) -> Results:
        """How the matches ended."""
        won, lost = [sum(match.won is value for match in self.played) for value in (True, False)]
        return Results(len(self.played), won, lost, sum(match.drawn for match in self.played))

    @property
    def net(self) -> int:
        """The sum of `net` over all matches."""
        return sum(match.net for match in self.played)

    @property
    def streak(self) -> int:
        """The most matches won in a row. A match without a result does not end a row."""
        best = row = 0
        for match in self.played:
            if match.won is not None or match.drawn:
                row = row + 1 if match.won else 0
            best = max(best, row)
        return best


@dataclass(frozen=True, slots=True)
class Week:
    """How much was played in the week that began on this Monday, in UTC: matches that ended, and their players."""

    begins: date
    matches: int
    players: int
