"""What the charts are made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Final

LAST: Final = 12
"""So many of the last matches are shown one by one."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is over: when it ended, what it brought more than the best others had, and whether it was won.

    None stands for one that was drawn or left without a result.
    """

    ended: date
    net: int
    won: bool | None


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom a person met most: a monogram, in how many matches, and how many of them were won and lost."""

    mark: str
    matches: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Career:
    """How a person did: a monogram, their matches, at least one, oldest first, and what these add up to.

    `share` is what they won of the matches with a result, in hundredths, None where none has one; `streak` the most
    they won in a row. Gins and undercuts are those of the deals that they won.
    """

    mark: str
    results: tuple[Result, ...]
    share: int | None
    streak: int
    deals_won: int
    deals_lost: int
    gins: int
    undercuts: int
    rival: Rival | None

    @property
    def line(self) -> list[int]:
        """What they stood at before the first match, and after each."""
        return [0, *accumulate(result.net for result in self.results)]

    @property
    def kinds(self) -> tuple[int, int, int]:
        """How many deals they won by knocking, by gin and by undercutting."""
        return self.deals_won - self.gins - self.undercuts, self.gins, self.undercuts


@dataclass(frozen=True, slots=True)
class Week:
    """How much was played in a week: the day it began on, matches that ended, and their players."""

    begins: date
    matches: int
    players: int
