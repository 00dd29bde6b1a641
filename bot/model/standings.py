"""Standings of people on a server: sums over their matches, and the leaderboards that compare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.model.ids import PersonId
from bot.model.ratings import Rating
from bot.model.statistics import Player, Results, Tally

ALL_TIME: Final = "all"
RECENT: Final = "recent"
"""The periods of leaderboards: `ALL_TIME` is the time since the last reset, `RECENT` the last 30 days."""

MAX_PROVISIONAL: Final = 10
"""Maximum number of people to name whose ratings are not settled."""


class Order(StrEnum):
    """The sort order of a leaderboard."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"


def has_ratings(period: str, ruleset: str | None) -> bool:
    """Return True if a leaderboard has ratings: those of a season or of a single ruleset have none."""
    return ruleset is None and period in (ALL_TIME, RECENT)


@dataclass(frozen=True, slots=True)
class Sums(Tally):
    """Sums over a person's matches: the counts of `Tally`, numbers of results, and net points as in `PlayedMatch`."""

    matches: int
    won: int
    lost: int
    drawn: int
    net: int

    @property
    def results(self) -> Results:
        return Results(self.matches, self.won, self.lost, self.drawn)

    def plus(self, other: Sums, times: int = 1) -> Sums:
        """Return the sums with `other` added `times` times. Use -1 to subtract."""
        return Sums(*(getattr(self, field.name) + times * getattr(other, field.name) for field in fields(Sums)))


NO_SUMS: Final = Sums(*(0 for _ in fields(Sums)))


@dataclass(frozen=True, slots=True)
class Standing(Sums):
    """A person's sums on a leaderboard, and their rating in its category.

    `rating` is None before the first rated match.
    """

    person_id: PersonId
    name: str
    rating: Rating | None = None
    rated: int = 0
    username: str | None = None
    ambiguous: bool = False
    avatar: str | None = None

    @property
    def player(self) -> Player:
        """The person as a `Player`, with the names to show."""
        return Player(self.person_id, self.name, username=self.username, ambiguous=self.ambiguous, avatar=self.avatar)


@dataclass(frozen=True, slots=True)
class Movement:
    """How a person moved on a leaderboard within a week.

    `places` is the number of places gained, negative if places were lost; None if the person had no place a week ago.
    """

    places: int | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person's standing and place. People with equal results share a place.

    `movement` is None if the leaderboard is not compared with the one a week ago.
    """

    place: int
    standing: Standing
    movement: Movement | None = None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the standing of the person who asked.

    `people` is the number of people with a place in this order. `own` is None if the person is not on the leaderboard.
    `own_place` is None if the person has no place in this order; so is `own_movement`, which is also None if the
    leaderboard is not compared with the one a week ago. In the order by rating, `provisional` are people without a
    place because their ratings are not settled, at most `MAX_PROVISIONAL` of `provisional_people`.

    `began_late_at` is the time in the server's time zone at which a season began, if it began after the first moment of
    its month or quarter: matches that ended before do not count in it.
    """

    order: Order
    people: int
    page: int
    pages: int
    rows: Sequence[Ranked]
    own: Standing | None
    own_place: int | None
    provisional: Sequence[Standing] = ()
    provisional_people: int = 0
    own_movement: Movement | None = None
    began_late_at: datetime | None = None
