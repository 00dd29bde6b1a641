"""Computes the places of the seats in a match, and ratings from these places by the Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf, sqrt
from typing import Final

from openskill.models import PlackettLuce

from bot.engine.matches import facts
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Match
from bot.engine.rules import Rules
from bot.model.ratings import DRIFT_DEVIATION, FIRST_RATING, LUCK_DEVIATION, Rating
from bot.store.rows import EndedMatch

POINTS_PER_DEAL: Final = 17
"""Points that a deal brings to a side's score on average, for the length of a match: 100 points take about 6 deals."""
_FULL_LENGTH: Final = 100 / POINTS_PER_DEAL
"""The number of deals in a match to 100."""


def rate(
    sides: Sequence[Sequence[int]], places: Sequence[int], before: Sequence[Rating], rules: Rules
) -> tuple[Rating, ...]:
    """Return the ratings of the seats after a match, given their places and earlier ratings.

    The shorter a match is by its rules, the more luck decides it, and the less it changes ratings. The result is
    deterministic: equal arguments give exactly equal ratings.
    """
    model = _model(relative_length(rules))
    teams = [[model.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in side] for side in sides]
    rated = model.rate(teams, ranks=[float(places[side[0]]) for side in sides])
    after = {
        seat: Rating(rating.mu, rating.sigma)
        for side, team in zip(sides, rated, strict=True)
        for seat, rating in zip(side, team, strict=True)
    }
    return tuple(after[seat] for seat in range(len(before)))


@cache
def _model(length: float) -> PlackettLuce:
    """Return the model for matches of a relative length. Over fewer deals, luck has more influence, by a square root.

    A change here changes all ratings, so `deadwood rerate` must follow.
    """
    return PlackettLuce(
        mu=FIRST_RATING.mu, sigma=FIRST_RATING.sigma, beta=LUCK_DEVIATION / sqrt(length), tau=DRIFT_DEVIATION
    )


def relative_length(rules: Rules) -> float:
    """Return the length of a match by its rules, relative to one to 100 and at most 1."""
    deals = inf if rules.deals is None else float(rules.deals)
    if rules.target is not None:
        deals = min(deals, max(1.0, rules.target / POINTS_PER_DEAL))
    return min(1.0, deals / _FULL_LENGTH)


def places(match: Match) -> tuple[int, ...]:
    """Return the place of each seat of a finished match. Ties and partners share a place.

    A player who forfeits is last, and the others share the first place.
    """
    if match.forfeit is not None:
        forfeiter = match.forfeit.seat
        return _by_seat(match.sides, [(int(forfeiter in side),) for side in match.sides])
    score = match.score
    if len(match.sides) == 2:
        return _by_seat(match.sides, [(int(score.winner not in (None, side)),) for side in range(2)])
    return _by_seat(match.sides, [(place,) for place in facts.places(match.rules, score)])


def places_of_two_sides(match: EndedMatch) -> tuple[int, ...] | None:
    """Return the places as `places` does, but from the stored results; None if more than two sides played."""
    sides = FORMATS[match.rules.format].sides(len(match.seats))
    if len(sides) != 2:
        return None
    return _by_seat(sides, [(int(match.seats[side[0]].won is False),) for side in sides])


def _by_seat(sides: Sequence[Sequence[int]], sort_keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the place of each seat. `sort_keys` has a sort key for each side; the best side has the lowest."""
    order = sorted(sort_keys)
    place_of = {
        seat: 1 + order.index(sort_key) for side, sort_key in zip(sides, sort_keys, strict=True) for seat in side
    }
    return tuple(place_of[seat] for seat in sorted(place_of))
