"""Ratings by the model of Plackett and Luce: matches of two, of teams, and of three or four are one kind of thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from bot.values.standings import FIRST_RATING, Rating

_MODEL: Final = PlackettLuce(mu=FIRST_RATING.mu, sigma=FIRST_RATING.sigma, beta=250.0, tau=5.0)
"""`beta` is how much a single match depends on luck, and `tau` how fast people may change: with them about 20 matches
of two settle a rating. Other numbers would be other ratings: `deadwood rerate` must follow a change here."""


def rate(sides: Sequence[Sequence[int]], places: Sequence[int], before: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings of the seats after a match, from their places and their ratings before it.

    The same floats in give the same floats out.
    """
    teams = [[_MODEL.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in side] for side in sides]
    rated = _MODEL.rate(teams, ranks=[float(places[side[0]]) for side in sides])
    after = {
        seat: Rating(one.mu, one.sigma)
        for side, team in zip(sides, rated, strict=True)
        for seat, one in zip(side, team, strict=True)
    }
    return tuple(after[seat] for seat in range(len(before)))
