"""Offers that a person has received and can accept."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from bot.model.challenges import Challenge
from bot.model.matches import MatchInfo


@dataclass(frozen=True, slots=True)
class StandingOffers:
    """Offers that a person can accept instead of making a new one: challenges that name them, and rematches."""

    challenges: tuple[Challenge, ...] = ()
    rematches: tuple[MatchInfo, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.challenges or self.rematches)

    @property
    def digest(self) -> str:
        """A digest of the set of offers: sixteen hexadecimal digits, short enough for a button's id."""
        ids = [challenge.id for challenge in self.challenges], [rematch.id for rematch in self.rematches]
        return blake2b(repr(ids).encode(), digest_size=8).hexdigest()
