"""How people stand on a server: ratings, and the boards on which they are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from bot.values.ids import PersonId
from bot.values.statistics import Player, Results, Tally

ALL_TIME: Final = "all"
RECENT: Final = "recent"
"""The periods of boards: since the last reset, and the last 30 days."""

FEWEST_RATED: Final = 5
"""How many rated matches somebody needs for a place by rating."""

UNCERTAIN: Final = 350.0
"""The deviation above which a rating is shown with a question mark: that of about 15 matches of two."""


class Order(StrEnum):
    """What a board is sorted by."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody plays, as far as their matches tell: a normal distribution."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The rating as people see it."""
        return round(self.mu)

    def __str__(self) -> str:
        return f"{self.number}?" if self.sigma > UNCERTAIN else str(self.number)


FIRST_RATING: Final = Rating(1500.0, 500.0)
"""The rating before the first rated match."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of a seat before and after a rated match, and the place that the seat took in it."""

    place: int
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Sums(Tally):
    """What somebody did in matches: those as in `Results`, net points as in `PlayedMatch`, and the rest of a tally."""

    matches: int
    won: int
    lost: int
    drawn: int
    net: int

    @property
    def results(self) -> Results:
        """How the matches ended."""
        return Results(self.matches, self.won, self.lost, self.drawn)

    def plus(self, other: Sums, times: int = 1) -> Sums:
        """Return the sums with others added, or taken away (times -1)."""
        return Sums(*(getattr(self, one.name) + times * getattr(other, one.name) for one in fields(Sums)))


NOTHING: Final = Sums(*(0 for _ in fields(Sums)))


@dataclass(frozen=True, slots=True)
class Standing(Sums):
    """How a person did on a board, and their rating in its category; None before the first rated match."""

    person_id: PersonId
    name: str
    rating: Rating | None = None
    rated: int = 0
    username: str | None = None
    ambiguous: bool = False

    @property
    def player(self) -> Player:
        """Whose standing it is."""
        return Player(self.person_id, self.name, username=self.username, ambiguous=self.ambiguous)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person's standing and their place, which they share with those who are as good."""

    place: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a board, and where the person who asked stands on it.

    `people` have a place in this order. `own` is None for somebody who is not on the board, and `own_place` also for
    somebody without a place in this order.
    """

    order: Order
    people: int
    page: int
    pages: int
    rows: Sequence[Ranked]
    own: Standing | None
    own_place: int | None
