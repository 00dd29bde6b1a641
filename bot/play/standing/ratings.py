"""Ratings by the Plackett-Luce model, for two players, teams, and three or four players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from bot.model.standings import FIRST_RATING, Rating

_MODEL: Final = PlackettLuce(mu=FIRST_RATING.mu, sigma=FIRST_RATING.sigma, beta=250.0, tau=5.0)
"""`beta` is the influence of luck in a single match, and `tau` how fast people's skill may change: with these values,
about 20 two-player matches settle a rating. A change here changes all ratings, so `deadwood rerate` must follow."""


def rate(sides: Sequence[Sequence[int]], places: Sequence[int], before: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings of the seats after a match, given their places and earlier ratings.

    The result is deterministic: equal arguments give exactly equal ratings.
    """
    teams = [[_MODEL.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in side] for side in sides]
    rated = _MODEL.rate(teams, ranks=[float(places[side[0]]) for side in sides])
    after = {
        seat: Rating(rating.mu, rating.sigma)
        for side, team in zip(sides, rated, strict=True)
        for seat, rating in zip(side, team, strict=True)
    }
    return tuple(after[seat] for seat in range(len(before)))
