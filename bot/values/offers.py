"""Offers that one person has made another, and that the other may accept."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from bot.values.challenges import Challenge
from bot.values.matches import MatchInfo


@dataclass(frozen=True, slots=True)
class StandingOffers:
    """Offers that a person may accept instead of making their own: challenges that name them, and rematches."""

    challenges: tuple[Challenge, ...] = ()
    rematches: tuple[MatchInfo, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.challenges or self.rematches)

    @property
    def mark(self) -> str:
        """Sixteen hexadecimal digits that change with the set of offers: a button can hold them."""
        ids = [one.id for one in self.challenges], [one.id for one in self.rematches]
        return blake2b(repr(ids).encode(), digest_size=8).hexdigest()
